import { endOf } from './tokens.ts'

/** Reads JSON text that JSON.parse has accepted, so nothing is checked again. */

const [QUOTE, MINUS, ZERO, NINE, COLON] = [0x22, 0x2d, 0x30, 0x39, 0x3a]
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d]
const SEPARATORS = /[ \t\n\r,:]*/y
const NUMBER_OR_LITERAL = /[-+.\w]+/y

/** How deep the text nests, how many keys it has, and whether all its numbers, as written, match. */
export function scanJson(
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
 * Like JSON.parse, with numbers as `parseNumber` reads them. The text must not be nested deeply.
 * `onSecond` is called for a key that its object has before, with both values and the key's offset.
 */
export function parseValidJson(
  text: string,
  parseNumber: (digits: string) => unknown,
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
    return /[-\d]/.test(first) ? parseNumber(scalar) : JSON.parse(scalar)
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
