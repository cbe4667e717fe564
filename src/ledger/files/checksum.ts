import { hash } from 'node:crypto'

/** What `pay` writes of a record is a JSON object whose last field is a checksum of the exact text of the others. */

const BEFORE_SUM = ',"checksum":"'
const SUM_LENGTH = 32
const AFTER_SUM = '"}'
const TAIL_LENGTH = BEFORE_SUM.length + SUM_LENGTH + AFTER_SUM.length

/**
 * Enough to recognize damage; it is no protection against somebody who means to change a record.
 * In one call: a list checks a hundred thousand of them, and that takes half the time of an object for each.
 */
const sumOf = (text: string): string => hash('sha256', text, 'hex').slice(0, SUM_LENGTH)

/** Adds the checksum to a JSON object that has at least one field. */
export const sealed = (json: string): string => `${json.slice(0, -1)}${BEFORE_SUM}${sumOf(json)}${AFTER_SUM}`

/** The JSON object without its checksum; undefined where that does not match, or is not there. */
export function unsealed(line: string): string | undefined {
  // Somebody's copy may have the line ends of Windows.
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  const start = text.length - TAIL_LENGTH
  if (start < 0 || !text.startsWith(BEFORE_SUM, start) || !text.endsWith(AFTER_SUM)) return undefined
  const json = `${text.slice(0, start)}}`
  return text.startsWith(sumOf(json), start + BEFORE_SUM.length) ? json : undefined
}
