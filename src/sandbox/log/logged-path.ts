import type { Routed } from '../gate.ts'

const LONGEST = 300

/** The path of a request as it is logged: a saved method's token is a secret, a payment's id is not. */
export function loggedPath(pathname: string, routed: Routed | undefined): string {
  const secret = routed?.params['paymentMethodToken'] !== undefined
  const path = secret
    ? routed.operation.path
    : pathname.replace(/^(\/payment-instruments\/)[^/]+/, '$1{paymentMethodToken}')
  return path.length > LONGEST ? `${path.slice(0, LONGEST)}…` : path
}
