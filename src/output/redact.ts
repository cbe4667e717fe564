import { isSecretName } from '../text/secret-name.ts'
import { isLosslessNumber } from '../json/json.ts'
import { containsCardNumber, maskCardInId, maskCardNumbers } from './card-number.ts'

const REDACTED = '[redacted]'
/** The shortest secret that is searched for in text: shorter ones would match everywhere. */
const SHORTEST_SECRET = 4
/** The length from which a key shows its last four characters. */
const LONG_KEY = 16

/** Headers for a log or a dry run: the API key masked, other secrets redacted. */
export function redactHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redactHeader(name, value)]))
}

function redactHeader(name: string, value: string): string {
  if (name.toLowerCase() === 'x-api-key') return maskApiKey(value)
  if (isSecretName(name)) return REDACTED
  // Needed in full to resend the request.
  return name.toLowerCase() === 'x-idempotency-key' ? value : maskCardNumbers(value)
}

/** Masks a key as `••••1234`: enough to tell keys apart. */
export function maskApiKey(key: string): string {
  return key.length < LONG_KEY ? '••••' : `••••${key.slice(-4)}`
}

/**
 * Whether a name is that of an ID: `orderId`, `customerId`, `id`; `order_id` in queries. Digits there that pass the Luhn
 * check are rarely a card number.
 */
export const isIdField = (name: string): boolean => /^id$|(?:Id|_id)$/.test(name)

/**
 * A body without secrets: redacts fields with secret names at any depth and masks card numbers everywhere. With `ids` set to
 * `keep-ids`, IDs lose only digits with the prefix and length of an issuer's cards.
 */
export function redactBody(value: unknown, ids: 'mask-ids' | 'keep-ids' = 'mask-ids'): unknown {
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

function redactField(name: string, value: unknown, ids: 'mask-ids' | 'keep-ids'): unknown {
  // Absence is no secret.
  if (value === null || value === undefined) return value
  if (isSecretField(name, value)) return REDACTED
  if (ids === 'keep-ids' && isIdField(name) && typeof value === 'string') return maskCardInId(value)
  // The merchant defines the names in metadata.
  return redactBody(value, name === 'metadata' ? 'mask-ids' : ids)
}

/** Whether a field is secret by its name, or by a name and value like those of a card number. */
export const isSecretField = (name: string, value: unknown): boolean =>
  isSecretName(name) || isCardDigits(name, value)

/** Whether a field is named `number` and has at least 12 digits: a card number, even if its check digit is wrong. */
function isCardDigits(name: string, value: unknown): boolean {
  if (name.toLowerCase() !== 'number') return false
  return String(value).replaceAll(/\D/g, '').length >= 12
}

/** Text without these secrets and card numbers. Don't use it for text with IDs, which may look like card numbers. */
export const redactText = (text: string, secrets: readonly string[]): string =>
  maskCardNumbers(removeSecrets(text, secrets))

/** Text without these secrets, whether plain, URL-encoded or in JSON. */
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
    .replaceAll(/([?&])([^?=&#]*)=([^&#]*)/g, (all, mark: string, name: string) =>
      isSecretName(name) ? `${mark}${name}=${REDACTED}` : all,
    )
}

/** A secret as it occurs in a URL. One with a lone surrogate can't be encoded, so it never does. */
const encodeInUrl = (secret: string) => (secret.isWellFormed() ? encodeURIComponent(secret) : secret)

const EMAIL = /(?<![^\s@<>"'(),;:])[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+\.[^\s@<>"'(),;:]+/g

/** Masks e-mail addresses. */
export const maskEmails = (text: string): string => text.replaceAll(EMAIL, '[e-mail address]')
