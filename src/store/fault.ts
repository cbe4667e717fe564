import { systemCode } from '../files/system-code.ts'

/**
 * What an error of SQLite, or of the file system under it, means:
 * - `damaged`: the file is no database, or not a readable one.
 * - `inconsistent`: it can be read, but not as what was written to it.
 * - `locked`: another process is in the way.
 * - otherwise the file system's name for it, such as `ENOSPC`.
 */
export type Fault = 'damaged' | 'inconsistent' | 'locked' | `E${string}`

/** SQLite's result codes: https://sqlite.org/rescode.html */
const FAULTS: Readonly<Record<number, Fault>> = {
  // SQLITE_ERROR and SQLITE_CONSTRAINT: the schema, or an index, contradicts its table.
  1: 'inconsistent',
  19: 'inconsistent',
  3: 'EACCES',
  5: 'locked',
  6: 'locked',
  8: 'EROFS',
  10: 'EIO',
  11: 'damaged',
  13: 'ENOSPC',
  14: 'EACCES',
  26: 'damaged',
}

/** The meaning of an error; undefined for an error of another kind, or without a meaning to its user. */
export function faultOf(error: unknown): Fault | undefined {
  const result = resultCodeOf(error)
  if (result !== undefined) return FAULTS[result]
  const code = systemCode(error)
  // Node refuses to read a number of more than 53 bits.
  if (code === 'ERR_OUT_OF_RANGE') return 'inconsistent'
  return code !== undefined && isSystemName(code) ? code : undefined
}

/** Node's own codes begin with `ERR_`. */
const isSystemName = (code: string): code is `E${string}` => /^E(?!RR_)/.test(code)

/** What to do about a disk that takes nothing; undefined for other faults. `variable` names the folder on another disk. */
export const diskRemedy = (fault: string, variable: string): string | undefined =>
  DISK_FAULTS[fault] === undefined ? undefined : `${DISK_FAULTS[fault]} set ${variable} to another folder.`

const DISK_FAULTS: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: free some space, or',
  EDQUOT: 'Your disk quota is used up: free some space, or',
  EROFS: 'The disk is read-only:',
}

/** Whether SQLite reported the error. */
export const isSqliteError = (error: unknown): boolean => resultCodeOf(error) !== undefined

/** The result code of an error, or of its cause. The lowest byte of an extended code is the code itself. */
function resultCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  if ('errcode' in error) return Number(error.errcode) & 0xff
  return CODES_OF_MESSAGES[error.message] ?? resultCodeOf(error.cause)
}

/** The codes of errors without one: the library in the place of Node's SQLite leaves it out where it reads many rows. */
const CODES_OF_MESSAGES: Readonly<Record<string, number>> = {
  'database is locked': 5,
  'disk I/O error': 10,
  'database disk image is malformed': 11,
  'file is not a database': 26,
}
