import { stringifyJson } from '../json/json.ts'
import { redactBody } from './redact.ts'
import { safeText } from './safe-text.ts'

/** `key: value` of an open map on one line: text as it is, anything else as JSON, without secrets. */
export function entryText(key: string, value: unknown): string {
  const [[safeKey, kept] = ['', undefined]] = Object.entries(redactBody({ [key]: value }) ?? {})
  return safeText(`${safeKey}: ${typeof kept === 'string' ? kept : stringifyJson(kept)}`)
}
