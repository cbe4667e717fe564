import { EXIT } from '../../errors.ts'
import type { DoneIntent } from '../../ledger/port.ts'
import type { Evidence } from '../client-port.ts'
import { isSince, momentOf } from '../clocks.ts'
import { isRecord } from '../../is-record.ts'

type Fields = Readonly<Record<string, unknown>>

export interface EvidenceQuery {
  readonly operation: string
  readonly request: unknown
  readonly since: Date
  /** What else was done to the payment from here: none of it is this one. */
  readonly others: readonly DoneIntent[]
}

export function evidenceOf(asked: EvidenceQuery, payment: unknown): Evidence {
  if (!isRecord(payment)) return 'unclear'
  const request = isRecord(asked.request) ? asked.request : {}
  const status = textOf(payment, 'status')
  const processor = isRecord(payment['processor']) ? payment['processor'] : {}
  switch (asked.operation) {
    case 'payment.refund':
      return evidenceOfRefund(asked, request, payment, processor)
    case 'payment.capture':
      return evidenceOfCapture(asked, request, payment, processor)
    case 'payment.cancel':
      return evidenceOfCancellation(asked, status)
    case 'payment.authorize':
      return evidenceOfAuthorization(asked, request, payment, processor)
    default:
      return 'unclear'
  }
}

/** A refund that failed is one that was processed, so it counts. */
function evidenceOfRefund(
  { since, others }: EvidenceQuery,
  request: Fields,
  payment: Fields,
  processor: Fields,
): Evidence {
  const { transactions } = payment
  const refunded = processor['amountRefunded']
  if (!Array.isArray(transactions))
    return typeof refunded === 'number' && refunded < leastOf(request['amount']) ? 'absent' : 'unclear'
  const entries: readonly unknown[] = transactions
  const refunds = entries.filter(isRecord).filter((entry) => isAlike('REFUND', entry['transactionType']))
  const ofAmount = refunds.filter(
    ({ amount }) => typeof amount !== 'number' || isAlike(request['amount'], amount),
  )
  const otherRefunds = others.filter(({ operation }) => operation === 'payment.refund')
  // Each of ours has left an entry of its own, whatever the clocks say: with no more than those, this one has none.
  const accounted = otherRefunds.filter(
    ({ amount }) => request['amount'] === undefined || amount === request['amount'],
  )
  const ifNone = listsAll(refunds, refunded) ? 'absent' : 'unclear'
  if (ofAmount.length <= accounted.length) return ifNone
  const moments = ofAmount.map(({ date }) => momentOf(date))
  if (moments.includes(undefined)) return 'unclear'
  const whether = moments.map((ms) => isSince(ms ?? 0, since))
  const late = ofAmount.filter((_, index) => whether[index] === 'yes')
  if (late.length === 0) return whether.includes('perhaps') ? 'unclear' : ifNone
  // Another of ours that is as good as the same may be what is seen.
  const hasTwin = otherRefunds.some(
    ({ amount, endedAt }) => isAlike(request['amount'], amount) && isSince(endedAt.getTime(), since) !== 'no',
  )
  // Words may have been shortened on their way: that they differ does not tell one from another.
  const sameWords = late.filter((entry) =>
    ['orderId', 'reason'].every((field) => isAlike(request[field], entry[field])),
  )
  // Without an amount all that was left was asked for: what has left something was another one.
  const taken = (typeof refunded === 'number' ? refunded : 0) + sumOf(late.filter(hasFailed))
  const leavesMore = request['amount'] === undefined && taken !== processor['amountCaptured']
  return sameWords.length === 1 && !hasTwin && !leavesMore ? 'shown' : 'unclear'
}

/** More given back than the list tells of: then what is not in it may have been done. */
function listsAll(refunds: readonly Fields[], refunded: unknown): boolean {
  const listed = sumOf(refunds.filter((refund) => !hasFailed(refund)))
  return typeof refunded !== 'number' || refunded <= listed
}

const sumOf = (refunds: readonly Fields[]): number =>
  refunds.reduce((sum, { amount }) => sum + (typeof amount === 'number' ? amount : 0), 0)

/** Its amount was given back to what can be refunded. */
const hasFailed = ({ processorStatus }: Fields): boolean => processorStatus === 'FAILED'

/** Of a payment in one of these nothing is captured, whatever figures are missing. */
const BEFORE_CAPTURE = ['PENDING', 'AUTHORIZED', 'CANCELLED']
/** In these the figures tell. Those of a payment that is being settled, or is, may lag behind that. */
const SHOWS_CAPTURED = [...BEFORE_CAPTURE, 'PARTIALLY_SETTLED']

function evidenceOfCapture(
  { others }: EvidenceQuery,
  request: Fields,
  payment: Fields,
  processor: Fields,
): Evidence {
  const status = textOf(payment, 'status')
  const captured = processor['amountCaptured']
  if (typeof captured !== 'number')
    return status !== undefined && BEFORE_CAPTURE.includes(status) ? 'absent' : 'unclear'
  const captures = others.filter((other) => isDone(other, 'payment.capture'))
  const elsewhere = captures.reduce((sum, { amount }) => sum + leastOf(amount), 0)
  const rest = captured - elsewhere
  // Less than what is known to be done: the figure is no use.
  if (rest < 0) return 'unclear'
  if (rest < leastOf(request['amount']))
    return status !== undefined && SHOWS_CAPTURED.includes(status) ? 'absent' : 'unclear'
  // Without an amount all that was left was asked for.
  const isAll = request['amount'] === undefined && captured === payment['amount']
  const isKnown = captures.every(({ amount }) => amount !== undefined)
  return isKnown && (isAll || rest === request['amount']) ? 'shown' : 'unclear'
}

const NOT_CANCELLED = [
  'PENDING',
  'AUTHORIZED',
  'SETTLING',
  'PARTIALLY_SETTLED',
  'SETTLED',
  'DECLINED',
  'FAILED',
]

function evidenceOfCancellation({ others }: EvidenceQuery, status: string | undefined): Evidence {
  // It can be cancelled once, and that was another one.
  if (others.some((other) => isDone(other, 'payment.cancel'))) return 'absent'
  if (status === 'CANCELLED') return 'shown'
  return status !== undefined && NOT_CANCELLED.includes(status) ? 'absent' : 'unclear'
}

function evidenceOfAuthorization(
  { others }: EvidenceQuery,
  request: Fields,
  payment: Fields,
  processor: Fields,
): Evidence {
  const status = textOf(payment, 'status')
  // One that waits for its customer may do so because of this one.
  if (status === 'PENDING') return isRecord(payment['requiredAction']) ? 'unclear' : 'absent'
  // Nothing authorizes it once more.
  if (others.some((other) => isDone(other, 'payment.authorize'))) return 'absent'
  if (status === undefined || ['CANCELLED', 'DECLINED', 'FAILED'].includes(status)) return 'unclear'
  const wanted = isRecord(request['processor']) ? request['processor'] : {}
  const merchant = processor['processorMerchantId']
  return merchant !== undefined && merchant === wanted['processorMerchantId'] ? 'shown' : 'unclear'
}

const isDone = ({ operation, exitCode }: DoneIntent, wanted: string): boolean =>
  operation === wanted && exitCode === EXIT.done

const leastOf = (asked: unknown): number => (typeof asked === 'number' ? asked : 1)

/** What was left out on either side tells nothing. */
const isAlike = (asked: unknown, found: unknown): boolean =>
  asked === undefined || found === undefined || found === null || asked === found

function textOf(record: Fields, key: string): string | undefined {
  const value = record[key]
  return typeof value === 'string' ? value : undefined
}
