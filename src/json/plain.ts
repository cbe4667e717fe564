import { MAX_DEPTH } from './check.ts'

/**
 * The fast way for ordinary JSON: the parser of the engine, some five times as fast as one that keeps every digit. It is
 * taken only where both come to the same, and everything doubtful is left to the exact way.
 */

/** A number that JavaScript may write back differently: a fraction, an exponent, 16 digits or more, or -0. */
const EXACT_NUMBER = /(?:"\s*:|[,[])\s*(?:-?\d*(?:[.eE]|\d{16})|-0)/

export interface Plain {
  readonly value: unknown
}

/** Undefined where the text is no JSON, nests too deep, holds a number that could lose a digit, or names a key twice. */
export function parsePlain(text: string, options: { readonly refuseDuplicates: boolean }): Plain | undefined {
  const first = text.charCodeAt(0)
  if ((first !== OPEN_OBJECT && first !== OPEN_ARRAY) || EXACT_NUMBER.test(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    const keys = countKeys(value, 1)
    if (keys === undefined || (options.refuseDuplicates && keys !== countWrittenKeys(text))) return undefined
    return { value }
  } catch {
    return undefined
  }
}

/** Whether the writer of the engine writes the value as the exact one does. */
export function isPlain(value: unknown): boolean {
  if (typeof value === 'bigint') return false
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isPlain)
  if ('isLosslessNumber' in value || !isRecord(value)) return false
  for (const key in value) if (!isPlain(value[key])) return false
  return true
}

/** So that the compiler lets its keys be read: Reflect takes twice as long. */
const isRecord = (value: object): value is Record<string, unknown> => value !== null

const OPEN_OBJECT = 0x7b
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const COLON = 0x3a

/** Undefined for what nests deeper than it may. */
function countKeys(value: unknown, depth: number): number | undefined {
  if (typeof value !== 'object' || value === null) return 0
  if (depth > MAX_DEPTH) return undefined
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  let keys = Array.isArray(value) ? 0 : inner.length
  for (const child of inner) {
    const below = countKeys(child, depth + 1)
    if (below === undefined) return undefined
    keys += below
  }
  return keys
}

/** Strings that a colon follows, in text that is known to be JSON. */
function countWrittenKeys(text: string): number {
  let keys = 0
  for (let start = text.indexOf('"'); start !== -1; start = text.indexOf('"', start)) {
    let end = text.indexOf('"', start + 1)
    while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
    start = end + 1
    while (text.charCodeAt(start) <= 0x20) start += 1
    if (text.charCodeAt(start) === COLON) keys += 1
  }
  return keys
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0
  while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1
  return backslashes % 2 === 1
}
