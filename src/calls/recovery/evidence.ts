import { factsOf } from '../../api/facts/facts.ts'
import { stateOf } from '../../api/payment-states.ts'
import { EXIT } from '../../errors.ts'
import type { DoneIntent } from '../../ledger/port.ts'
import type { Evidence } from '../client-port.ts'
import { isDatedAfter, parseTimeMs } from '../clock-skew.ts'
import { isRecord } from '../../is-record.ts'

type Fields = Readonly<Record<string, unknown>>

export interface EvidenceQuery {
  readonly operation: string
  readonly request: unknown
  readonly since: Date
  /** Other writes on the payment that are recorded here: none of them is this one. Those of other operations don't count. */
  readonly others: readonly DoneIntent[]
}

/**
 * What a payment shows of one write. When in doubt, `unclear`: an amount that was refunded or captured may have been moved by
 * someone else, so it never proves a write.
 */
export function evidenceOf({ others, ...write }: EvidenceQuery, payment: unknown): Evidence {
  if (!isRecord(payment)) return 'unclear'
  const query = { ...write, others: others.filter(({ operation }) => operation === write.operation) }
  const request = isRecord(query.request) ? query.request : {}
  const status = textOf(payment, 'status')
  const processor = isRecord(payment['processor']) ? payment['processor'] : {}
  switch (factsOf(query.operation)?.effect) {
    case 'refunded':
      return evidenceOfRefund(query, request, payment, processor)
    case 'captured':
      return evidenceOfCapture(query, request, payment, processor)
    case 'cancelled':
      return evidenceOfCancellation(query, status)
    case 'authorized':
      return evidenceOfAuthorization(query, request, payment, processor)
    case 'created':
    case 'adjusted':
    case 'resumed':
    case 'none':
    case undefined:
      return 'unclear'
  }
}

/** Counts failed refunds too: they were processed. */
function evidenceOfRefund(
  { since, others }: EvidenceQuery,
  request: Fields,
  payment: Fields,
  processor: Fields,
): Evidence {
  const { transactions } = payment
  const refunded = processor['amountRefunded']
  if (!Array.isArray(transactions))
    return typeof refunded === 'number' && refunded < minAmountOf(request['amount']) ? 'absent' : 'unclear'
  const entries: readonly unknown[] = transactions
  const refunds = entries.filter(isRecord).filter((entry) => isAlike('REFUND', entry['transactionType']))
  const ofAmount = refunds.filter(
    ({ amount }) => typeof amount !== 'number' || isAlike(request['amount'], amount),
  )
  // Each other refund recorded here has its own entry. If there are no more entries than those, this one has none.
  const accounted = others.filter(
    ({ amount }) => request['amount'] === undefined || amount === request['amount'],
  )
  const ifNone = listsAll(refunds, refunded) ? 'absent' : 'unclear'
  if (ofAmount.length <= accounted.length) return ifNone
  const moments = ofAmount.map(({ date }) => parseTimeMs(date))
  if (moments.includes(undefined)) return 'unclear'
  const whether = moments.map((ms) => isDatedAfter(ms ?? 0, since))
  return whether.every((is) => is === 'no') ? ifNone : 'unclear'
}

/** False if more was refunded than the listed refunds add up to: this refund may be one that is not listed. */
function listsAll(refunds: readonly Fields[], refunded: unknown): boolean {
  const listed = sumOf(refunds.filter((refund) => !hasFailed(refund)))
  return typeof refunded !== 'number' || refunded <= listed
}

const sumOf = (refunds: readonly Fields[]): number =>
  refunds.reduce((sum, { amount }) => sum + (typeof amount === 'number' ? amount : 0), 0)

/** The amount of a failed refund can be refunded again, so it is not part of `amountRefunded`. */
const hasFailed = ({ processorStatus }: Fields): boolean => processorStatus === 'FAILED'

/** What the status alone says of captures. A declined or failed payment may show a capture that was processed and failed. */
const capturedIn = (status: string | undefined) =>
  status === 'DECLINED' || status === 'FAILED' ? undefined : stateOf(status)?.captured

function evidenceOfCapture(
  { others }: EvidenceQuery,
  request: Fields,
  payment: Fields,
  processor: Fields,
): Evidence {
  const state = capturedIn(textOf(payment, 'status'))
  const captured = processor['amountCaptured']
  if (typeof captured !== 'number') return state === 'none' ? 'absent' : 'unclear'
  const captures = others.filter(isDone)
  const elsewhere = captures.reduce((sum, { amount }) => sum + minAmountOf(amount), 0)
  const rest = captured - elsewhere
  // The figure is lower than the captures that are known to be done, so it is wrong or out of date.
  if (rest < 0) return 'unclear'
  if (rest < minAmountOf(request['amount']))
    // While and after a payment settles, its figures may lag behind.
    return state === 'none' || state === 'part' ? 'absent' : 'unclear'
  return 'unclear'
}

function evidenceOfCancellation({ others }: EvidenceQuery, status: string | undefined): Evidence {
  // A payment can be cancelled only once, and another write did that.
  if (others.some(isDone)) return 'absent'
  if (status === 'CANCELLED') return 'shown'
  return stateOf(status) === undefined ? 'unclear' : 'absent'
}

function evidenceOfAuthorization(
  { others }: EvidenceQuery,
  request: Fields,
  payment: Fields,
  processor: Fields,
): Evidence {
  const status = textOf(payment, 'status')
  // The payment may be waiting for its customer because of this authorization.
  if (status === 'PENDING') return isRecord(payment['requiredAction']) ? 'unclear' : 'absent'
  // A payment can be authorized only once, and another write did that.
  if (others.some(isDone)) return 'absent'
  if (status === undefined || ['CANCELLED', 'DECLINED', 'FAILED'].includes(status)) return 'unclear'
  const wanted = isRecord(request['processor']) ? request['processor'] : {}
  const merchant = processor['processorMerchantId']
  return merchant !== undefined && merchant === wanted['processorMerchantId'] ? 'shown' : 'unclear'
}

const isDone = ({ exitCode }: DoneIntent): boolean => exitCode === EXIT.done

const minAmountOf = (requested: unknown): number => (typeof requested === 'number' ? requested : 1)

/** A value missing on either side proves nothing. */
const isAlike = (requested: unknown, found: unknown): boolean =>
  requested === undefined || found === undefined || found === null || requested === found

function textOf(record: Fields, key: string): string | undefined {
  const value = record[key]
  return typeof value === 'string' ? value : undefined
}
