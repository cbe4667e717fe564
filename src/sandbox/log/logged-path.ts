import type { RouteMatch } from '../../api/table.ts'
import { truncate } from '../problem.ts'

/** The longest path that is logged, because the log keeps 10,000 requests. */
export const MAX_LOGGED_LENGTH = 300

/**
 * The path of a request as logged. Replaces tokens, which are secrets anywhere in a path, but keeps payment ids. A path that
 * held one is shown decoded.
 */
export function loggedPath(pathname: string, routed: RouteMatch | undefined): string {
  if (routed?.params['paymentMethodToken'] !== undefined) return routed.operation.path
  // Unrouted paths can be written in any way, even encoded several times.
  const plain = pathname.replaceAll(/%(?:25)*([\da-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  const shown = plain
    .replaceAll(/(payment-instruments\/+)[^/]+/gi, `$1${SAVED_METHOD}`)
    // A JSON Web Token.
    .replaceAll(/(?<=\/)ey[\w-]{8,}\.[^/]+/gi, '{clientToken}')
    // A token from `tokenize` or vaulting in place of a payment id. The id of an external record can be anything.
    .replaceAll(TOKEN_FORM, (segment) =>
      UUID.test(segment) || routed?.params['paymentId'] === segment ? segment : SAVED_METHOD,
    )
  return truncate(shown === plain ? pathname : shown, MAX_LOGGED_LENGTH)
}

const TOKEN_FORM = /(?<=\/)[A-Za-z\d][\w-]{35}(?=\/|$)/g
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

const SAVED_METHOD = '{paymentMethodToken}'
