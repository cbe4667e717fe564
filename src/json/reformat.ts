import { jsonOrUndefined, parseJson } from './json.ts'
import { readTokens } from './tokens.ts'

/** Whether a response body is JSON. The other functions here require it. */
export const isJson = (text: string): boolean => jsonOrUndefined(text) !== undefined

/** The most pieces to collect before they are joined: the pieces of a long text take many times its memory. */
const MAX_PIECES = 10_000

/** The deepest level that is indented: 200 levels could take 200 times the text. */
const MAX_INDENTED_DEPTH = 20

/**
 * Reformats JSON text. Keeps the order of fields (JavaScript would put `"10"` before `"a"`), duplicate keys, the digits of
 * numbers and the escapes of strings. `indent` 0 gives one line without spaces.
 */
export function reformatJson(text: string, indent: 0 | 2): string {
  const newLine = (depth: number) =>
    indent === 0 ? '' : `\n${' '.repeat(indent * Math.min(depth, MAX_INDENTED_DEPTH))}`
  let formatted = ''
  let out: string[] = []
  let depth = 0
  let isJustOpened = false
  for (const token of tokensOf(text)) {
    const isClosing = token === '}' || token === ']'
    if (isClosing) depth -= 1
    if (isClosing !== isJustOpened) out.push(newLine(depth))
    isJustOpened = token === '{' || token === '['
    if (isJustOpened) depth += 1
    out.push(token)
    if (token === ',') out.push(newLine(depth))
    if (token === ':' && indent > 0) out.push(' ')
    if (out.length < MAX_PIECES) continue
    formatted += out.join('')
    out = []
  }
  return formatted + out.join('')
}

/**
 * The entries of a top-level array, or of the array under `key` of a top-level object, each as one line of text. Undefined
 * without such an array. Of duplicate keys the last counts, as in JSON parsers. Takes slices of the text: a piece for each token
 * would take many times its memory.
 */
export function splitJsonItems(text: string, key: string): readonly string[] | undefined {
  const source = withoutMark(text)
  let items: string[] | undefined
  let [depth, inside] = [0, 0]
  let [entry, from, to] = ['', 0, 0]
  let [before, isUnderKey] = ['', false]
  for (const { kind, start, end } of readTokens(source)) {
    const isOpening = kind === '{' || kind === '['
    const isClosing = kind === '}' || kind === ']'
    if (inside > 0 && depth === inside && (kind === ',' || kind === ']')) {
      const last = entry + source.slice(from, to)
      if (last !== '') items?.push(last)
      entry = ''
      from = end
      to = end
      if (kind === ']') inside = 0
    } else if (inside > 0) {
      // White space between two tokens is left out.
      if (start !== to) {
        entry += source.slice(from, to)
        from = start
      }
      to = end
    } else if (isUnderKey || (depth === 0 && kind === '[' && items === undefined)) {
      items = kind === '[' ? [] : undefined
      inside = kind === '[' ? depth + 1 : 0
      from = end
      to = end
    }
    depth += isOpening ? 1 : isClosing ? -1 : 0
    isUnderKey = inside === 0 && depth === 1 && kind === ':' && parseJson(before) === key
    before = kind === '"' && depth === 1 && inside === 0 ? source.slice(start, end) : before
  }
  return items
}

/** Whether a top-level object has a key more than once. Parsers take the last one without a word. */
export function isKeyGivenTwice(text: string, key: string): boolean {
  const quoted = JSON.stringify(key)
  // True of most texts. Escapes could spell the key in another way.
  if (text.indexOf(quoted) === text.lastIndexOf(quoted) && !text.includes('\\u')) return false
  let [depth, times] = [0, 0]
  let before = ''
  for (const token of tokensOf(text)) {
    depth += stepOf(token)
    if (depth === 1 && token === ':' && parseJson(before) === key) times += 1
    before = token
  }
  return times > 1
}

const stepOf = (token: string) =>
  token === '{' || token === '[' ? 1 : token === '}' || token === ']' ? -1 : 0

function* tokensOf(text: string): Generator<string, void> {
  const source = withoutMark(text)
  for (const { start, end } of readTokens(source)) yield source.slice(start, end)
}

const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text)
