import { readTokens } from './tokens.ts'
import type { JsonToken } from './tokens.ts'

/**
 * Builds the value of text that is known to be JSON, each number by `toNumber` from its digits. Strings are decoded by the
 * engine: a parser that reads every character by itself takes ten times as long.
 */
export function buildValue(text: string, toNumber: (digits: string) => unknown): unknown {
  const tokens = readTokens(text)
  const next = (): JsonToken => {
    const { value } = tokens.next()
    if (value === undefined) throw new Error('The text is no JSON')
    return value
  }
  return build(next())

  function build({ kind, start, end }: JsonToken): unknown {
    if (kind === 'mark') return text.charCodeAt(start) === OPEN_LIST ? buildList() : buildObject()
    const written = text.slice(start, end)
    if (kind === 'string') return decode(written)
    return NAMES.has(written) ? JSON.parse(written) : toNumber(written)
  }

  function buildList(): readonly unknown[] {
    const list: unknown[] = []
    for (let token = next(); text.charCodeAt(token.start) !== CLOSE_LIST; token = next())
      if (text.charCodeAt(token.start) !== COMMA) list.push(build(token))
    return list
  }

  function buildObject(): object {
    const object: Record<string, unknown> = {}
    for (let token = next(); text.charCodeAt(token.start) !== CLOSE_OBJECT; token = next()) {
      if (text.charCodeAt(token.start) === COMMA) continue
      const key = decode(text.slice(token.start, token.end))
      // Its colon.
      next()
      const value = build(next())
      if (key === '__proto__')
        Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
      else object[key] = value
    }
    return object
  }
}

function decode(written: string): string {
  return written.includes('\\') ? String(JSON.parse(written)) : written.slice(1, -1)
}

const NAMES: ReadonlySet<string> = new Set(['true', 'false', 'null'])
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const CLOSE_OBJECT = 0x7d
