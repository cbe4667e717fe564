import type { RouteMatch } from '../../api/table.ts'
import { truncate } from '../truncate.ts'

/** The log keeps 10,000 requests. */
export const MAX_LOGGED_LENGTH = 300

/** The path of a request as logged. Replaces tokens, which are secrets anywhere in a path, but keeps payment ids. */
export function loggedPath(pathname: string, routed: RouteMatch | undefined): string {
  if (routed?.params['paymentMethodToken'] !== undefined) return routed.operation.path
  return truncate(
    pathname
      .replaceAll(BELOW_INSTRUMENTS, `$1${SAVED_METHOD}`)
      // A JSON Web Token.
      .replaceAll(/(?<=\/|%(?:25)*2f)ey[\w-]{8,}\.[^/]+/gi, CLIENT_TOKEN)
      // A token from `tokenize` or vaulting in place of a payment id. The id of an external record can be anything.
      .replaceAll(TOKEN_FORM, (segment) =>
        UUID.test(segment) || routed?.params['paymentId'] === segment ? segment : SAVED_METHOD,
      ),
    MAX_LOGGED_LENGTH,
  )
}

const TOKEN_FORM = /(?<=\/)[A-Za-z\d][\w-]{35}(?=\/|$)/g
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

const SAVED_METHOD = '{paymentMethodToken}'
const CLIENT_TOKEN = '{clientToken}'

/** Matches a character as it is or percent-encoded one or more times, because unrouted paths can be written in any way. */
const inAnyEncoding = (character: string): string => {
  const codes = [character.toLowerCase(), character.toUpperCase()].map((form) =>
    form.charCodeAt(0).toString(16),
  )
  return `(?:${character}|%(?:25)*(?:${codes.join('|')}))`
}

const BELOW_INSTRUMENTS = new RegExp(
  `(${'payment-instruments'.split('').map(inAnyEncoding).join('')}${inAnyEncoding('/')}+)[^/]+`,
  'gi',
)
