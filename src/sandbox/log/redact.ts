import { maskCards } from '../../text/luhn.ts'
import { isSecretName as isLongSecretName } from '../../text/secret-name.ts'
import { PAYMENT_SCENARIOS } from '../domain/scenarios/payment-scenarios.ts'

/** Replaces what must never be stored: tokens, keys and card data. A placeholder such as `{clientToken}` takes its place. */

const PUBLISHED: ReadonlySet<string> = new Set(PAYMENT_SCENARIOS.map(({ token }) => token))

/** Names of secrets that may be the name of something else elsewhere. `X-Idempotency-Key` is not one. */
const SHORT_SECRET_NAME = /^(?:key|card|auth|x-[\w-]*key)$/i
const IDEMPOTENCY_KEY = /idempotency-?_?key$/i

const isSecretName = (name: string): boolean =>
  (isLongSecretName(name) || SHORT_SECRET_NAME.test(name)) && !IDEMPOTENCY_KEY.test(name)

/** The placeholder for a secret of this name. */
const placeholderOf = (name: string): string => `{${name.replace(/[^\w-]/g, '').slice(0, 40)}}`

/** A pair `name=value`, as in an address. */
const PAIR = /(?<![\w-])([\w-]+)=([^\s"'&]+)/g
const TOKEN = /(?<![\w-])[A-Za-z\d][\w-]{35}(?![\w-])/g
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
/** Words with dots. A JSON Web Token is one of them, or the end of one. */
const DOTTED_WORDS = /[\w.-]+/g
const DIGIT_GROUPS = /(?<![\w-])\d+(?:[ -]\d+)*(?![\w-])/g

/** The shortest head of a token, before the first dot: `eyJhbGciOi`. */
const SHORTEST_TOKEN_HEAD = 10
const FEWEST_DIGITS = 12

/** Replaces secrets that are recognizable anywhere in a text. The time grows with its length only. */
export function redactWords(text: string): string {
  const hidden = text.replaceAll(PAIR, (pair, name: string, value: string) =>
    isSecretName(name) && !PUBLISHED.has(value) ? `${name}=${placeholderOf(name)}` : pair,
  )
  // Most values are too short for any other secret.
  if (hidden.length < FEWEST_DIGITS) return hidden
  return hidden
    .replaceAll(DOTTED_WORDS, hideClientToken)
    .replaceAll(TOKEN, (word) => (UUID.test(word) ? word : '{token}'))
    .replaceAll(DIGIT_GROUPS, (groups) =>
      maskCards(groups, '{cardNumber}', FEWEST_DIGITS, (ends) => ends.at(-1)),
    )
}

/**
 * Hides everything from a JSON Web Token on. Looks at each word once: a pattern for the whole token would read the rest of the
 * text again after every `ey`.
 */
function hideClientToken(words: string): string {
  let start = 0
  for (let dot = words.indexOf('.'); dot >= 0 && dot < words.length - 1; dot = words.indexOf('.', start)) {
    const word = words.slice(start, dot)
    const head = word.search(/\bey/)
    if (head >= 0 && word.length - head >= SHORTEST_TOKEN_HEAD && words[dot + 1] !== '.')
      return `${words.slice(0, start + head)}{clientToken}`
    start = dot + 1
  }
  return words
}

function redactValue(name: string, value: string): string {
  if (isSecretName(name)) return value === '' || PUBLISHED.has(value) ? value : placeholderOf(name)
  // The id of an external record can be anything.
  return name === 'paymentId' ? value : redactWords(value)
}

// A string, a bracket, or any other word. A colon after a string or word makes it a name.
const JSON_PIECE = /"([^"\\]*(?:\\.[^"\\]*)*)("?)(\s*:)?|[{}]|([^\s"{}[\],:]+)(\s*:)?/gs

/** Redacts a body: JSON, only its beginning, or any other text. Changes nothing else in JSON. */
export function redactBody(text: string): string {
  const redacted = redactPieces(text)
  if (isJson(redacted)) return redacted
  return redactWords(BEGINS_LIKE_JSON.test(text) ? redacted : redactQuery(redacted))
}

/** A text that is JSON, in which `token=` is a part of some string, and not the name of all that follows. */
const BEGINS_LIKE_JSON = /^\s*["{[]/

function redactPieces(text: string): string {
  let name = ''
  return text.replaceAll(
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
export const redactQuery = (query: string): string => query.split('&').map(redactPair).join('&')

function redactPair(pair: string): string {
  const [, before = '', name = ''] = /^(=*)([^=]*)/.exec(pair) ?? []
  const equals = before.length + name.length
  if (name === '' || equals === pair.length) return pair
  const given = decode(pair.slice(equals + 1))
  const shown = redactValue(decode(name), given)
  return shown === given ? pair : `${before}${name}=${shown}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

export const redactHeader = (name: string, value: string): string =>
  IDEMPOTENCY_KEY.test(name) ? value : redactValue(name, value)
