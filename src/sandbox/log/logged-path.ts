import type { Routed } from '../gate.ts'

const LONGEST = 300

/** The path of a request as it is logged: a token is a secret, wherever it was put; a payment's id is not. */
export function loggedPath(pathname: string, routed: Routed | undefined): string {
  if (routed?.params['paymentMethodToken'] !== undefined) return routed.operation.path
  return shortened(
    pathname
      .replaceAll(/(\/payment-instruments\/)[^/]+/gi, `$1${SAVED_METHOD}`)
      // A JSON Web Token.
      .replaceAll(/(?<=\/)ey[\w-]{8,}\.[^/]+/g, CLIENT_TOKEN),
  )
}

const SAVED_METHOD = '{paymentMethodToken}'
const CLIENT_TOKEN = '{clientToken}'

/** What a client has sent can be as long as it likes, and ten thousand of them are kept. */
export const shortened = (text: string): string =>
  text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
