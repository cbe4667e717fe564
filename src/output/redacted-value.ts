import { stringifyJson } from '../json/json.ts'
import { redactBody } from './redact.ts'
import { safeText } from './safe-text.ts'

/** `key: value` on one line without secrets: text as it is, other values as JSON. */
export function formatRedactedEntry(key: string, value: unknown): string {
  const [safeKey, redactedValue] = redactEntry(key, value)
  return safeText(`${safeKey}: ${formatValue(redactedValue)}`)
}

/** The value on one line, redacted if its key is secret; `""` for empty text. */
export function formatRedactedValue(key: string, value: unknown): string {
  const [, redactedValue] = redactEntry(key, value)
  return redactedValue === '' ? '""' : safeText(formatValue(redactedValue))
}

function redactEntry(key: string, value: unknown): readonly [key: string, value: unknown] {
  const [entry = ['', undefined] as const] = Object.entries(redactBody({ [key]: value }) ?? {})
  return entry
}

const formatValue = (value: unknown): string => (typeof value === 'string' ? value : stringifyJson(value))
