import { stringifyJson } from '../json/json.ts'
import { redactBody } from './redact.ts'
import { safeText } from './safe-text.ts'

/** `key: value` of an open map on one line: text as it is, anything else as JSON, without secrets. */
export function formatRedactedEntry(key: string, value: unknown): string {
  const [safeKey, kept] = redacted(key, value)
  return safeText(`${safeKey}: ${wordsOf(kept)}`)
}

/** The value alone, without what is secret by its key. */
export function formatRedactedValue(key: string, value: unknown): string {
  const [, kept] = redacted(key, value)
  return kept === '' ? '""' : safeText(wordsOf(kept))
}

function redacted(key: string, value: unknown): readonly [key: string, value: unknown] {
  const [entry = ['', undefined] as const] = Object.entries(redactBody({ [key]: value }) ?? {})
  return entry
}

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : stringifyJson(value))
