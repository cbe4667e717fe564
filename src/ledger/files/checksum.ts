import { hash } from 'node:crypto'

/** Stored records end with a `checksum` field: a hash of the exact JSON text of the record without that field. */

const BEFORE_SUM = ',"checksum":"'
const SUM_LENGTH = 32
const AFTER_SUM = '"}'
const TAIL_LENGTH = BEFORE_SUM.length + SUM_LENGTH + AFTER_SUM.length

/**
 * Detects damage, not deliberate changes. The one-shot `hash` takes half the time of a hash object, which matters for lists
 * of a hundred thousand records.
 */
const sumOf = (text: string): string => hash('sha256', text, 'hex').slice(0, SUM_LENGTH)

/** Adds the checksum to a JSON object that has at least one field. */
export const withChecksum = (json: string): string =>
  `${json.slice(0, -1)}${BEFORE_SUM}${sumOf(json)}${AFTER_SUM}`

/** The JSON object without its checksum; undefined when the checksum is missing or does not match. */
export function withoutChecksum(line: string): string | undefined {
  // A copied file may have Windows line endings.
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  const start = text.length - TAIL_LENGTH
  if (start < 0 || !text.startsWith(BEFORE_SUM, start) || !text.endsWith(AFTER_SUM)) return undefined
  const json = `${text.slice(0, start)}}`
  return text.startsWith(sumOf(json), start + BEFORE_SUM.length) ? json : undefined
}
