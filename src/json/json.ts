import { isLosslessNumber, isSafeNumber, LosslessNumber, stringify } from 'lossless-json'
import { locateJsonError, MAX_DEPTH } from './json-error.ts'
import { JsonError } from './json-error.ts'
import { parseValidJson, scanJson } from './valid-json.ts'

export { isLosslessNumber }

type ParseOptions =
  /** For responses. */
  | { readonly duplicateKeys: 'last' }
  /** `by-value` reads `100.0` and `1e2` as the integer 100; `as-written` keeps the digits, for JSON that is sent on. */
  | { readonly duplicateKeys?: 'refuse'; readonly integers?: 'as-written' | 'by-value' }

/**
 * Parses JSON without losing a digit: a number if JavaScript writes it back as the same text, a bigint for other integers, a
 * `LosslessNumber` (the text itself) for the rest. `__proto__` is a key like any other.
 * A key with two different values is an error, in user input; in responses the last one counts.
 * @throws {JsonError} for invalid JSON, a key with two values, or nesting deeper than {@link MAX_DEPTH}
 */
export function parseJson(text: string, options: ParseOptions = {}): unknown {
  const withoutBom = text.startsWith('\uFEFF') ? text.slice(1) : text
  try {
    return readJson(withoutBom, options)
  } catch (error) {
    // JSON.parse gives the position only inside a message.
    throw error instanceof JsonError ? error : locateJsonError(withoutBom, error)
  }
}

/** The JSON of a response; undefined if it is none. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return parseJson(text, { duplicateKeys: 'last' })
  } catch {
    return undefined
  }
}

function readJson(text: string, options: ParseOptions): unknown {
  const numberOf =
    options.duplicateKeys !== 'last' && options.integers === 'by-value' ? parseByValue : parseNumber
  const value: unknown = JSON.parse(text)
  const { depth, keys, allMatch } = scanJson(text, (digits) => Object.is(numberOf(digits), Number(digits)))
  if (depth > MAX_DEPTH) throw locateJsonError(text)
  const isExact = allMatch && !ESCAPE_IN_KEY.test(text)
  if (options.duplicateKeys === 'last') return isExact ? value : parseValidJson(text, numberOf)
  if (isExact && countKeys(value) === keys) return value
  return parseValidJson(text, numberOf, (key, [first, second], position) => {
    if (stringifyJson(first) === stringifyJson(second)) return
    throw new JsonError(`Key ${JSON.stringify(key)} is given twice: the second one`, text, position)
  })
}

/** A key that an object in the JSON of a response has twice, with different values; undefined if there is none. */
export function repeatedKeyIn(text: string): string | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const { depth, keys } = scanJson(text, () => true)
  if (depth > MAX_DEPTH || keys === countKeys(value)) return undefined
  let repeated: string | undefined
  parseValidJson(text, parseNumber, (key, [first, second]) => {
    if (stringifyJson(first) !== stringifyJson(second)) repeated ??= key
  })
  return repeated
}

/**
 * V8 13.6 (Node 24) can read such a key as another one: `{"x":1,"\u0061":2}` after `{"x":1,"\\":2}` has the key `\`. Values with
 * quotes before a colon match too, which costs only time.
 */
const ESCAPE_IN_KEY = /\\.[^"\\]*"[ \t\r\n]*:/

/** In the value and all that is in it. */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const entries = Object.values(value)
  let keys = Array.isArray(value) ? 0 : entries.length
  for (const entry of entries) keys += countKeys(entry)
  return keys
}

const parseByValue = (digits: string): unknown => parseInteger(digits) ?? parseNumber(digits)

/** Writes JSON with every digit of bigints and lossless numbers. `indent` is in spaces; 0 gives one line. */
export const stringifyJson = (value: unknown, indent = 0): string =>
  // Without such numbers, JavaScript writes the same text in a quarter of the time.
  (holdsExactNumber(value)
    ? stringify(value, undefined, indent)
    : JSON.stringify(value, undefined, indent)) ?? 'null'

function holdsExactNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint'
  return isLosslessNumber(value) || Object.values(value).some(holdsExactNumber)
}

/** A `LosslessNumber` as a number if no digit is lost (`1.10` is 1.1), else undefined. */
export function toPlainNumber(value: LosslessNumber): number | undefined {
  const digits = value.toString()
  return isSafeNumber(digits) ? Number(digits) : undefined
}

/** The longest text of a JavaScript number: `-1.2345678901234567e-300`. */
const MAX_NUMBER_LENGTH = 25

const MAX_BIGINT_DIGITS = 1_000

/** Whether JavaScript writes the number back as the same text. */
const isExact = (digits: string): boolean =>
  digits.length <= MAX_NUMBER_LENGTH && String(Number(digits)) === digits

function parseNumber(digits: string): unknown {
  if (isExact(digits)) return Number(digits)
  // BigInt has no negative zero, and needs a second for a million digits.
  if (digits.length <= MAX_BIGINT_DIGITS && /^-?\d+$/.test(digits) && digits !== '-0') return BigInt(digits)
  return new LosslessNumber(digits)
}

/** Far more than any amount needs. Keeps `1e999999999` from becoming a billion digits. */
const MAX_DIGITS = 1_000

/**
 * The exact integer value of a JSON number: 100 for `100.0` and `1e2`, which JSON Schema counts as integers. Undefined for
 * other numbers, or with more than `MAX_DIGITS` digits.
 */
export function parseInteger(digits: string): number | bigint | undefined {
  if (digits.length > MAX_DIGITS) return undefined
  const [, sign = '', whole, fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(digits) ?? []
  if (whole === undefined) return undefined
  const written = (whole + fraction).replace(/^0+/, '')
  const [significant = ''] = /^\d*[1-9]/.exec(written) ?? []
  if (significant === '') return 0
  const zeros = written.length - significant.length - fraction.length + Number(exponent)
  if (zeros < 0 || significant.length + zeros > MAX_DIGITS) return undefined
  const integer = BigInt(`${sign}${significant}${'0'.repeat(zeros)}`)
  return BigInt.asIntN(54, integer) === integer && Number.isSafeInteger(Number(integer))
    ? Number(integer)
    : integer
}
