/** A piece of JSON text: a string with its quotes, a number or a word, or one of `{ } [ ] : ,`. */
export interface JsonToken {
  readonly kind: 'string' | 'scalar' | 'mark'
  readonly start: number
  readonly end: number
}

const SPACE = new Set([' ', '\t', '\n', '\r'])
const MARKS = new Set(['{', '}', '[', ']', ':', ','])

/** Cuts JSON text into its tokens without judging the grammar: what is no JSON comes out as scalars. */
export function* readTokens(text: string): Generator<JsonToken, void> {
  let at = 0
  while (at < text.length) {
    const first = text.charAt(at)
    if (SPACE.has(first)) {
      at += 1
      continue
    }
    const end = tokenEnd(text, at, first)
    yield { kind: first === '"' ? 'string' : MARKS.has(first) ? 'mark' : 'scalar', start: at, end }
    at = end
  }
}

function tokenEnd(text: string, start: number, first: string): number {
  if (first === '"') return stringEnd(text, start)
  if (MARKS.has(first)) return start + 1
  let end = start + 1
  while (end < text.length && !isBoundary(text.charAt(end))) end += 1
  return end
}

const isBoundary = (sign: string) => SPACE.has(sign) || MARKS.has(sign) || sign === '"'

/** By hand and not by a regular expression: a string may be megabytes long. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const sign = text.charAt(at)
    if (sign === '\\') at += 1
    else if (sign === '"') return at + 1
  }
  return text.length
}
