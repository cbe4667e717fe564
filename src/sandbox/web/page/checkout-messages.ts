import { isRecord } from '../../../is-record.ts'

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
  | {
      readonly kind: 'fail'
      /** Null if no payment was created. */
      readonly paymentId: string | null
      readonly status: string | null
      readonly reason: string | null
    }
  | { readonly kind: 'cancel' }

/** Undefined for anything but `START` with a client token. */
export function readStart(message: unknown): string | undefined {
  if (!isRecord(message) || message['type'] !== START) return undefined
  const { clientToken } = message
  return typeof clientToken === 'string' ? clientToken : undefined
}

/** Undefined for anything that the checkout doesn't send. */
export function readFromCheckout(message: unknown): FromCheckout | undefined {
  if (!isRecord(message)) return undefined
  const { kind, heightPx, paymentId, status, reason } = message
  switch (kind) {
    case 'height':
      return typeof heightPx === 'number' && Number.isFinite(heightPx) ? { kind, heightPx } : undefined
    case 'complete':
      return typeof paymentId === 'string' && typeof status === 'string'
        ? { kind, paymentId, status }
        : undefined
    case 'fail':
      return {
        kind,
        paymentId: textOrNull(paymentId),
        status: textOrNull(status),
        reason: textOrNull(reason),
      }
    case 'cancel':
      return { kind }
    default:
      return undefined
  }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
