import { isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json'
import { refuseDeepNesting, refuseDuplicatesAndDepth } from './check.ts'
import { buildValue } from './exact.ts'
import { integerOf } from './integer.ts'
import { JsonError } from './json-error.ts'
import { isPlain, parsePlain } from './plain.ts'

interface ParseOptions {
  readonly duplicateKeys?: 'refuse' | 'last'
  /** `by-value` reads `100.0` and `1e2` as the integer 100; else they keep their digits, as whatever is sent on has to. */
  readonly integers?: 'as-written' | 'by-value'
}

/**
 * Parses JSON without losing a digit: a number where JavaScript writes it back as the same text, a bigint for another
 * integer, a `LosslessNumber` (the text itself) for the rest. `__proto__` is a key like any other.
 * A key given twice is an error in what a person writes; `duplicateKeys: 'last'` is for answers, which are what they are.
 * @throws {JsonError} when it is no JSON, an object has a key twice, or it is nested too deep
 */
export function parseJson(
  text: string,
  { duplicateKeys = 'refuse', integers = 'as-written' }: ParseOptions = {},
): unknown {
  const bare = text.startsWith('\uFEFF') ? text.slice(1) : text
  const plain = parsePlain(bare, { refuseDuplicates: duplicateKeys === 'refuse' })
  if (plain !== undefined) return plain.value
  if (bare.trim() === '') throw new JsonError('No JSON: the text is empty', bare, 0)
  if (duplicateKeys === 'refuse') refuseDuplicatesAndDepth(bare)
  else refuseDeepNesting(bare)
  const toNumber =
    integers === 'by-value' ? (digits: string) => integerOf(digits) ?? parseNumber(digits) : parseNumber
  if (isJson(bare)) return buildValue(bare, toNumber)
  try {
    return parse(bare, undefined, { parseNumber: toNumber, onDuplicateKey: ({ newValue }) => newValue })
  } catch (error) {
    throw wordError(error, bare)
  }
}

/** The engine tells it much faster than the library, which knows the place of the error. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Writes JSON; bigints and lossless numbers with every digit. `indent` in spaces, 0 for one line. */
export function stringifyJson(value: unknown, indent = 0): string {
  const text = isPlain(value) ? JSON.stringify(value, undefined, indent) : stringify(value, undefined, indent)
  return text ?? 'null'
}

/** As the library tells them, without loading it: whoever holds one has loaded it already. */
export const isLosslessNumber = (value: unknown): value is LosslessNumber =>
  typeof value === 'object' &&
  value !== null &&
  'isLosslessNumber' in value &&
  value.isLosslessNumber === true

/** The number that a `LosslessNumber` stands for, where no digit is lost: `1.10` is 1.1. */
export function plainNumber(value: LosslessNumber): number | undefined {
  const digits = value.toString()
  return isSafeNumber(digits) ? Number(digits) : undefined
}

/** JavaScript writes no number longer than that: `-1.2345678901234567e-300`. */
const LONGEST_NUMBER = 25

const MAX_BIGINT_DIGITS = 1_000

function parseNumber(digits: string): unknown {
  if (digits.length <= LONGEST_NUMBER && String(Number(digits)) === digits) return Number(digits)
  // BigInt has no negative zero, and takes a second for a million digits.
  if (digits.length <= MAX_BIGINT_DIGITS && /^-?\d+$/.test(digits) && digits !== '-0') return BigInt(digits)
  return new LosslessNumber(digits)
}

/** The parser says `… at position 12`; a person counts lines. */
function wordError(error: unknown, text: string): JsonError {
  const message = error instanceof Error ? error.message : String(error)
  const found = /^(?<what>.*?),? at position (?<position>\d+)$/s.exec(message)?.groups
  return new JsonError(`No JSON: ${found?.['what'] ?? message}`, text, Number(found?.['position'] ?? 0), {
    cause: error,
  })
}
