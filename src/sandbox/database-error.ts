import { EXIT, PayError } from '../errors.ts'
import type { ExitCode, Outcome } from '../errors.ts'

/** What SQLite's and the file system's errors mean, and what to do about them. Other errors stay as they are. */
const KINDS: readonly {
  readonly pattern: RegExp
  readonly code: string
  readonly exitCode: ExitCode
  readonly outcome: Outcome
  readonly words: (path: string) => string
  readonly hint: string
  readonly next?: readonly string[]
}[] = [
  {
    pattern: /not a database|malformed|SQLITE_CORRUPT|SQLITE_NOTADB/i,
    code: 'sandbox_damaged',
    exitCode: EXIT.usage,
    outcome: 'none',
    words: (path) => `The sandbox's database is damaged: ${path}`,
    hint: '`pay sandbox reset` starts afresh and keeps the damaged file beside the new one.',
    next: ['pay sandbox reset'],
  },
  {
    pattern:
      /readonly database|unable to open|EACCES|ENOENT|EPERM|EROFS|ENOTDIR|EEXIST|SQLITE_READONLY|SQLITE_CANTOPEN/i,
    code: 'sandbox_not_writable',
    exitCode: EXIT.usage,
    outcome: 'none',
    words: (path) => `The sandbox cannot write its database: ${path}`,
    hint: 'Make the folder writable, or set PAY_STATE_DIR to another one.',
  },
  {
    pattern: /database is locked|SQLITE_BUSY/i,
    code: 'sandbox_busy',
    exitCode: EXIT.notConnected,
    outcome: 'none',
    words: (path) => `Another process holds the sandbox's database: ${path}`,
    hint: 'Wait for it and try again.',
  },
  {
    pattern: /disk is full|ENOSPC|SQLITE_FULL/i,
    code: 'sandbox_disk_full',
    exitCode: EXIT.serverFault,
    outcome: 'none',
    words: (path) => `The disk is full; nothing was written to the sandbox's database: ${path}`,
    hint: 'Free some space, or set PAY_STATE_DIR to another disk.',
  },
  {
    pattern: /disk I\/O error|SQLITE_IOERR/i,
    code: 'sandbox_disk',
    exitCode: EXIT.outcomeUnknown,
    outcome: 'unknown',
    words: (path) => `The disk did not take what the sandbox wrote: ${path}`,
    hint: 'Free some space, or set PAY_STATE_DIR to another disk.',
  },
]

const DATABASE_CODES: ReadonlySet<string> = new Set(['sandbox_newer', ...KINDS.map((kind) => kind.code)])

export function wordDatabaseError(error: unknown, path: string): unknown {
  if (error instanceof PayError || !(error instanceof Error)) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const kind = KINDS.find(({ pattern }) => pattern.test(`${code} ${error.message}`))
  if (kind === undefined) return error
  return new PayError(kind.code, kind.exitCode, kind.words(path), {
    hint: kind.hint,
    next: kind.next,
    outcome: kind.outcome,
    cause: error,
  })
}

/** What the database itself could not do, as opposed to what somebody asked of it. */
export const isDatabaseFailure = (error: unknown): boolean =>
  error instanceof PayError && DATABASE_CODES.has(error.code)

/** Nothing can be written; what is there may be readable. */
export const isUnwritable = (error: unknown): boolean =>
  error instanceof PayError && ['sandbox_disk_full', 'sandbox_not_writable'].includes(error.code)

/** Another process is in its transaction; nothing of ours has begun. */
export const isBusy = (error: unknown): boolean => error instanceof PayError && error.code === 'sandbox_busy'

const RESET = { outcome: 'none', next: ['pay sandbox reset'] } as const
const KEPT = '`pay sandbox reset` starts afresh and keeps this file beside the new one.'

export const newer = (path: string) =>
  new PayError('sandbox_newer', EXIT.usage, `${path} was written by a newer version of pay`, {
    hint: `Update pay, or use another folder. ${KEPT}`,
    ...RESET,
  })

export const notOurs = (path: string) =>
  new PayError('sandbox_damaged', EXIT.usage, `${path} is not a database of the sandbox`, {
    hint: KEPT,
    ...RESET,
  })

/** The database has ended a transaction by itself. */
export const rolledBack = (path: string, cause: unknown) =>
  wordDatabaseError(new Error('disk I/O error', { cause }), path)

/** A document in it that nobody can read. */
export const unreadableDocument = (cause?: unknown) =>
  new PayError('sandbox_damaged', EXIT.usage, "A document in the sandbox's database is damaged", {
    hint: '`pay sandbox reset` starts afresh and keeps the damaged file beside the new one.',
    ...RESET,
    cause,
  })

export const damaged = (path: string) =>
  wordDatabaseError(new Error('database disk image is malformed'), path)
