import type { ExternalPayment } from '../../../api/models/external-payment.ts'
import type { PaymentFilter } from './payment-filter.ts'
import type { StoredPayment } from './stored-payment.ts'

/** The records of all payments: those made in the sandbox, and external ones. */
export interface RecordStore {
  /** What a PATCH added to the record of a payment. */
  addition(paymentId: string): RecordAddition | undefined
  saveAddition(paymentId: string, addition: RecordAddition): void
  /** Newest first, or oldest first if the position's direction is `newer`. */
  list(filter: RecordFilter, position: RecordPosition | undefined, limit: number): Iterable<RecordRow>
  /** Some of the records of one source, oldest first: those after a place, fewer than `limit` if they are large. */
  slice(
    source: RecordSource,
    period: Pick<RecordFilter, 'fromDate' | 'toDate'>,
    after: RecordPlace | undefined,
    limit: number,
  ): readonly RecordRow[]
  /** A window of the records that match, newest first, and their count. */
  find(search: RecordSearch, window: RecordWindow): FoundRecords
}

/** The filters for payments, with the values behind `scenario`, which external records don't have. */
export interface RecordFilter extends PaymentFilter {
  readonly methodType?: readonly string[] | undefined
  readonly last4Digits?: readonly string[] | undefined
}

/** A place in the list of all records. The list is sorted by time, then source (external first), then `seq`. */
export interface RecordPlace {
  readonly time: string
  readonly source: RecordSource
  readonly seq: number
}

export type RecordSource = 'payments' | 'external'

export interface RecordPosition {
  readonly direction: 'older' | 'newer'
  readonly place: RecordPlace
}

export type RecordRow = {
  readonly place: RecordPlace
  /** Of the stored text, in characters. */
  readonly size: number
} & (
  | {
      readonly source: 'payments'
      readonly payment: StoredPayment
      readonly addition: RecordAddition | undefined
    }
  | { readonly source: 'external'; readonly record: ExternalPayment }
)

/** What a PATCH added to the record of a payment. */
export type RecordAddition = Readonly<Record<string, unknown>>

/**
 * What a search of all records asks for. A filter with several values matches any of them; the value {@link NO_VALUE}
 * matches records without one.
 */
export interface RecordSearch {
  /** Part of an ID, an order or a customer, in upper or lower case. */
  readonly text?: string | undefined
  readonly source?: readonly RecordSource[] | undefined
  readonly status?: readonly string[] | undefined
  readonly currencyCode?: readonly string[] | undefined
  readonly methodType?: readonly string[] | undefined
  /** The scenarios behind `methodType`: these decide how the method of a payment is shown. */
  readonly scenario?: readonly string[] | undefined
  readonly processor?: readonly string[] | undefined
  readonly countryCode?: readonly string[] | undefined
  /** Codes of status reasons. */
  readonly reason?: readonly string[] | undefined
  readonly customerId?: readonly string[] | undefined
  readonly orderId?: readonly string[] | undefined
  /** In the form of stored dates, both included. */
  readonly fromDate?: string | undefined
  readonly toDate?: string | undefined
}

export const NO_VALUE = 'none'

/** A part of the list of records that match, newest first. */
export interface RecordWindow {
  readonly offset: number
  readonly limit: number
  /** The list starts here: records created later are only counted, so that they don't move the others. */
  readonly start?: RecordPlace | undefined
}

export interface FoundRecords {
  /** How many records match, from `start` on. */
  readonly total: number
  /** How many match and are newer than `start`. */
  readonly newer: number
  readonly rows: readonly RecordRow[]
}
