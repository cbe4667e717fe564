import { factsOf } from '../../api/facts.ts'
import { refundStateOf, stateOf, transactionTypeOf } from '../../api/payment-states.ts'
import { EXIT } from '../../errors.ts'
import { SKEW_MS } from '../ledger/moment.ts'
import type { DoneWrite, Snapshot } from '../ledger/port.ts'
import type { Evidence } from '../calls/client-port.ts'
import { parseTimeMs } from '../../text/local-time.ts'
import { isRecord } from '../../json/is-record.ts'
import { textAt } from '../../json/fields.ts'

type Fields = Readonly<Record<string, unknown>>

interface EvidenceQuery {
  readonly operation: string
  readonly request: unknown
  /** The first attempt, on the service's clock: an effect that is clearly older belongs to another write. Undefined: any date counts. */
  readonly sinceMs: number | undefined
  /** Other writes on the payment that are confirmed in this ledger: each explains one effect. */
  readonly others: readonly DoneWrite[]
  /** The payment as it was read right before the write. */
  readonly before?: Snapshot | undefined
}

export interface Sight {
  readonly evidence: Evidence
  /** The date of the effect that is shown, as the payment has it. */
  readonly effectAt?: string | undefined
}

const sight = (evidence: Evidence): Sight => ({ evidence })

/** What a payment shows of one write. An equal effect may be somebody else's: nothing in a payment tells whose it is. */
export function evidenceOf(query: EvidenceQuery, payment: unknown): Sight {
  if (!isRecord(payment)) return sight('hidden')
  const others = query.others.filter(
    ({ operation, exitCode }) => operation === query.operation && exitCode !== EXIT.declined,
  )
  const request = isRecord(query.request) ? query.request : {}
  const status = textAt(payment, 'status')
  const processor = isRecord(payment['processor']) ? payment['processor'] : {}
  switch (factsOf(query.operation)?.effect) {
    case 'refunded':
      return evidenceOfRefund({ ...query, others }, request, payment, processor)
    case 'captured':
      return sight(evidenceOfCapture({ ...query, others }, request, payment, processor))
    case 'cancelled':
      if (status === 'CANCELLED') return sight('shown')
      return sight(stateOf(status) === undefined ? 'hidden' : 'absent')
    case 'authorized':
      return sight(evidenceOfAuthorization(others, request, payment, processor))
    case 'created':
    case 'adjusted':
    case 'resumed':
    case 'none':
    case undefined:
      return sight('hidden')
  }
}

function evidenceOfRefund(
  { sinceMs, others, before }: EvidenceQuery,
  request: Fields,
  payment: Fields,
  processor: Fields,
): Sight {
  const { transactions } = payment
  const { amountRefunded: refunded, amountCaptured: captured } = processor
  const { amount } = request
  if (!Array.isArray(transactions))
    return sight(evidenceOfSum(refunded, before?.refunded ?? sumOf(others), amount))
  const entries: readonly unknown[] = transactions
  const refunds = entries
    .filter(isRecord)
    .filter((entry) => isAlike('REFUND', transactionTypeOf(entry)) && entry['processorStatus'] !== 'FAILED')
  const unexplained = refunds.filter((entry) => isAlike(amount, entry['amount']))
  let unnoted = 0
  for (const other of others) {
    if (amount !== undefined && other.amount !== undefined && other.amount !== amount) continue
    const at =
      other.effectAt === undefined ? -1 : unexplained.findIndex(({ date }) => date === other.effectAt)
    if (at >= 0) unexplained.splice(at, 1)
    // That write ended before this one was sent, so only a difference between two clocks can date its effect later.
    else if (other.effectAt === undefined && isSince(other.endedServiceMs, sinceMs, 2)) unnoted += 1
  }
  const since = unexplained.filter(({ date }) => isSince(parseTimeMs(date), sinceMs))
  if (since.length === 0) {
    // More was refunded than is listed: this one may be what is missing. What failed returned nothing.
    const returned = refunds.filter((entry) => refundStateOf(textAt(entry, 'processorStatus')) !== 'failed')
    const missing =
      typeof refunded === 'number'
        ? Math.min(refunded - sumOf(returned), refunded - (before?.refunded ?? 0))
        : 0
    return sight(missing <= 0 || missing < least(amount) ? 'absent' : 'unclear')
  }
  if (since.length <= unnoted) return sight('unclear')
  // A refund of all that was left leaves nothing, unless more was captured since.
  const isAll = typeof refunded === 'number' && typeof captured === 'number' && refunded >= captured
  if (amount === undefined && !isAll) return sight('unclear')
  const [first] = since
  return { evidence: 'shown', effectAt: first === undefined ? undefined : textAt(first, 'date') }
}

