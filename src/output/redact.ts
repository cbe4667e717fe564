import { isLosslessNumber } from '../json/json.ts'
import { containsCardNumber, maskCardInId, maskCardNumbers } from './card-number.ts'

const REDACTED = '[redacted]'
/** Names of fields, headers and query parameters whose values are secret, compared without case, `-` and `_`. */
const SECRET_NAME =
  /(token|secret|password|passphrase|apikey|authorization|cookie|cvv2?|cvc2?|securitycode|cardnumber|accountnumber|^pan)$/
/** The shortest secret that is searched for in text: a shorter one would be found everywhere. */
const SHORTEST_SECRET = 4
/** From this length on, four signs at the end are few enough to be shown. */
const LONG_KEY = 16

const isSecretName = (name: string) => SECRET_NAME.test(name.toLowerCase().replaceAll(/[-_ ]/g, ''))

/** Headers for a log or a dry run: the API key as dots with its last four, other secrets not at all. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redactHeader(name, value)]))
}

function redactHeader(name: string, value: string): string {
  if (name.toLowerCase() === 'x-api-key') return maskApiKey(value)
  if (isSecretName(name)) return REDACTED
  // Needed whole to send the request again.
  return name.toLowerCase() === 'x-idempotency-key' ? value : maskCardNumbers(value)
}

/** `••••1234`: enough to tell two keys apart. */
export function maskApiKey(key: string): string {
  return key.length < LONG_KEY ? '••••' : `••••${key.slice(-4)}`
}

/** Ids of the API: orderId, customerId, id; in queries order_id. Most digits there that pass the Luhn check are no card. */
export const isIdField = (name: string): boolean => /^id$|(?:Id|_id)$/.test(name)

/**
 * A body without its secrets: by the names of fields at any depth, and card numbers wherever they stand; where the
 * body is the reader's own, in its ids only what an issuer's card looks like.
 */
export function redactBody(value: unknown, ids: 'masked' | 'kept' = 'masked'): unknown {
  if (typeof value === 'string') return maskCardNumbers(value)
  if (typeof value === 'number' || typeof value === 'bigint' || isLosslessNumber(value)) {
    return containsCardNumber(String(value)) ? REDACTED : value
  }
  if (Array.isArray(value)) return value.map((item) => redactBody(item, ids))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [maskCardNumbers(name), redactField(name, field, ids)]),
  )
}

function redactField(name: string, value: unknown, ids: 'masked' | 'kept'): unknown {
  // What is absent is no secret, and worth knowing.
  if (value === null || value === undefined) return value
  if (isSecretField(name, value)) return REDACTED
  if (ids === 'kept' && isIdField(name) && typeof value === 'string') return maskCardInId(value)
  // Names in metadata are the merchant's own.
  return redactBody(value, name === 'metadata' ? 'masked' : ids)
}

/** Whether a field is secret by its name. */
export const isSecretField = (name: string, value: unknown): boolean =>
  isSecretName(name) || isCardDigits(name, value)

/** A field named `number` is a card's when it is as long as one, even where the check digit is wrong. */
function isCardDigits(name: string, value: unknown): boolean {
  if (name.toLowerCase() !== 'number') return false
  return String(value).replaceAll(/\D/g, '').length >= 12
}

/** Text without these secrets and without card numbers. Not for text with ids in it, which may look like one. */
export const redactText = (text: string, secrets: readonly string[]): string =>
  maskCardNumbers(removeSecrets(text, secrets))

/** Text without these secrets, in any form they take in it (as they are, in a URL, in JSON). */
export function removeSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [secret, encodeInUrl(secret), JSON.stringify(secret).slice(1, -1)])
    .toSorted((a, b) => b.length - a.length)
  return forms.reduce((rest, form) => rest.replaceAll(form, REDACTED), text)
}

/** A URL without user and password, without secret query parameters, and without these secrets in its path. */
export const redactUrl = (url: string, secrets: readonly string[]): string =>
  redactText(hideUrlSecrets(url), secrets)

/** A URL without user and password, and without secret query parameters. */
export function hideUrlSecrets(url: string): string {
  return url
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${REDACTED}@`)
    .replaceAll(/([?&])([^=&#]*)=([^&#]*)/g, (all, mark: string, name: string) =>
      isSecretName(name) ? `${mark}${name}=${REDACTED}` : all,
    )
}

/** A lone surrogate cannot be encoded, and so cannot stand in a URL either. */
const encodeInUrl = (secret: string) => (secret.isWellFormed() ? encodeURIComponent(secret) : secret)

const EMAIL = /[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+\.[^\s@<>"'(),;:]+/g

/** Whose it is does not matter for what was done. */
export const maskEmails = (text: string): string => text.replaceAll(EMAIL, '[e-mail address]')
