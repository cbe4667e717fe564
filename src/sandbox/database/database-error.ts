import { EXIT, PayError } from '../../errors.ts'
import type { ExitCode, Outcome } from '../../errors.ts'
import type { DatabaseErrors } from '../../store/database.ts'
import { faultOf } from '../../store/fault.ts'
import type { Fault } from '../../store/fault.ts'

interface Kind {
  readonly faults: readonly Fault[]
  readonly code: string
  readonly exitCode: ExitCode
  readonly outcome: Outcome
  readonly message: (path: string) => string
  readonly hint: string
  readonly next?: readonly string[]
}

const DAMAGED: Kind = {
  faults: ['damaged'],
  code: 'sandbox_damaged',
  exitCode: EXIT.usage,
  outcome: 'none',
  message: (path) => `The sandbox database is damaged: ${path}`,
  hint: '`pay sandbox reset` creates a new one and keeps the damaged file.',
  next: ['pay sandbox reset'],
}

const BUSY: Kind = {
  faults: ['locked'],
  code: 'sandbox_busy',
  exitCode: EXIT.notConnected,
  outcome: 'none',
  message: (path) => `Another process has locked the sandbox database: ${path}`,
  hint: 'Wait until it is done and try again.',
}

const DISK_FAULT: Kind = {
  faults: ['EIO'],
  code: 'sandbox_disk',
  exitCode: EXIT.outcomeUnknown,
  outcome: 'unknown',
  message: (path) => `The disk failed while the sandbox was writing: ${path}`,
  hint: 'Check the disk and its free space, or set PAY_STATE_DIR to another one.',
}

/** The errors of SQLite and the file system: what each means, and what to do about it. */
const KINDS: readonly Kind[] = [
  DAMAGED,
  {
    faults: ['EACCES', 'ENOENT', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'],
    code: 'sandbox_not_writable',
    exitCode: EXIT.usage,
    outcome: 'none',
    message: (path) => `The sandbox cannot write its database: ${path}`,
    hint: 'Make the folder writable, or use another one: set PAY_STATE_DIR, or give pay sandbox start --data.',
  },
  BUSY,
  {
    faults: ['ENOSPC'],
    code: 'sandbox_disk_full',
    exitCode: EXIT.serverFault,
    outcome: 'none',
    message: (path) => `The disk is full; nothing was written to the sandbox database: ${path}`,
    hint: 'Free some space, or set PAY_STATE_DIR to another disk.',
  },
  DISK_FAULT,
]

const DATABASE_CODES: ReadonlySet<string> = new Set([
  'sandbox_newer',
  'sandbox_older',
  ...KINDS.map((kind) => kind.code),
])

/** Explains a known error of SQLite or the file system; returns any other error unchanged. */
export function toDatabaseError(error: unknown, path: string): unknown {
  if (error instanceof PayError || !(error instanceof Error)) return error
  const fault = faultOf(error)
  const kind = KINDS.find(({ faults }) => fault !== undefined && faults.includes(fault))
  return kind === undefined ? error : errorOf(kind, path, error)
}

const errorOf = ({ code, exitCode, message, hint, next, outcome }: Kind, path: string, cause?: unknown) =>
  new PayError(code, exitCode, message(path), { hint, next, outcome, cause })

/** Whether the database itself failed, as opposed to refusing a request. */
export const isDatabaseFailure = (error: unknown): boolean =>
  error instanceof PayError && DATABASE_CODES.has(error.code)

/** Whether nothing can be written, although existing data may be readable. */
export const isUnwritable = (error: unknown): boolean =>
  error instanceof PayError && ['sandbox_disk_full', 'sandbox_not_writable'].includes(error.code)

/** Whether another process is in its transaction, so that ours hasn't begun. */
export const isBusy = (error: unknown): boolean => error instanceof PayError && error.code === 'sandbox_busy'

const RESET = { outcome: 'none', next: ['pay sandbox reset'] } as const
const KEPT = '`pay sandbox reset` creates a new database and keeps this file.'

export const newer = (path: string) =>
  new PayError('sandbox_newer', EXIT.usage, `${path} was written by a newer version of pay`, {
    hint: `Update pay, or use another folder. ${KEPT}`,
    ...RESET,
  })

export const older = (path: string) =>
  new PayError('sandbox_older', EXIT.usage, `${path} was written by an earlier version of pay`, {
    hint: KEPT,
    ...RESET,
  })

export const notSandboxDatabase = (path: string) =>
  new PayError('sandbox_damaged', EXIT.usage, `${path} is not a sandbox database`, {
    hint: KEPT,
    ...RESET,
  })

/** The errors of the database at a path. */
export const errorsOf = (path: string): DatabaseErrors => ({
  explain: (error) => toDatabaseError(error, path),
  isFailure: isDatabaseFailure,
  rolledBack: (cause) => errorOf(DISK_FAULT, path, cause),
})

/** The error for a stored document that can't be read. */
export const unreadableDocument = (cause?: unknown) =>
  new PayError('sandbox_damaged', EXIT.usage, 'A document in the sandbox database is damaged', {
    hint: '`pay sandbox reset` creates a new one and keeps the damaged file.',
    ...RESET,
    cause,
  })

export const damaged = (path: string) => errorOf(DAMAGED, path)
