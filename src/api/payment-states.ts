import { PAYMENT_STATUSES } from './sets.ts'
import type { PaymentStatus } from './sets.ts'
import { timeMsOf } from '../text/local-time.ts'

/** What a status says about a payment, whatever its amounts are. */
interface PaymentState {
  /** Whether the payment was ever authorized. */
  readonly authorized: 'yes' | 'no' | 'unknown'
  /** How much of the authorization is captured or, after a final capture, used up. */
  readonly captured: 'none' | 'part' | 'all'
}

export const PAYMENT_STATES: Readonly<Record<PaymentStatus, PaymentState>> = {
  PENDING: { authorized: 'no', captured: 'none' },
  AUTHORIZED: { authorized: 'yes', captured: 'none' },
  SETTLING: { authorized: 'yes', captured: 'all' },
  PARTIALLY_SETTLED: { authorized: 'yes', captured: 'part' },
  SETTLED: { authorized: 'yes', captured: 'all' },
  DECLINED: { authorized: 'no', captured: 'none' },
  FAILED: { authorized: 'no', captured: 'none' },
  CANCELLED: { authorized: 'unknown', captured: 'none' },
}

/** What a status says; undefined for a status that only a later version of the service has. */
export const stateOf = (status: unknown): PaymentState | undefined => {
  const known = knownStatus(status)
  return known === undefined ? undefined : PAYMENT_STATES[known]
}

export const knownStatus = (status: unknown): PaymentStatus | undefined =>
  PAYMENT_STATUSES.find((one) => one === status)

/** `failed`: it returned no money, unless the processor never responded. */
export type RefundState = 'pending' | 'done' | 'failed'

/** What a refund's `processorStatus` says. Processors also write REJECTED, which no payment has. */
const REFUND_STATES: Readonly<Record<PaymentStatus | 'REJECTED', RefundState>> = {
  PENDING: 'pending',
  AUTHORIZED: 'pending',
  SETTLING: 'pending',
  PARTIALLY_SETTLED: 'pending',
  SETTLED: 'done',
  DECLINED: 'failed',
  FAILED: 'failed',
  CANCELLED: 'failed',
  REJECTED: 'failed',
}

/** The known statuses of refunds in this state. */
export const refundStatuses = (state: RefundState): readonly string[] =>
  Object.entries(REFUND_STATES).flatMap(([status, one]) => (one === state ? [status] : []))

/** The state of a refund. A `processorStatus` that isn't known, or is missing, is not final. */
export const refundStateOf = (processorStatus: string | undefined): RefundState => {
  const states: Readonly<Record<string, RefundState>> = REFUND_STATES
  if (processorStatus === undefined || !Object.hasOwn(states, processorStatus)) return 'pending'
  return states[processorStatus] ?? 'pending'
}

interface TypedEntry {
  readonly transactionType?: unknown
  readonly type?: unknown
}

/** What a transaction of a payment is, such as REFUND. Some services call the field `type`. */
export function transactionTypeOf({ transactionType, type }: TypedEntry): string | undefined {
  const named = transactionType ?? type
  return typeof named === 'string' ? named : undefined
}

interface RefundEntry extends TypedEntry {
  readonly processorStatus?: string | undefined
  readonly amount?: number | undefined
  readonly date?: string | undefined
}

const isRefund = (entry: RefundEntry): boolean => transactionTypeOf(entry) === 'REFUND'
const isFailed = ({ processorStatus }: RefundEntry): boolean => refundStateOf(processorStatus) === 'failed'

/** Whether a refund failed and no later refund of the same amount took its place. */
export function hasUnrepairedRefund(transactions: readonly RefundEntry[]): boolean {
  const msOf = ({ date = '' }: RefundEntry) => timeMsOf(date) ?? 0
  const refunds = transactions.filter(isRefund)
  const repairs = refunds.filter((refund) => !isFailed(refund))
  return refunds.filter(isFailed).some((failed) => {
    // Each later refund takes the place of one.
    const at = repairs.findIndex((one) => one.amount === failed.amount && msOf(one) > msOf(failed))
    if (at !== -1) repairs.splice(at, 1)
    return at === -1
  })
}

/** What became of a payment's refunds; it may fit several. `partial` and `full` count pending refunds. */
export const REFUND_FILTERS = ['none', 'partial', 'full', 'pending', 'failed'] as const
export type RefundFilter = (typeof REFUND_FILTERS)[number]

/** Whether the payment fits; undefined if it doesn't tell: a list's row has no transactions. */
export function fitsRefunds(
  filter: RefundFilter,
  {
    processor,
    transactions,
  }: {
    readonly processor?:
      | { readonly amountCaptured?: number | undefined; readonly amountRefunded?: number | undefined }
      | undefined
    readonly transactions?: readonly RefundEntry[] | undefined
  },
): boolean | undefined {
  const { amountCaptured: captured, amountRefunded: refunded } = processor ?? {}
  const refunds = transactions?.filter(isRefund)
  switch (filter) {
    case 'none':
      return refunds?.every(isFailed) ?? (refunded === undefined ? undefined : refunded === 0)
    case 'partial':
    case 'full':
      if (refunded === 0) return false
      if (captured === undefined || refunded === undefined) return undefined
      return filter === 'full' ? refunded >= captured : refunded < captured
    case 'pending':
      if (refunded === 0) return false
      return refunds?.some(({ processorStatus }) => refundStateOf(processorStatus) === 'pending')
    case 'failed':
      // Nothing was captured, so nothing could be refunded.
      return captured === 0 ? false : refunds?.some(isFailed)
  }
}
