/** A token of JSON text, as offsets. */
export interface JsonToken {
  /** A punctuation mark, or: `"` for a string with its quotes, `0` for a number or literal, `!` for an error, always last. */
  readonly kind: (typeof PUNCTUATION)[number] | '0' | '!'
  readonly start: number
  readonly end: number
}

const PUNCTUATION = ['"', '{', '}', '[', ']', ':', ','] as const
const SPACE = /[ \t\n\r]*/y
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
// Matched in pieces: one pattern over a long string overflows the stack.
const STRING_PIECE = /[ !#-[\]-\uffff]+|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y

/** Splits JSON text into tokens without checking their order. */
export function* readTokens(text: string): Generator<JsonToken, void> {
  for (let at = endOf(SPACE, text, 0); at < text.length; at = endOf(SPACE, text, at)) {
    const first = text.charAt(at)
    const kind = PUNCTUATION.find((mark) => mark === first) ?? '0'
    const inside = kind === '"' ? endOfString(text, at) : at
    const end = kind === '0' ? endOf(SCALAR, text, at) : inside + 1
    yield { kind, start: at, end }
    if (end === at || (kind === '"' && !text.startsWith(kind, inside))) {
      yield { kind: '!', start: inside, end: inside }
      return
    }
    at = end
  }
}

/** Where a sticky pattern ends that starts here; `start` if it doesn't match. */
export function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : start
}

/** Where the closing quote should be. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  for (let next = endOf(STRING_PIECE, text, at); next > at; next = endOf(STRING_PIECE, text, at)) at = next
  return at
}
