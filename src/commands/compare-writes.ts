import { factsOf } from '../api/facts.ts'
import type { RefundFact } from '../rows/payments/payment-facts.ts'
import type { Reading } from '../rows/payments/payment-reader.ts'
import { isDatedAfter } from '../client/calls/service-clock.ts'
import { parseTimeMs } from '../text/local-time.ts'
import { EXIT } from '../errors.ts'
import type { StoredRecord } from '../client/ledger/record.ts'
import type { ComparedWrite } from '../views/ops/verification.ts'

type Compared = Pick<ComparedWrite, 'verdict' | 'recorded' | 'found' | 'message'>

/**
 * Compares the confirmed writes on a payment, oldest first, with the payment as it is, by ID. `writes` are all that this ledger knows:
 * each refund of the payment belongs to at most one of them.
 */
export function compareWrites(
  writes: readonly StoredRecord[],
  reading: Reading,
): ReadonlyMap<string, Compared> {
  const compare = reading.kind === 'payment' ? comparisonWith(writes, reading.facts) : undefined
  return new Map(
    writes.map((write) => {
      const recorded = write.amount ?? (effectOf(write) === 'cancelled' ? 'CANCELLED' : null)
      if (compare !== undefined) return [write.id, { recorded, ...compare(write) }]
      const verdict = reading.kind === 'not_found' ? 'missing' : 'unreadable'
      return [
        write.id,
        { recorded, verdict, found: null, message: 'message' in reading ? reading.message : '' },
      ]
    }),
  )
}

type Facts = Extract<Reading, { kind: 'payment' }>['facts']
type Found = Omit<Compared, 'recorded'>

export const effectOf = ({ operation }: StoredRecord) => factsOf(operation)?.effect

/** Whether the service accepted it; a declined write is confirmed too, and has moved nothing. */
const isDone = ({ exitCode }: StoredRecord): boolean => exitCode !== EXIT.declined

function comparisonWith(writes: readonly StoredRecord[], facts: Facts): (write: StoredRecord) => Found {
  const { status, figures } = facts
  const refundOf = refundsOf(writes, facts.refunds)
  const captureOf = capturesOf(writes, facts)
  const lastAdjustment = writes.findLast((write) => effectOf(write) === 'adjusted' && isDone(write))
  return (write) => {
    const asRecorded = { verdict: 'as_recorded', found: write.amount ?? status ?? null } as const
    if (!isDone(write)) return asRecorded
    switch (effectOf(write)) {
      case 'refunded':
        return refundOf(write)
      case 'captured':
        return captureOf(write)
      case 'cancelled':
        return { verdict: status === 'CANCELLED' ? 'as_recorded' : 'missing', found: status ?? null }
      case 'adjusted':
        return write !== lastAdjustment || figures === undefined || figures.amount === write.amount
          ? asRecorded
          : { verdict: 'missing', found: figures.amount }
      case 'authorized':
      case 'resumed':
        return status === 'PENDING' ? { verdict: 'pending', found: status } : asRecorded
      case 'created':
      case 'none':
      case undefined:
        return asRecorded
    }
  }
}

/** Gives each write the oldest refund of its amount that no other one has; a write of all that was left takes what remains. */
function refundsOf(
  writes: readonly StoredRecord[],
  refunds: readonly RefundFact[],
): (write: StoredRecord) => Found {
  const free = [...refunds]
  const own = new Map<string, RefundFact | undefined>()
  const ofLedger = writes.filter((write) => effectOf(write) === 'refunded')
  for (const write of ofLedger.toSorted(
    (one, other) => Number(one.amount === null) - Number(other.amount === null),
  )) {
    if (own.has(keyOf(write))) continue
    const at = free.findIndex((refund) => isAlike(write, refund) && isSince(write, refund))
    own.set(keyOf(write), at === -1 ? undefined : free.splice(at, 1)[0])
  }
  return (write) => {
    const refund = own.get(keyOf(write))
    if (refund === undefined) return { verdict: 'missing', found: 0 }
    const amount = refund.amount ?? write.amount
    if (refund.state === 'failed') return { verdict: 'failed_later', found: 'FAILED' }
    const others = free.filter(
      (other) => other.state !== 'failed' && isAlike(write, other) && isSince(write, other),
    )
    if (
      others.length > 0 &&
      amount !== null &&
      write === ofLedger.findLast((each) => each.amount === write.amount)
    )
      return { verdict: 'more', found: amount * (others.length + 1) }
    return { verdict: refund.state === 'pending' ? 'pending' : 'as_recorded', found: amount }
  }
}

/** What an effect belongs to. The service may answer a second write with a key without doing it, so both stand for one effect. */
const keyOf = ({ id, idempotencyKey }: StoredRecord): string => idempotencyKey ?? id

const isAlike = ({ amount }: StoredRecord, refund: RefundFact): boolean =>
  amount === null || refund.amount === undefined || refund.amount === amount

const isSince = ({ createdAt }: StoredRecord, { date }: RefundFact): boolean =>
  isDatedAfter(parseTimeMs(date) ?? Number.POSITIVE_INFINITY, new Date(createdAt)) !== 'no'

/** Gives the writes their captures. A payment shows only the sum, which fills the writes in their order. */
function capturesOf(
  writes: readonly StoredRecord[],
  { status, figures }: Facts,
): (write: StoredRecord) => Found {
  const captures = writes.filter((write) => effectOf(write) === 'captured' && isDone(write))
  let left = figures?.amountCaptured ?? 0
  const found = new Map<StoredRecord, number>()
  for (const write of captures) {
    const amount = Math.min(left, write.amount ?? left)
    found.set(write, amount)
    left -= amount
  }
  return (write) => {
    if (figures === undefined)
      return { verdict: 'unreadable', found: null, message: 'the payment does not show its amounts' }
    const amount = found.get(write) ?? 0
    if (status === 'SETTLING') return { verdict: 'pending', found: amount }
    if (amount < (write.amount ?? 1)) return { verdict: 'missing', found: amount }
    const isMore = write === captures.at(-1) && write.amount !== null && left >= write.amount
    return isMore ? { verdict: 'more', found: amount + left } : { verdict: 'as_recorded', found: amount }
  }
}
