import { EXIT, PayError } from '../../errors.ts'
import type { ExitCode, Outcome } from '../../errors.ts'
import { systemCode } from '../../system-code.ts'

interface Kind {
  /** Result codes of SQLite: https://sqlite.org/rescode.html */
  readonly sqlite: readonly number[]
  /** Of the file system. */
  readonly system: readonly string[]
  readonly code: string
  readonly exitCode: ExitCode
  readonly outcome: Outcome
  readonly words: (path: string) => string
  readonly hint: string
  readonly next?: readonly string[]
}

const DAMAGED: Kind = {
  sqlite: [11, 26],
  system: [],
  code: 'sandbox_damaged',
  exitCode: EXIT.usage,
  outcome: 'none',
  words: (path) => `The sandbox's database is damaged: ${path}`,
  hint: '`pay sandbox reset` starts afresh and keeps the damaged file beside the new one.',
  next: ['pay sandbox reset'],
}

const DISK_FAULT: Kind = {
  sqlite: [10],
  system: ['EIO'],
  code: 'sandbox_disk',
  exitCode: EXIT.outcomeUnknown,
  outcome: 'unknown',
  words: (path) => `The disk did not take what the sandbox wrote: ${path}`,
  hint: 'Free some space, or set PAY_STATE_DIR to another disk.',
}

/** What SQLite's and the file system's errors mean, and what to do about them. Other errors stay as they are. */
const KINDS: readonly Kind[] = [
  DAMAGED,
  {
    sqlite: [8, 14],
    system: ['EACCES', 'ENOENT', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'],
    code: 'sandbox_not_writable',
    exitCode: EXIT.usage,
    outcome: 'none',
    words: (path) => `The sandbox cannot write its database: ${path}`,
    hint: 'Make the folder writable, or set PAY_STATE_DIR to another one.',
  },
  {
    sqlite: [5],
    system: [],
    code: 'sandbox_busy',
    exitCode: EXIT.notConnected,
    outcome: 'none',
    words: (path) => `Another process holds the sandbox's database: ${path}`,
    hint: 'Wait for it and try again.',
  },
  {
    sqlite: [13],
    system: ['ENOSPC'],
    code: 'sandbox_disk_full',
    exitCode: EXIT.serverFault,
    outcome: 'none',
    words: (path) => `The disk is full; nothing was written to the sandbox's database: ${path}`,
    hint: 'Free some space, or set PAY_STATE_DIR to another disk.',
  },
  DISK_FAULT,
]

const DATABASE_CODES: ReadonlySet<string> = new Set(['sandbox_newer', ...KINDS.map((kind) => kind.code)])

export function toDatabaseError(error: unknown, path: string): unknown {
  if (error instanceof PayError || !(error instanceof Error)) return error
  const code = systemCode(error) ?? ''
  // The lowest byte of an extended result code is the result code: https://sqlite.org/rescode.html#pve
  const sqlite = 'errcode' in error ? Number(error.errcode) & 0xff : 0
  const kind = KINDS.find((each) => each.sqlite.includes(sqlite) || each.system.includes(code))
  return kind === undefined ? error : worded(kind, path, error)
}

const worded = ({ code, exitCode, words, hint, next, outcome }: Kind, path: string, cause?: unknown) =>
  new PayError(code, exitCode, words(path), { hint, next, outcome, cause })

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
export const rolledBack = (path: string, cause: unknown) => worded(DISK_FAULT, path, cause)

/** A document in it that nobody can read. */
export const unreadableDocument = (cause?: unknown) =>
  new PayError('sandbox_damaged', EXIT.usage, "A document in the sandbox's database is damaged", {
    hint: '`pay sandbox reset` starts afresh and keeps the damaged file beside the new one.',
    ...RESET,
    cause,
  })

export const damaged = (path: string) => worded(DAMAGED, path)
