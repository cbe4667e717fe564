import { systemCode } from '../files/system-code.ts'

/** What PostgreSQL answers, when, and what its errors mean. */

/** How long to wait for an answer. */
export const PATIENCE_MS = 5000
const TURN_MS = 100

/**
 * Fails unless an answer comes in time. Only time in which this process could have seen it counts: on a busy machine it may have
 * no processor for seconds, and it may have been stopped.
 */
export function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let turns = PATIENCE_MS / TURN_MS
    const stop = () => clearInterval(timer)
    const timer = setInterval(() => {
      turns -= 1
      if (turns > 0) return
      stop()
      reject(new Error(`no answer in ${PATIENCE_MS / 1000} s`))
    }, TURN_MS)
    answer.finally(stop).then(resolve, reject)
  })
}

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

/** Whether the database has ended a transaction in which it waited for this process, by the error or one of its causes. */
export const hasIdled = (error: unknown): boolean =>
  error instanceof Error && (sqlStateOf(error) === '25P03' || hasIdled(error.cause))

/** The states after which the connection ends, so an answer may be missing: connection exceptions, shutdowns, a crash. */
const ENDS = /^(?:08|25P03|57P|58|XX|40003)/

/** Whether the database has answered, and has not done it. */
export const isRefusal = (error: unknown): boolean => {
  const state = sqlStateOf(error)
  return state !== undefined && !ENDS.test(state)
}

/**
 * Whether trying again may help: there are too many connections, or the database is starting. A refused connection counts
 * only after one was there, as while the database restarts.
 */
export const isTemporary = (error: unknown, hasConnected: boolean): boolean =>
  ['53300', '57P03'].includes(sqlStateOf(error) ?? '') ||
  (hasConnected && ['ECONNREFUSED', 'ECONNRESET', 'ENOENT'].includes(systemCode(error) ?? ''))
