/** A piece of JSON text: a string with its quotes, a number or a word, or one of `{ } [ ] : ,`. */
export interface JsonToken {
  readonly kind: 'string' | 'scalar' | 'mark'
  readonly start: number
  readonly end: number
}

const SPACE = 1
const MARK = 2
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** By character code: most text is looked at a character at a time, and it can be megabytes. */
const KINDS = new Uint8Array(128)
for (const space of ' \t\n\r') KINDS[space.charCodeAt(0)] = SPACE
for (const mark of '{}[]:,') KINDS[mark.charCodeAt(0)] = MARK

/** Cuts JSON text into its tokens without judging the grammar: what is no JSON comes out as scalars. */
export function* readTokens(text: string): Generator<JsonToken, void> {
  let at = 0
  while (at < text.length) {
    const first = text.charCodeAt(at)
    if (KINDS[first] === SPACE) {
      at += 1
    } else if (KINDS[first] === MARK) {
      yield { kind: 'mark', start: at, end: at + 1 }
      at += 1
    } else {
      const end = first === QUOTE ? stringEnd(text, at) : scalarEnd(text, at)
      yield { kind: first === QUOTE ? 'string' : 'scalar', start: at, end }
      at = end
    }
  }
}

function scalarEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE || (KINDS[code] ?? 0) !== 0) return at
  }
  return text.length
}

/** By hand and not by a regular expression: a string may be megabytes long. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at += 1
    else if (code === QUOTE) return at + 1
  }
  return text.length
}
