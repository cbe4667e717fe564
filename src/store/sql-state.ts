import { systemCode } from '../system-code.ts'

/** The code of an error that the database reported: https://www.postgresql.org/docs/current/errcodes-appendix.html */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'severity' in error)) return undefined
  const code = String(error.code)
  // PgBouncer has one code for everything that it refuses itself.
  if (code === '08P01') return POOLER_STATES.find(([words]) => words.test(error.message))?.[1] ?? code
  return /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

const POOLER_STATES = [
  [/authentication failed|^role .* does not exist/, '28000'],
  [/^no more connections allowed/, '53300'],
] as const

/** The database ends the connection, so an answer may be missing: connection exceptions, shutdowns, a crash. */
const ENDS = /^(?:08|57P|58|XX|40003)/

/** Whether the database has answered, and has not done it. */
export const isRefusal = (error: unknown): boolean => {
  const state = sqlStateOf(error)
  return state !== undefined && !ENDS.test(state)
}

/** Too many connections, or starting up; refused connections only after one was there, as while the database restarts. */
export const isTemporary = (error: unknown, hasConnected: boolean): boolean =>
  ['53300', '57P03'].includes(sqlStateOf(error) ?? '') ||
  (hasConnected && ['ECONNREFUSED', 'ECONNRESET', 'ENOENT'].includes(systemCode(error) ?? ''))
