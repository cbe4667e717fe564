import type { ExternalPayment } from '../../../api/models/external-payment.ts'
import type { PaymentFilter } from './payment-filter.ts'
import type { StoredPayment } from './stored-payment.ts'

/** The records of all payments: those made in the sandbox, and external ones. */
export interface RecordStore {
  /** What a PATCH added to the record of a payment. */
  addition(paymentId: string): RecordAddition | undefined
  saveAddition(paymentId: string, addition: RecordAddition): void
  /** Newest first, or oldest first if the position's direction is `newer`. */
  list(filter: RecordFilter, position: RecordPosition | undefined, limit: number): readonly RecordRow[]
  /** Some of the records of one source, oldest first: those after a place. */
  slice(
    source: RecordSource,
    period: Pick<RecordFilter, 'fromDate' | 'toDate'>,
    after: RecordPlace | undefined,
    limit: number,
  ): readonly RecordRow[]
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

export type RecordRow =
  | {
      readonly source: 'payments'
      readonly place: RecordPlace
      readonly payment: StoredPayment
      readonly addition: RecordAddition | undefined
    }
  | { readonly source: 'external'; readonly place: RecordPlace; readonly record: ExternalPayment }

/** What a PATCH added to the record of a payment. */
export type RecordAddition = Readonly<Record<string, unknown>>
