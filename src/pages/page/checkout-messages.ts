import { isRecord } from '../../json/is-record.ts'

/**
 * Messages between a merchant's page and the checkout in its frame. The frame says `ready`, which holds nothing. The
 * component answers with `start`, to the sandbox's origin only, and adds a port; everything after that goes through the
 * port, which no other window can use.
 */
export const READY = 'pay-checkout:ready'
export const START = 'pay-checkout:start'

/** What the checkout in the frame tells the component. */
export type FromCheckout =
  | { readonly kind: 'height'; readonly heightPx: number }
  | { readonly kind: 'complete'; readonly paymentId: string; readonly status: string }
  | ({ readonly kind: 'fail' } & Failure)
  | { readonly kind: 'cancel' }

export interface Failure {
  /** Null if no payment was created. */
  readonly paymentId: string | null
  readonly status: string | null
  /** A code, such as INSUFFICIENT_FUNDS, or the ID of an error. */
  readonly reason: string | null
}

/** The client token of a `START` message; undefined for any other message. */
export function readStart(message: unknown): string | undefined {
  if (!isRecord(message) || message['type'] !== START) return undefined
  const { clientToken } = message
  return typeof clientToken === 'string' ? clientToken : undefined
}
