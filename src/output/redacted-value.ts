import { stringifyJson } from '../json/json.ts'
import { redactBody } from './redact.ts'
import { safeText } from './safe-text.ts'

/** `key: value` on one line without secrets: text as it is, other values as JSON. */
export function formatRedactedEntry(key: string, value: unknown): string {
  const [safeKey, kept] = redacted(key, value)
  return safeText(`${safeKey}: ${wordsOf(kept)}`)
}

/** The value on one line, redacted if its key is secret; `""` for empty text. */
export function formatRedactedValue(key: string, value: unknown): string {
  const [, kept] = redacted(key, value)
  return kept === '' ? '""' : safeText(wordsOf(kept))
}

function redacted(key: string, value: unknown): readonly [key: string, value: unknown] {
  const [entry = ['', undefined] as const] = Object.entries(redactBody({ [key]: value }) ?? {})
  return entry
}

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : stringifyJson(value))
