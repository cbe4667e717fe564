import { systemCode } from '../files/system-code.ts'

/** What SQLite's errors say: https://sqlite.org/rescode.html */

/** The result code of an error, or of its cause. The lowest byte of an extended code is the code itself. */
export function resultCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  if ('errcode' in error) return Number(error.errcode) & 0xff
  return CODES_OF_MESSAGES[error.message] ?? resultCodeOf(error.cause)
}

/** The library in the place of Node's SQLite leaves the code out where it reads many rows. */
const CODES_OF_MESSAGES: Readonly<Record<string, number>> = {
  'database is locked': 5,
  'disk I/O error': 10,
  'database disk image is malformed': 11,
  'file is not a database': 26,
}

/** SQLITE_BUSY and SQLITE_LOCKED. */
export const isLocked = (error: unknown): boolean => [5, 6].includes(resultCodeOf(error) ?? 0)

/**
 * Whether the file can't be read as what was written to it: SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CONSTRAINT (an index
 * contradicts its table) and SQLITE_ERROR (so does the schema). Or Node refuses to read a number of more than 53 bits.
 */
export const isDamage = (error: unknown): boolean =>
  [11, 26, 19, 1].includes(resultCodeOf(error) ?? 0) || systemCode(error) === 'ERR_OUT_OF_RANGE'

/** The file system's name for a result code. */
export const systemNameOf = (error: unknown): string | undefined => SYSTEM_CODES[resultCodeOf(error) ?? 0]

const SYSTEM_CODES: Readonly<Record<number, string>> = {
  3: 'EACCES',
  8: 'EROFS',
  10: 'EIO',
  13: 'ENOSPC',
  14: 'EACCES',
}
