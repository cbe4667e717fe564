import type { Session } from '../../../api/models/session.ts'

/** A client session as the client sent it; calculated values are added when it is shown. */
export type StoredSession = Pick<
  Session,
  'orderId' | 'currencyCode' | 'order' | 'customerId' | 'customer' | 'metadata' | 'paymentMethod'
> & {
  /** Overrides the calculated amount. */
  readonly amount?: number | undefined
  readonly expiresAtMs: number
}
