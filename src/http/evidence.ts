import { EXIT } from '../errors.ts'
import type { DoneIntent } from '../intent.ts'

/**
 * What a payment, read long after a write, tells of that write. `absent`: it was not done. `shown`: it was, once.
 * `unclear`: more than one story fits what is there.
 */
export type Evidence = 'absent' | 'shown' | 'unclear'

type Fields = Readonly<Record<string, unknown>>

/** Clocks of two machines differ, and so may the moments they give to one event. */
const CLOCKS_DIFFER_MS = 5 * 60 * 1000

export interface Asked {
  readonly operation: string
  readonly request: unknown
  readonly since: Date
  /** What else was done to the payment from here: none of it is this one. */
  readonly others: readonly DoneIntent[]
}

export function evidenceOf(asked: Asked, payment: unknown): Evidence {
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
      return evidenceOfAuthorization(asked, request, processor, status)
    default:
      return 'unclear'
  }
}

/** A refund that failed is one that was processed, so it counts. */
function evidenceOfRefund(
  { since, others }: Asked,
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
  const dates = ofAmount.map((entry) => momentOf(textOf(entry, 'date')))
  if (dates.includes(undefined)) return 'unclear'
  const fromMs = since.getTime() - CLOCKS_DIFFER_MS
  const late = ofAmount.filter((_, index) => (dates[index] ?? 0) >= fromMs)
  if (late.length === 0) return listsAll(refunds, refunded) ? 'absent' : 'unclear'
  // Another of ours that is as good as the same may be what is seen.
  const hasTwin = others.some(
    ({ operation, amount, endedAt }) =>
      operation === 'payment.refund' &&
      (amount === undefined || isAlike(request['amount'], amount)) &&
      endedAt.getTime() >= fromMs - CLOCKS_DIFFER_MS,
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

const BEFORE_CAPTURE = ['PENDING', 'AUTHORIZED', 'CANCELLED']

function evidenceOfCapture({ others }: Asked, request: Fields, payment: Fields, processor: Fields): Evidence {
  const status = textOf(payment, 'status')
  const captured = processor['amountCaptured']
  if (typeof captured !== 'number')
    return status !== undefined && BEFORE_CAPTURE.includes(status) ? 'absent' : 'unclear'
  const captures = others.filter((other) => isDone(other, 'payment.capture'))
  const elsewhere = captures.reduce((sum, { amount }) => sum + leastOf(amount), 0)
  const rest = captured - elsewhere
  // Less than what is known to be done: the figure is no use.
  if (rest < 0) return 'unclear'
  if (rest < leastOf(request['amount'])) return 'absent'
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

function evidenceOfCancellation({ others }: Asked, status: string | undefined): Evidence {
  // It can be cancelled once, and that was another one.
  if (others.some((other) => isDone(other, 'payment.cancel'))) return 'absent'
  if (status === 'CANCELLED') return 'shown'
  return status !== undefined && NOT_CANCELLED.includes(status) ? 'absent' : 'unclear'
}

function evidenceOfAuthorization(
  { others }: Asked,
  request: Fields,
  processor: Fields,
  status: string | undefined,
): Evidence {
  if (status === 'PENDING') return 'absent'
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

/** Times without a zone are UTC. */
export function momentOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`)
  return Number.isNaN(ms) ? undefined : ms
}

function textOf(record: Fields, key: string): string | undefined {
  const value = record[key]
  return typeof value === 'string' ? value : undefined
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
