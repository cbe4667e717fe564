import { nextCursorIn } from '../../api/next-cursor.ts'
import type { DoubtfulWrite } from '../ledger/port.ts'
import type { ClientOptions, Resolution } from '../calls/client-port.ts'
import { isDatedAfter } from '../calls/clock-skew.ts'
import { parseTimeMs } from '../../text/local-time.ts'
import { EXIT } from '../../errors.ts'
import { exitOfAnswer } from '../calls/exit-code.ts'
import { accountOf } from '../calls/build-intent.ts'
import { doClocksAgree, oldestAgeMs } from '../ledger/moment.ts'
import { read, tryReadPayment } from '../calls/read.ts'
import { ambiguous, inDoubt, notDone, nowOf } from './resolution.ts'
import type { ResolutionContext } from './resolution.ts'
import { isRecord } from '../../json/is-record.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Resolves the creation of a payment from the payments of its order. Never resends: the payment method token is not stored.
 */
export async function resolveByOrder(options: ResolutionContext, intent: DoubtfulWrite): Promise<Resolution> {
  const { target } = intent
  // The filter takes several values separated by commas, so an id with a comma would match something else.
  if (target?.kind !== 'order' || target.name.includes(','))
    return inDoubt(
      'It has no order id to find the payment by: look for it among the latest payments, then abandon the record.',
    )
  const payments = await paymentsOf(options, target.name)
  if (payments === 'many')
    return inDoubt('The order has more than 100 payments: look for this one among them.')
  if (payments === undefined) return inDoubt('The payments of the order could not be read.')
  const since = startOf(options, intent)
  const likely = payments.filter((payment) => isLikely(intent, payment))
  const made = likely.filter((payment) => isDatedAfterStart(since, payment) === 'yes')
  if (made.length > 1)
    return ambiguous(
      `${made.length} payments of the order match (${made.map(idOf).join(', ')}): check which one is yours.`,
    )
  const [one] = made
  if (one !== undefined) return confirmed(options, intent, one)
  const older = likely.filter((payment) => isDatedAfterStart(since, payment) === 'perhaps')
  if (older.length > 0)
    return ambiguous(
      `The order has a payment of the same amount from before this one was sent (${older.map(idOf).join(', ')}). It can be this one only if a clock was wrong: check the payment.`,
    )
  return intent.apiKeyId === accountOf(options)
    ? notDone(options, intent, { words: 'the order has no such payment' })
    : inDoubt(
        'This API key sees no such payment of the order, but the payment was sent with another key: set that key and try again.',
      )
}

/** `many` if there is more than one page of them; undefined if the response is unusable. */
async function paymentsOf(
  options: ClientOptions,
  orderId: string,
): Promise<readonly Fields[] | 'many' | undefined> {
  const { listPayments } = await import('../../api/operations/payment.ts')
  const query = { order_id: orderId, limit: '100' }
  const { json } = await read(options, { operation: listPayments, params: {}, query })
  if (!isRecord(json) || !Array.isArray(json['data'])) return undefined
  if (nextCursorIn(json) !== undefined) return 'many'
  const entries: readonly unknown[] = json['data']
  return entries.filter(isRecord).filter(({ orderId: found }) => found === undefined || found === orderId)
}

/** Whether amount and currency match where both are known, and no other recorded write created this payment. */
const isLikely = (intent: DoubtfulWrite, payment: Fields): boolean =>
  intent.others.every(({ resource }) => resource === undefined || resource !== payment['id']) &&
  isAlike(intent.amount, payment['amount']) &&
  isAlike(intent.currencyCode, payment['currencyCode'])

/**
 * When the write was first sent, by the service's clock: noted with it, or else counted back from the newest answer. Undefined if
 * no clock knows, or clocks contradict each other.
 */
function startOf(context: ResolutionContext, intent: DoubtfulWrite): Start | undefined {
  const [{ first }, now] = [intent.timing(), nowOf(context, intent)]
  if (!doClocksAgree(first, now)) return undefined
  const ageMs = oldestAgeMs(first, now)
  const countedMs = ageMs === undefined || now.serviceMs === undefined ? undefined : now.serviceMs - ageMs
  const ms = first.serviceMs ?? countedMs
  return ms === undefined ? undefined : { at: new Date(ms), isNoted: first.serviceMs !== undefined }
}

interface Start {
  readonly at: Date
  /** Whether the service's clock was read then. A time that is counted back is wrong if that clock was set since. */
  readonly isNoted: boolean
}

function isDatedAfterStart(since: Start | undefined, payment: Fields): 'yes' | 'perhaps' | 'no' {
  const madeMs = parseTimeMs(payment['date'])
  if (madeMs === undefined) return 'yes'
  if (since === undefined) return 'perhaps'
  const found = isDatedAfter(madeMs, since.at)
  return found === 'no' && !since.isNoted ? 'perhaps' : found
}

async function confirmed(options: ClientOptions, intent: DoubtfulWrite, listed: Fields): Promise<Resolution> {
  const { id } = listed
  if (typeof id !== 'string')
    return inDoubt('The order has a matching payment, but the response contains no id.')
  // A list does not say why a payment failed: its processor may have done it without responding.
  const payment = listed['status'] === 'FAILED' ? (await tryReadPayment(options, id))?.json : listed
  if (payment === undefined) return inDoubt(`Payment ${id} was created for the order, but could not be read.`)
  const exitCode = exitOfAnswer(intent.operation, 200, undefined, payment)
  return exitCode === EXIT.outcomeUnknown
    ? inDoubt(`Payment ${id} was created, but its processor never responded to the service.`)
    : {
        kind: 'confirmed',
        exitCode,
        resource: id,
        words: `It was done: payment ${id} was created for the order.`,
      }
}

const isAlike = (requested: unknown, found: unknown): boolean =>
  requested === undefined || found === undefined || requested === found

const idOf = (payment: Fields): string =>
  typeof payment['id'] === 'string' ? payment['id'] : 'without an id'
