import { cancelPayment, capturePayment, refundPayment } from '../../../api/operations/payment.ts'
import { keyFromHash } from '../../../client/calls/build-intent.ts'
import type { Call, CallOperation } from '../../../client/calls/call.ts'
import { isRecord } from '../../../json/is-record.ts'
import { stringifyJson } from '../../../json/json.ts'
import type { BatchOperation, PlanHeader, PlanRow } from '../plan.ts'
import type { Figures } from '../../payments/payment-facts.ts'
import { sha256 } from '../../../files/sha256.ts'

/** A row that can be applied, reduced to what that needs. */
export interface ReadyRow extends Pick<
  PlanRow,
  'row' | 'line' | 'amount' | 'currencyCode' | 'orderId' | 'reason' | 'ticket'
> {
  readonly paymentId: string
  readonly figures: Figures
  /** True for a capture that must not be final. A service treats one as final by default. */
  readonly continues?: true
}

/** Reduces a row of the plan; undefined for one that is not ready. */
function readyRow(row: PlanRow): ReadyRow | undefined {
  const { row: number, line, verdict, paymentId, figures, amount, currencyCode, orderId } = row
  const { reason, ticket, final } = row
  if (verdict !== 'ready' || paymentId === undefined || figures === undefined) return undefined
  const ready = { row: number, line, paymentId, figures, amount, currencyCode, orderId, reason, ticket }
  return final === false ? { ...ready, continues: true } : ready
}

/** The ready rows of a plan, in the order of the file. Reads them from it each time. */
export const readyRowsOf = (rows: () => Iterable<PlanRow>): Iterable<ReadyRow> => ({
  *[Symbol.iterator]() {
    for (const row of rows()) {
      const found = readyRow(row)
      if (found !== undefined) yield found
    }
  },
})

export const OPERATIONS = {
  refund: refundPayment,
  capture: capturePayment,
  cancel: cancelPayment,
} as const satisfies Readonly<Record<BatchOperation, CallOperation>>

export type PlanIdentity = Pick<PlanHeader, 'planId' | 'operation'>

/** The call of a row, without its key. */
export function callOf(plan: PlanIdentity, row: ReadyRow): Call {
  const { paymentId: id, amount, currencyCode, orderId, reason } = row
  const body = bodyOf(plan.operation, row)
  return {
    operation: OPERATIONS[plan.operation],
    params: { id },
    ...(body === undefined ? {} : { body: { value: body, text: stringifyJson(body) } }),
    amount,
    currencyCode,
    orderId,
    reason,
    // The plan identifies each write, so equal rows are intended.
    mayRepeat: true,
  }
}

function bodyOf(operation: BatchOperation, { amount, reason, continues }: ReadyRow) {
  const words = reason === undefined ? {} : { reason }
  switch (operation) {
    case 'refund':
      return { amount, ...words }
    case 'capture':
      return continues === true ? { amount, final: false } : { amount }
    case 'cancel':
      return reason === undefined ? undefined : words
  }
}

/**
 * The key of a row without a ticket: the same on every machine, so that the service does the row once. Doesn't depend on
 * the amount, the digest or the API key, which say nothing about which row it is.
 */
export function rowKey(
  { planId, operation }: PlanIdentity,
  { row, paymentId }: Pick<ReadyRow, 'row' | 'paymentId'>,
): string {
  const parts = JSON.stringify(['batch row', planId, row, operation, paymentId])
  return keyFromHash(sha256(parts))
}

/** The currency of a payment as the service returns it. */
export const currencyOf = (payment: unknown): unknown =>
  isRecord(payment) ? payment['currencyCode'] : undefined
