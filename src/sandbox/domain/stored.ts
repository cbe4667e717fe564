import type { Customer } from '../../api/models/customer.ts'
import type { Order } from '../../api/models/order.ts'
import type { PaymentStatus } from '../../api/sets.ts'
import type { StatusReason } from '../../api/models/status-reason.ts'
import { isRecord } from '../../json/is-record.ts'
import type { Session } from '../../api/models/session.ts'

export interface StoredTransaction {
  readonly date: string
  readonly amount: number
  readonly currencyCode: string
  readonly processorMerchantId: string
  readonly transactionType: 'SALE' | 'REFUND'
  readonly processorTransactionId: string
  readonly processorName: string
  readonly processorStatus: string
  readonly processorStatusReason?: StatusReason | undefined
  readonly orderId?: string | undefined
  readonly reason?: string | undefined
  /** When the processor reports on a PENDING refund. */
  readonly dueAtMs?: number | undefined
}

export interface StoredMethod {
  readonly token: string
  /** The fixed token whose scenario applies. */
  readonly scenario: string
  readonly analyticsId: string
  readonly isVaulted: boolean
  readonly vaultOnSuccess: boolean
  readonly paymentType?: string | undefined
  readonly descriptor?: string | undefined
  readonly authorizationType: string
  readonly threeDSecure?: Readonly<Record<string, string | boolean>> | undefined
}

/** The customer's part of a pending payment. */
export interface Challenge {
  readonly id: string
  readonly expiresAtMs: number
  readonly outcome?: 'pass' | 'fail' | undefined
  readonly resumeTokenHash?: string | undefined
}

export interface StoredPayment {
  readonly id: string
  readonly date: string
  readonly status: PaymentStatus
  readonly orderId: string
  readonly currencyCode: string
  /** The authorized amount. */
  readonly amount: number
  readonly amountCaptured: number
  readonly amountRefunded: number
  readonly order?: Order | undefined
  readonly customerId?: string | undefined
  readonly customer?: Customer | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  readonly method: StoredMethod
  readonly processor: { readonly name: string; readonly processorMerchantId: string }
  readonly statusReason?: StatusReason | undefined
  readonly challenge?: Challenge | undefined
  readonly transactions: readonly StoredTransaction[]
  /** The client session that the payment was made for. */
  readonly sessionIdHash?: string | undefined
  /** Whether a cancelled payment had been authorized. */
  readonly wasAuthorized?: boolean | undefined
  /** When the third party or the processor reports next. */
  readonly dueAtMs?: number | undefined
}

/** The statuses that only an authorized payment reaches. */
const AUTHORIZED: readonly string[] = ['AUTHORIZED', 'SETTLING', 'PARTIALLY_SETTLED', 'SETTLED']

/** The amount that was ever authorized. */
export function authorizedAmount({ status, amount, wasAuthorized }: StoredPayment): number {
  const isAuthorized = AUTHORIZED.includes(status) || (status === 'CANCELLED' && wasAuthorized !== false)
  return isAuthorized ? amount : 0
}

export const isStoredPayment = (value: unknown): value is StoredPayment =>
  isRecord(value) && typeof value['id'] === 'string' && Array.isArray(value['transactions'])

/** A client session as the client sent it; calculated values are added when it is shown. */
export type StoredSession = Pick<
  Session,
  'orderId' | 'currencyCode' | 'order' | 'customerId' | 'customer' | 'metadata' | 'paymentMethod'
> & {
  /** The amount that overrides the calculated one. */
  readonly amount?: number | undefined
  readonly expiresAtMs: number
}

/** A saved payment method. */
export interface StoredInstrument {
  readonly token: string
  /** The fixed token whose scenario applies. */
  readonly scenario: string
  readonly analyticsId: string
  readonly customerId: string
  readonly createdAt: string
  readonly deletedAt?: string | undefined
  readonly isDefault: boolean
  readonly isVerified: boolean
}

/** A token from `tokenize`. The card number is never stored: the scenario says what to show of it. */
export interface SingleUseToken {
  readonly token: string
  /** The fixed token whose scenario applies. */
  readonly scenario: string
  readonly analyticsId: string
  /** The client session that the token belongs to. */
  readonly sessionIdHash?: string | undefined
  /** The saved method that the token pays with. */
  readonly savedMethod?: string | undefined
  readonly spent: boolean
  /** The token of the saved method made from this one; vaulting again returns that method. */
  readonly vaultedAs?: string | undefined
}

/** The part of a list to show. */
export interface ListPage {
  readonly offset: number
  readonly limit: number
  /** The text that an entry must contain, in upper or lower case. */
  readonly search: string
}

export interface ListOf<Entry> {
  /** The number of entries on all pages. */
  readonly total: number
  readonly data: readonly Entry[]
}