/** Whether a moment isn't earlier than another, allowing for the difference between two clocks; true if one is unknown. */
const isSince = (ms: number | undefined, sinceMs: number | undefined, times = 1): boolean =>
  ms === undefined || sinceMs === undefined || ms >= sinceMs - times * SKEW_MS

/** What a sum without dates shows: whether it has grown by the amount since `known`. */
function evidenceOfSum(sum: unknown, known: number, amount: unknown): Evidence {
  if (typeof sum !== 'number') return 'hidden'
  const grown = sum - known
  // The figure is lower than what is known to be done, so it is wrong or out of date.
  if (grown < 0) return 'hidden'
  if (grown < least(amount)) return 'absent'
  return grown === amount ? 'shown' : 'unclear'
}

function evidenceOfCapture(
  { others, before }: EvidenceQuery,
  request: Fields,
  payment: Fields,
  { amountCaptured }: Fields,
): Evidence {
  const status = textAt(payment, 'status')
  // A declined or failed payment may show a capture that was processed and failed.
  const state = status === 'DECLINED' || status === 'FAILED' ? undefined : stateOf(status)?.captured
  if (typeof amountCaptured !== 'number') return state === 'none' ? 'absent' : 'hidden'
  const found = evidenceOfSum(amountCaptured, before?.captured ?? sumOf(others), request['amount'])
  const isAnyOpen = before?.captured === undefined && others.some(({ amount }) => amount === undefined)
  // A capture without a recorded amount may explain all of it.
  if (isAnyOpen && (found === 'shown' || found === 'unclear')) return 'unclear'
  // While and after a payment settles, its figures may lag behind.
  if (found === 'absent') return state === 'none' || state === 'part' ? 'absent' : 'hidden'
  // Without an amount, it captures all that is left.
  return found === 'unclear' && request['amount'] === undefined && state === 'all' ? 'shown' : found
}

function evidenceOfAuthorization(
  others: readonly DoneWrite[],
  request: Fields,
  payment: Fields,
  processor: Fields,
): Evidence {
  const status = textAt(payment, 'status')
  // The payment may be waiting for its customer because of this authorization.
  if (status === 'PENDING') return isRecord(payment['requiredAction']) ? 'hidden' : 'absent'
  const wanted = isRecord(request['processor']) ? request['processor'] : {}
  const merchant = processor['processorMerchantId']
  const isOpen = status === undefined || ['CANCELLED', 'DECLINED', 'FAILED'].includes(status)
  if (!isOpen && merchant !== undefined && merchant === wanted['processorMerchantId']) return 'shown'
  // A payment can be authorized only once, and another write did that.
  return others.length > 0 ? 'absent' : 'hidden'
}

const sumOf = (amounts: readonly { readonly amount?: unknown }[]): number =>
  amounts.reduce((sum, { amount }) => sum + (typeof amount === 'number' ? amount : 0), 0)

/** The least that a write of this amount moves. */
const least = (amount: unknown): number => (typeof amount === 'number' ? amount : 1)

/** A value missing on either side proves nothing. */
export const isAlike = (requested: unknown, found: unknown): boolean =>
  requested === undefined || found === undefined || found === null || requested === found
