import { PAYMENT_SCENARIOS } from '../domain/scenarios/payment-scenarios.ts'

/** Replaces what must never be stored: tokens, keys and card data. A placeholder such as `{clientToken}` takes its place. */

const PUBLISHED: ReadonlySet<string> = new Set(PAYMENT_SCENARIOS.map(({ token }) => token))

/** Names of fields, parameters and headers that hold a secret. `X-Idempotency-Key` is not one. */
const SECRET_NAME =
  /(?:token|password|passwd|secret|authorization|signature|cookie|api[-_]?key|access[-_]?key|private[-_]?key|cardnumber|card[-_]number|securitycode|security[-_]code)$/i
const SHORT_SECRET_NAME = /^(?:key|pin|pan|cv[vcn]2?|csc|card|auth|x-[\w-]*key)$/i
const IDEMPOTENCY_KEY = /idempotency-?_?key$/i

export const isSecretName = (name: string): boolean =>
  (SECRET_NAME.test(name) || SHORT_SECRET_NAME.test(name)) && !IDEMPOTENCY_KEY.test(name)

/** The placeholder for a secret of this name. */
export const placeholderOf = (name: string): string => `{${name.replace(/[^\w-]/g, '').slice(0, 40)}}`

const JSON_WEB_TOKEN = /\bey[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g
const TOKEN = /(?<![\w-])[A-Za-z\d][\w-]{35}(?![\w-])/g
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const CARD_NUMBER = /(?<![\w-])\d(?:[ -]?\d){11,18}(?![\w-])/g

/** Replaces secrets that are recognizable anywhere in a text. */
export const redactWords = (text: string): string =>
  text
    .replaceAll(JSON_WEB_TOKEN, '{clientToken}')
    .replaceAll(TOKEN, (word) => (UUID.test(word) ? word : '{token}'))
    .replaceAll(CARD_NUMBER, (digits) => (passesLuhn(digits) ? '{cardNumber}' : digits))

function redactValue(name: string, value: string): string {
  if (isSecretName(name)) return value === '' || PUBLISHED.has(value) ? value : placeholderOf(name)
  // The id of an external record can be anything.
  return name === 'paymentId' ? value : redactWords(value)
}

// A string, a bracket, or any other word. A colon after a string or word makes it a name.
const JSON_PIECE = /"([^"\\]*(?:\\.[^"\\]*)*)("?)(\s*:)?|[{}]|([^\s"{}[\],:]+)(\s*:)?/gs

/** Redacts JSON text without changing anything else. Text that isn't JSON, or only its beginning, is redacted as well. */
export function redactJson(text: string): string {
  let name = ''
  const redacted = text.replaceAll(
    JSON_PIECE,
    (piece, inside?: string, end?: string, colon?: string, word?: string, wordColon?: string) => {
      if (inside !== undefined) {
        const string = unescape(inside)
        if (colon !== undefined) {
          name = string
          const shown = redactWords(string)
          return shown === string ? piece : `${JSON.stringify(shown)}${colon}`
        }
        const shown = redactValue(name, string)
        return shown === string ? piece : `${JSON.stringify(shown).slice(0, -1)}${end}`
      }
      if (word === undefined || wordColon !== undefined) {
        name = (word ?? '').replaceAll("'", '')
        return piece
      }
      if (LITERAL.test(word)) return piece
      const shown = redactValue(name, word)
      return shown !== word && NUMBER.test(word) ? `"${shown}"` : shown
    },
  )
  return isJson(redacted) ? redacted : redactWords(redactQuery(redacted))
}

const LITERAL = /^(?:true|false|null)$/
const NUMBER = /^-?\d/

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The text of a string in JSON, as far as it can be read. */
function unescape(inside: string): string {
  if (!inside.includes('\\')) return inside
  return inside.replaceAll(/\\(?:u([\da-f]{4})|(.))/gis, (_, code: string | undefined, character: string) =>
    code === undefined ? (ESCAPED[character] ?? character) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/** Redacts a query, without its question mark. */
export const redactQuery = (query: string): string =>
  query.replaceAll(/([^&=]+)=([^&]*)/g, (pair, name: string, value: string) => {
    const given = decode(value)
    const shown = redactValue(decode(name), given)
    return shown === given ? pair : `${name}=${shown}`
  })

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

export const redactHeader = (name: string, value: string): string =>
  IDEMPOTENCY_KEY.test(name) ? value : redactValue(name, value)

/** The check digit of a card number. */
function passesLuhn(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '')
  let sum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits.at(-1 - place))
    sum += place % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0
}
