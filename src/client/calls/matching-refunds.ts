import { factsOf } from '../../api/facts.ts'
import { transactionTypeOf } from '../../api/payment-states.ts'
import type { ShownEffects } from '../ledger/port.ts'
import { REPEAT_MS } from '../ledger/port.ts'
import type { Answer, Call } from './call.ts'
import { parseTimeMs } from '../../text/local-time.ts'
import { isRecord } from '../../json/is-record.ts'
import { fieldAt, numberAt, textAt } from '../../json/fields.ts'

/** Finds the refund of a call among a payment's transactions. */

type Fields = Readonly<Record<string, unknown>>

/** The refunds of the requested amount: one of them may be this call's. */
export function refundsOfAmount(request: Fields, payment: Fields): readonly Fields[] {
  const transactions: readonly unknown[] = Array.isArray(payment['transactions'])
    ? payment['transactions']
    : []
  return transactions
    .filter(isRecord)
    .filter((entry) => transactionTypeOf(entry) === 'REFUND')
    .filter((entry) => request['amount'] === undefined || entry['amount'] === request['amount'])
}

/**
 * Narrows the refunds down to the latest one, if their dates tell, or to the only one with the requested `orderId` and
 * `reason`. Returns all of them if neither works.
 */
export function likelyOwnRefunds(request: Fields, refunds: readonly Fields[]): readonly Fields[] {
  const latest = latestOf(refunds)
  if (latest !== undefined) return [latest]
  const requested = REPEATED_FIELDS.filter((field) => typeof request[field] === 'string')
  const matching = refunds.filter((entry) => requested.every((field) => entry[field] === request[field]))
  return matching.length === 1 ? matching : refunds
}

/**
 * The date of a refund's transaction in the payment that came with the response. That is the only equal refund that `before`, a
 * reading from before it was sent, lacks. Undefined if several are possible. The latest date proves nothing, because the
 * service's clock may be set back.
 */
export const effectIn = (call: Pick<Call, 'operation' | 'body'>, shown: BeforeAndAfter): string | undefined =>
  textAt(addedRefund(call, shown), 'date')

/**
 * The amount that a refund or a capture of all that was left has moved, in minor units; undefined if the payment doesn't tell.
 */
export function movedIn(
  call: Pick<Call, 'operation' | 'body'>,
  { before, after }: BeforeAndAfter,
): number | undefined {
  const effect = factsOf(call.operation.id)?.effect
  if (effect === 'refunded') return numberAt(addedRefund(call, { before, after }), 'amount')
  if (effect !== 'captured') return undefined
  const [was, is] = [before, after].map((payment) =>
    numberAt(fieldAt(payment, ['processor']), 'amountCaptured'),
  )
  return was === undefined || is === undefined || is <= was ? undefined : is - was
}

interface BeforeAndAfter {
  readonly before: unknown
  readonly after: unknown
}

function addedRefund(
  { operation, body }: Pick<Call, 'operation' | 'body'>,
  { before, after }: BeforeAndAfter,
): Fields | undefined {
  if (factsOf(operation.id)?.effect !== 'refunded' || !isRecord(after)) return undefined
  const requested = isRecord(body?.value) ? body.value : {}
  const known = isRecord(before)
    ? refundsOfAmount(requested, before).map((entry) => textAt(entry, 'date'))
    : []
  const added = refundsOfAmount(requested, after).filter((entry) => {
    const at = known.indexOf(textAt(entry, 'date'))
    if (at >= 0) known.splice(at, 1)
    return at < 0
  })
  const [only] = added
  return added.length > 1 ? undefined : only
}

/**
 * The refunds that a payment shows and that equal a call's, of the last ten minutes or of `sinceMs`, by the service's clock. A
 * refund without a date counts, and so does any refund if the response doesn't tell the time.
 */
export function equalRefunds(
  { body }: Pick<Call, 'body'>,
  { json, servedAt }: Pick<Answer, 'json' | 'servedAt'>,
  sinceMs = REPEAT_MS,
): Omit<ShownEffects, 'agreedTo'> {
  const payment = isRecord(json) ? json : {}
  const request = isRecord(body?.value) ? body.value : {}
  const amount = request['amount'] ?? leftOf(payment)
  const dates = refundsOfAmount(amount === undefined ? {} : { amount }, payment)
    .filter(({ processorStatus }) => processorStatus !== 'FAILED')
    .filter(({ date }) => {
      const ms = parseTimeMs(date)
      return ms === undefined || servedAt === undefined || servedAt.getTime() - ms < sinceMs
    })
  return { dates: dates.map((entry) => textAt(entry, 'date')), sinceMs, servedAt }
}

/** What a refund without an amount gives back, in minor units. */
function leftOf({ processor }: Fields): number | undefined {
  const { amountCaptured, amountRefunded } = isRecord(processor) ? processor : {}
  return typeof amountCaptured === 'number' && typeof amountRefunded === 'number'
    ? amountCaptured - amountRefunded
    : undefined
}

/** Request fields that a refund's transaction repeats. */
const REPEATED_FIELDS = ['orderId', 'reason'] as const

/** The refund with the latest date; undefined when a date is missing or several share it. */
const latestOf = (refunds: readonly Fields[]): Fields | undefined =>
  refunds.find((refund) => refunds.every((other) => other === refund || isLater(refund, other)))

function isLater(refund: Fields, other: Fields): boolean {
  const [date, before] = [textAt(refund, 'date'), textAt(other, 'date')]
  return date !== undefined && before !== undefined && date > before
}
