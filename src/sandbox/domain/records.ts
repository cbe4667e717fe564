import type { ExternalPayment, PaymentRecord } from '../../api/models/external-payment.ts'
import type { Payment } from '../../api/models/payment.ts'
import type { NearEmails } from '../../views/search/match.ts'
import type { Query } from '../../views/search/query.ts'
import type { RefundFilter } from '../../api/payment-states.ts'
import type { StoredPayment } from './stored.ts'

export type RecordSource = 'payments' | 'external'

/**
 * The filters for lists of records. A filter with several values matches any of them; null matches records without a
 * value.
 */
export interface RecordFilter {
  readonly source?: RecordSource | undefined
  readonly status?: Values
  /** Whether the payment was ever authorized, as the figures of payments count it. */
  readonly wasAuthorized?: true | undefined
  readonly reason?: Values
  readonly currencyCode?: Values
  readonly methodType?: Values
  readonly last4Digits?: Values
  readonly processor?: Values
  readonly merchantId?: Values
  readonly countryCode?: Values
  readonly orderId?: Values
  readonly customerId?: Values
  /** The customer's e-mail address, in upper or lower case. */
  readonly customerEmail?: Values
  /** The address of a customer who paid with PayPal. */
  readonly paypalEmail?: Values
  /** The address of a customer who paid with Klarna. */
  readonly klarnaEmail?: Values
  /** The first date, in the form of stored dates; both dates are included. */
  readonly fromDate?: string | undefined
  readonly toDate?: string | undefined
  readonly minAmount?: number | undefined
  readonly maxAmount?: number | undefined
  readonly refunds?: RefundFilter | undefined
}

type Values = readonly (string | null)[] | undefined

/** A place in the list of all records, which is sorted by time, then `seq`. */
export interface RecordPlace {
  readonly time: string
  readonly seq: number
}

export interface ReadablePlace extends RecordPlace {
  readonly source: RecordSource
  /** The size of the whole record, in bytes. */
  readonly size: number
}

export interface RecordPosition {
  readonly direction: 'older' | 'newer'
  readonly place: RecordPlace
}

/** A record as lists and figures use it. Amounts are in minor units. */
export interface RecordRow extends RecordPlace {
  readonly source: RecordSource
  readonly id: string
  readonly status: string | undefined
  /** The code of the status reason. */
  readonly reason: string | undefined
  readonly currencyCode: string | undefined
  readonly amount: number | undefined
  readonly amountAuthorized: number | undefined
  readonly amountCaptured: number | undefined
  readonly amountRefunded: number | undefined
  /** The type of the payment method, such as `PAYMENT_CARD`. */
  readonly method: string | undefined
  readonly network: string | undefined
  readonly last4Digits: string | undefined
  readonly processor: string | undefined
  readonly countryCode: string | undefined
  readonly orderId: string | undefined
  readonly customerId: string | undefined
  /** The customer's e-mail address, in lower case. */
  readonly customerEmail: string | undefined
}

/** Records that don't differ in what the figures of payments depend on. Their amounts are added up. */
export interface RecordGroup extends RecordRow {
  readonly count: number
}

/** Further fields that all records of a group share. */
export interface RecordDistinctions {
  /** The fields, such as `processor` or `day`. Status, currency and source never differ. */
  readonly by: readonly string[]
  /** The times that all records of a group are before or after, in the form of stored dates. */
  readonly edges: readonly string[]
}

export type WholeRecord =
  | {
      readonly source: 'payments'
      readonly payment: StoredPayment
      readonly addition: RecordAddition | undefined
    }
  | { readonly source: 'external'; readonly record: ExternalPayment }

/** A payment or an external record, each as the service shows it. */
export type ShownRecord =
  | { readonly source: 'payments'; readonly payment: Payment }
  | { readonly source: 'external'; readonly record: PaymentRecord }

/** The fields that a PATCH added to the record of a payment. */
export type RecordAddition = Readonly<Record<string, unknown>>

/** A part of the list of records that match, newest first. */
export interface RecordWindow {
  readonly offset: number
  readonly limit: number
  /** The first place of the list. Records created later are only counted, so that they don't move the others. */
  readonly start?: RecordPlace | undefined
  /** The words of a person, of which all must fit. */
  readonly search?: Query | undefined
}

export interface FoundRecords {
  /** How many records match, from `start` on. */
  readonly total: number
  /** How many match and are newer than `start`. */
  readonly newer: number
  readonly rows: readonly FoundRecord[]
  /** What may be meant by an e-mail, if nothing was found. */
  readonly near?: NearEmails | undefined
}

export interface FoundRecord extends RecordRow {
  /** Whether a refund failed that no later one took the place of. */
  readonly hasFailedRefund?: true
}
