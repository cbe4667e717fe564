import type { BatchOperation } from '../../../src/rows/batch/plan.ts'
import type { ReadyRow } from '../../../src/rows/batch/apply/ready-row.ts'
import type { HttpRequest } from '../../../src/client/http/transport-port.ts'
import { isRecord } from '../../../src/json/is-record.ts'

/** What a request asks of a payment. */
export interface BatchWrite {
  readonly operation: BatchOperation | 'adjust-authorization'
  readonly paymentId: string
  /** Minor units; 0 for a cancellation. */
  readonly amount: number
  /** Whether it is a capture that releases what it leaves of the authorization. */
  readonly isFinal: boolean
}

export const paymentIn = ({ url }: HttpRequest): string => /\/payments\/([^/]+)/.exec(url)?.[1] ?? ''

export function writeIn(request: HttpRequest): BatchWrite {
  const name = request.url.slice(request.url.lastIndexOf('/') + 1)
  const body: unknown = JSON.parse(request.body ?? '{}')
  const { amount, final } = isRecord(body) ? body : {}
  const operation = OPERATIONS.find((one) => one === name)
  if (operation === undefined) throw new Error(`not a write of a batch: ${request.url}`)
  return {
    operation,
    paymentId: paymentIn(request),
    amount: Number(amount ?? 0),
    isFinal: operation === 'capture' && final !== false,
  }
}

const OPERATIONS = ['refund', 'capture', 'cancel', 'adjust-authorization'] as const

/** In words, for the evidence of a broken promise. */
export const describe = ({ operation, paymentId, amount, isFinal }: BatchWrite): string =>
  `${isFinal ? 'the last ' : ''}${operation}${amount === 0 ? '' : ` of ${amount}`} on ${paymentId}`

/** Names the write of a ticket, which has the same key on every machine. */
export const ticketName = (
  operation: BatchOperation,
  { paymentId, ticket }: Pick<ReadyRow, 'paymentId' | 'ticket'>,
): string => `ticket ${ticket} to ${operation} ${paymentId}`

/** Whether the figures of the payment have changed as if by this write alone. */
export const looksLike = (
  seen: readonly BatchWrite[],
  { operation, amount }: Pick<BatchWrite, 'operation' | 'amount'>,
): boolean =>
  seen.every((one) => one.operation === operation) &&
  seen.reduce((sum, one) => sum + one.amount, 0) === amount
