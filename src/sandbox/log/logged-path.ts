import type { RouteMatch } from '../../api/table.ts'
import { truncate } from '../truncate.ts'

/** Ten thousand requests are kept. */
export const MAX_LOGGED_LENGTH = 300

/** The path of a request as it is logged: a token is a secret, wherever it was put; a payment's id is not. */
export function loggedPath(pathname: string, routed: RouteMatch | undefined): string {
  if (routed?.params['paymentMethodToken'] !== undefined) return routed.operation.path
  return truncate(
    pathname
      .replaceAll(BELOW_INSTRUMENTS, `$1${SAVED_METHOD}`)
      // A JSON Web Token.
      .replaceAll(/(?<=\/|%(?:25)*2f)ey[\w-]{8,}\.[^/]+/gi, CLIENT_TOKEN)
      // What `tokenize` and vaulting make, in place of the id of a payment. A record's id can be anything.
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

/** A sign as it is, or percent-encoded, once or more often: what is sent to no route of ours may be written in any way. */
const writtenAnyhow = (sign: string): string => {
  const codes = [sign.toLowerCase(), sign.toUpperCase()].map((form) => form.charCodeAt(0).toString(16))
  return `(?:${sign}|%(?:25)*(?:${codes.join('|')}))`
}

const BELOW_INSTRUMENTS = new RegExp(
  `(${'payment-instruments'.split('').map(writtenAnyhow).join('')}${writtenAnyhow('/')}+)[^/]+`,
  'gi',
)
