import { readTokens } from './tokens.ts'
import type { JsonToken } from './tokens.ts'

/** Invalid JSON. The message ends with the place: `… at line 2, column 5`. */
export class JsonError extends Error {
  /** The message without the place. */
  readonly reason: string
  /** Offset into the text, from 0. */
  readonly position: number
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number

  constructor(reason: string, text: string, position: number, options?: ErrorOptions) {
    const { line, column } = locate(text, position)
    super(`${reason} at line ${line}, column ${column}`, options)
    this.name = 'JsonError'
    this.reason = reason
    this.position = position
    this.line = line
    this.column = column
  }
}

/** Counts without splitting the text, which may have a million lines. */
function locate(text: string, position: number): { readonly line: number; readonly column: number } {
  let line = 1
  let start = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', start)) {
    line += 1
    start = at + 1
  }
  return { line, column: position - start + 1 }
}

/** How deep JSON may nest: deeper than any body of the service, and safe for all recursive code. */
export const MAX_DEPTH = 200

/** Kinds of token that may follow. */
const VALUE = '"0{['
const AFTER_VALUE = { '{': ',}', '[': ',]' } as const

/** Locates the error in text that is not JSON. Parsers give the position only inside a message. */
export function locateJsonError(text: string, cause?: unknown): JsonError {
  const open: ('{' | '[')[] = []
  let allowed = VALUE
  for (const { kind, start } of readTokens(text)) {
    if (!allowed.includes(kind)) return unexpectedCharacter(text, start, cause)
    const isKey = kind === '"' && !allowed.includes('0')
    if (kind === '{' || kind === '[') open.push(kind)
    if (kind === '}' || kind === ']') open.pop()
    if (open.length > MAX_DEPTH)
      return new JsonError(`Nested deeper than ${MAX_DEPTH} levels`, text, start, { cause })
    allowed = isKey ? ':' : allowedAfter(kind, open.at(-1))
  }
  return text.trim() === ''
    ? new JsonError('The text is empty', text, 0, { cause })
    : unexpectedCharacter(text, text.length, cause)
}

function allowedAfter(kind: JsonToken['kind'], inside: '{' | '[' | undefined): string {
  if (kind === '{') return '"}'
  if (kind === '[') return `${VALUE}]`
  if (kind === ':') return VALUE
  if (kind === ',') return inside === '{' ? '"' : VALUE
  return inside === undefined ? '' : AFTER_VALUE[inside]
}

function unexpectedCharacter(text: string, position: number, cause: unknown): JsonError {
  const found = text.codePointAt(position)
  const what = found === undefined ? 'end of the text' : JSON.stringify(String.fromCodePoint(found))
  return new JsonError(`Unexpected ${what}`, text, position, { cause })
}
