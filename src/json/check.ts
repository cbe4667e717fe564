import { JsonError } from './json-error.ts'
import { readTokens } from './tokens.ts'

/** Deeper than any body of the service; a parser that recurses is safe far beyond it. */
export const MAX_DEPTH = 200

/** Throws where arrays and objects are nested deeper than {@link MAX_DEPTH}. Anything else is left to the parser. */
export function refuseDeepNesting(text: string): void {
  let depth = 0
  for (const token of readTokens(text)) {
    if (token.kind !== 'mark') continue
    depth += stepOf(text.charAt(token.start))
    if (depth > MAX_DEPTH) throw tooDeep(text, token.start)
  }
}

/** The same, and throws where an object names a key twice: which of the two was meant cannot be known. */
export function refuseDuplicatesAndDepth(text: string): void {
  const open: Set<string>[] = []
  let lastString: { readonly start: number; readonly end: number } | undefined
  for (const token of readTokens(text)) {
    const sign = token.kind === 'mark' ? text.charAt(token.start) : ''
    const step = stepOf(sign)
    if (step === 1) open.push(new Set())
    if (step === -1) open.pop()
    if (open.length > MAX_DEPTH) throw tooDeep(text, token.start)
    if (sign === ':' && lastString !== undefined) noteKey(text, lastString, open.at(-1))
    lastString = token.kind === 'string' ? token : undefined
  }
}

function noteKey(text: string, { start, end }: { start: number; end: number }, keys?: Set<string>): void {
  if (keys === undefined) return
  const key = decodeKey(text.slice(start, end))
  if (keys.has(key))
    throw new JsonError(`Key ${JSON.stringify(key)} is given twice: the second one`, text, start)
  keys.add(key)
}

/** A key may be written with escapes: `"\u0061"` is `"a"`. */
function decodeKey(raw: string): string {
  if (!raw.includes('\\')) return raw.slice(1, -1)
  try {
    return String(JSON.parse(raw))
  } catch {
    return raw
  }
}

const stepOf = (sign: string) => (sign === '{' || sign === '[' ? 1 : sign === '}' || sign === ']' ? -1 : 0)

const tooDeep = (text: string, position: number) =>
  new JsonError(`Nested deeper than ${MAX_DEPTH} levels`, text, position)
