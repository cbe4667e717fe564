import { refuseDeepNesting } from './check.ts'
import { JsonError } from './json-error.ts'
import { parseJson } from './json.ts'
import { readTokens } from './tokens.ts'

/**
 * Lays JSON text out anew, token by token: the order of fields, keys given twice, the digits of numbers and the escapes
 * of strings stay as they were written. `indent` 0 is one line without spaces.
 * @throws {JsonError} when the text is no JSON or nested too deep
 */
export function reformatJson(text: string, indent: 0 | 2): string {
  const source = checkedJson(text)
  const newLine = (depth: number) => (indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`)
  const out: string[] = []
  let depth = 0
  let isJustOpened = false
  for (const { start, end } of readTokens(source)) {
    const token = source.slice(start, end)
    const isClosing = token === '}' || token === ']'
    if (isClosing) depth -= 1
    if (isClosing !== isJustOpened) out.push(newLine(depth))
    isJustOpened = token === '{' || token === '['
    if (isJustOpened) depth += 1
    out.push(token)
    if (token === ',') out.push(newLine(depth))
    if (token === ':' && indent > 0) out.push(' ')
  }
  return out.join('')
}

/** Whether a text is JSON that {@link reformatJson} takes. */
export function isJson(text: string): boolean {
  try {
    checkedJson(text)
    return true
  } catch {
    return false
  }
}

/**
 * The entries of a top-level array, or of the array under `key` of a top-level object, each as its own text on one line.
 * Undefined where there is no such array.
 * @throws {JsonError} when the text is no JSON or nested too deep
 */
export function jsonItems(text: string, key: string): readonly string[] | undefined {
  const source = checkedJson(text)
  const tokens = Array.from(readTokens(source), ({ start, end }) => source.slice(start, end))
  const open = tokens[0] === '[' ? 0 : arrayUnder(tokens, key)
  return open === undefined ? undefined : entriesFrom(tokens, open + 1)
}

/** Where the array under a top-level key opens; for a key given twice the last counts, as in every reader of JSON. */
function arrayUnder(tokens: readonly string[], key: string): number | undefined {
  let depth = 0
  let found: number | undefined
  for (const [index, token] of tokens.entries()) {
    depth += stepOf(token)
    if (depth !== 1 || tokens[index + 1] !== ':' || JSON.parse(token) !== key) continue
    found = tokens[index + 2] === '[' ? index + 2 : undefined
  }
  return found
}

function entriesFrom(tokens: readonly string[], first: number): readonly string[] {
  const entries: string[] = []
  let entry: string[] = []
  let depth = 0
  for (const token of tokens.slice(first)) {
    const isEnd = depth === 0 && token === ']'
    if (isEnd || (depth === 0 && token === ',')) {
      if (entry.length > 0) entries.push(entry.join(''))
      if (isEnd) break
      entry = []
      continue
    }
    depth += stepOf(token)
    entry.push(token)
  }
  return entries
}

const stepOf = (token: string) =>
  token === '{' || token === '[' ? 1 : token === '}' || token === ']' ? -1 : 0

function checkedJson(text: string): string {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  refuseDeepNesting(source)
  try {
    // The built-in parser is fast and takes keys given twice; its words name no line.
    JSON.parse(source)
  } catch (cause) {
    parseJson(source)
    throw new JsonError('No JSON', source, 0, { cause })
  }
  return source
}
