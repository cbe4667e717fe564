import { isLosslessNumber, isSafeNumber, LosslessNumber, stringify } from 'lossless-json'
import { JsonError, locateJsonError, MAX_DEPTH } from './json-error.ts'
import { endOf } from './tokens.ts'

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
 * A key with an escape. V8 13.6 (Node 24) can read such a key as another one: `{"x":1,"\u0061":2}` after `{"x":1,"\\":2}`
 * has the key `\`. Values with quotes before a colon match too, which costs only time.
 */
const ESCAPE_IN_KEY = /\\.[^"\\]*"[ \t\r\n]*:/

/** The number of keys in the value and all that is in it. */
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

/** The most digits of an integer, far more than any amount needs. Keeps `1e999999999` from becoming a billion digits. */
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

const [QUOTE, MINUS, ZERO, NINE, COLON] = [0x22, 0x2d, 0x30, 0x39, 0x3a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
const SEPARATORS = /[ \t\n\r,:]*/y
const NUMBER_OR_LITERAL = /[-+.\w]+/y

/** Reads valid JSON: how deep it nests, how many keys it has, and whether all its numbers, as written, match. */
function scanJson(
  text: string,
  matches: (digits: string) => boolean,
): { readonly depth: number; readonly keys: number; readonly allMatch: boolean } {
  let [depth, open, keys] = [0, 0, 0]
  let allMatch = true
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = closingQuote(text, at)
    else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth = Math.max(depth, (open += 1))
    else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) open -= 1
    else if (unit === COLON) keys += 1
    else if (unit === MINUS || (unit >= ZERO && unit <= NINE)) {
      const end = endOf(NUMBER_OR_LITERAL, text, at)
      allMatch &&= matches(text.slice(at, end))
      at = end - 1
    }
  }
  return { depth, keys, allMatch }
}

/**
 * Parses text that JSON.parse has accepted, with numbers as `toNumber` reads them. The text must not be nested deeply.
 * `onSecond` is called for a key that its object has before, with both values and the key's offset.
 */
function parseValidJson(
  text: string,
  toNumber: (digits: string) => unknown,
  onSecond?: (key: string, values: readonly [unknown, unknown], position: number) => void,
): unknown {
  let at = 0
  return readValue()

  function readValue(): unknown {
    skipSeparators()
    const start = at
    const first = text[at] ?? ''
    if (first === '{') return readObject()
    if (first === '[') return readArray()
    at = first === '"' ? closingQuote(text, at) + 1 : endOf(NUMBER_OR_LITERAL, text, at)
    const scalar = text.slice(start, at)
    return /[-\d]/.test(first) ? toNumber(scalar) : JSON.parse(scalar)
  }

  function readArray(): readonly unknown[] {
    const entries: unknown[] = []
    for (enter(); text[at] !== ']'; skipSeparators()) entries.push(readValue())
    at += 1
    return entries
  }

  function readObject(): Readonly<Record<string, unknown>> {
    const fields: Record<string, unknown> = {}
    for (enter(); text[at] !== '}'; skipSeparators()) {
      const start = at
      const name = String(readValue())
      const value = readValue()
      if (onSecond !== undefined && Object.hasOwn(fields, name)) onSecond(name, [fields[name], value], start)
      // An assignment would set the prototype.
      if (name !== '__proto__') fields[name] = value
      else
        Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true })
    }
    at += 1
    return fields
  }

  function enter(): void {
    at += 1
    skipSeparators()
  }

  function skipSeparators(): void {
    at = endOf(SEPARATORS, text, at)
  }
}

/** The first quote after an even number of backslashes. */
function closingQuote(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let before = at
    while (text[before - 1] === '\\') before -= 1
    if ((at - before) % 2 === 0) return at
  }
}
