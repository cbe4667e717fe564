import { isLosslessNumber, isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json'
import { locateJsonError, MAX_DEPTH } from './json-error.ts'
import { JsonError } from './json-error.ts'

export { isLosslessNumber }

interface ParseOptions {
  readonly duplicateKeys?: 'refuse' | 'last'
  /** `by-value` reads `100.0` and `1e2` as the integer 100; `as-written` keeps the digits, for JSON that is sent on. */
  readonly integers?: 'as-written' | 'by-value'
}

/**
 * Parses JSON without losing a digit: a number if JavaScript writes it back as the same text, a bigint for other integers, a
 * `LosslessNumber` (the text itself) for the rest. `__proto__` is a key like any other.
 * A key with two different values is an error in user input; `duplicateKeys: 'last'` is for responses.
 * @throws {JsonError} for invalid JSON, a key with two values, or nesting deeper than {@link MAX_DEPTH}
 */
export function parseJson(
  text: string,
  { duplicateKeys = 'refuse', integers = 'as-written' }: ParseOptions = {},
): unknown {
  const withoutBom = text.startsWith('\uFEFF') ? text.slice(1) : text
  const value = parseWhole(withoutBom, {
    parseNumber:
      integers === 'by-value' ? (digits) => parseInteger(digits) ?? parseNumber(digits) : parseNumber,
    onDuplicateKey: ({ key, position, newValue }) => {
      if (duplicateKeys === 'last') return newValue
      // The library counts from 1.
      throw new JsonError(
        `Key ${JSON.stringify(key)} is given twice: the second one`,
        withoutBom,
        position - 1,
      )
    },
  })
  if (isDeeperThan(MAX_DEPTH, value)) throw locateJsonError(withoutBom)
  return value
}

/** The library gives the position only inside its message, and overflows the stack on very deep nesting. */
function parseWhole(text: string, options: Parameters<typeof parse>[2]): unknown {
  try {
    return parse(text, undefined, options)
  } catch (error) {
    throw error instanceof JsonError ? error : locateJsonError(text, error)
  }
}

const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)))

/** Writes JSON with every digit of bigints and lossless numbers. `indent` is in spaces; 0 gives one line. */
export const stringifyJson = (value: unknown, indent = 0): string =>
  stringify(value, undefined, indent) ?? 'null'

/** A `LosslessNumber` as a number if no digit is lost (`1.10` is 1.1), else undefined. */
export function toPlainNumber(value: LosslessNumber): number | undefined {
  const digits = value.toString()
  return isSafeNumber(digits) ? Number(digits) : undefined
}

/** The longest text of a JavaScript number: `-1.2345678901234567e-300`. */
const MAX_NUMBER_LENGTH = 25

const MAX_BIGINT_DIGITS = 1_000

function parseNumber(digits: string): unknown {
  if (digits.length <= MAX_NUMBER_LENGTH && String(Number(digits)) === digits) return Number(digits)
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
  const significant = written.replace(/0+$/, '')
  if (significant === '') return 0
  const zeros = written.length - significant.length - fraction.length + Number(exponent)
  if (zeros < 0 || significant.length + zeros > MAX_DIGITS) return undefined
  const integer = BigInt(`${sign}${significant}${'0'.repeat(zeros)}`)
  return BigInt.asIntN(54, integer) === integer && Number.isSafeInteger(Number(integer))
    ? Number(integer)
    : integer
}
