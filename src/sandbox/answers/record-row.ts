import type { RecordRow } from '../domain/store/record-store.ts'

/** One line of the list of records. Amounts are in minor units. */
export interface RecordLine {
  readonly id: string
  readonly source: 'payments' | 'external'
  readonly orderId: string | undefined
  readonly customerId: string | undefined
  readonly customerEmail: string | undefined
  readonly status: string | undefined
  readonly amount: number | undefined
  /** null where the record doesn't say. */
  readonly amountCaptured: number | null
  readonly amountRefunded: number | null
  readonly currencyCode: string | undefined
  /** Such as `PAYMENT_CARD`. */
  readonly method: string | undefined
  readonly network: string | undefined
  readonly last4Digits: string | undefined
  readonly processor: string | undefined
  /** UTC, as payments show it. */
  readonly date: string
}

export const lineOf = (row: RecordRow): RecordLine => ({
  id: row.id,
  source: row.source,
  orderId: row.orderId,
  customerId: row.customerId,
  customerEmail: row.customerEmail,
  status: row.status,
  amount: row.amount,
  amountCaptured: row.amountCaptured ?? null,
  amountRefunded: row.amountRefunded ?? null,
  currencyCode: row.currencyCode,
  method: row.method,
  network: row.network,
  last4Digits: row.last4Digits,
  processor: row.processor,
  date: row.time,
})
