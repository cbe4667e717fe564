import type { StoredIntent } from '../../ledger/port.ts'
import type { ClientOptions, Resolution } from '../client-port.ts'
import { isSince, momentOf } from '../clocks.ts'
import { EXIT } from '../../errors.ts'
import { exitOfAnswer } from '../exit-code.ts'
import { accountOf } from '../build-intent.ts'
import { awaitSettleDelay } from './settle-delay.ts'
import type { ResolutionContext } from './settle-delay.ts'
import { read, tryReadPayment } from '../read.ts'
import { ambiguous, inDoubt } from './resolution.ts'
import { isRecord } from '../../is-record.ts'

type Fields = Readonly<Record<string, unknown>>

/** A payment's creation is never sent again, since its token is not intent: the order's payments tell whether it was made. */
export async function resolveByOrder(options: ResolutionContext, intent: StoredIntent): Promise<Resolution> {
  const { target } = intent
  // The filter takes several values with commas, so that such an id would ask for something else.
  if (target?.kind !== 'order' || target.name.includes(','))
    return inDoubt(
      'No order was named by which it could be found: look for it among the latest payments, then abandon it here.',
    )
  for (const isLast of [false, true]) {
    const payments = await paymentsOf(options, target.name)
    if (payments === 'many')
      return inDoubt('The order has more payments than are told at once: look for it among them.')
    if (payments === undefined) return inDoubt('The payments of the order could not be read.')
    const likely = payments.filter((payment) => isLikely(intent, payment))
    const made = likely.filter((payment) => isSinceBegun(intent, payment) === 'yes')
    if (made.length > 1)
      return ambiguous(
        `The order has ${made.length} payments that it could be (${made.map(idOf).join(', ')}): compare them with what you know.`,
      )
    const [one] = made
    if (one !== undefined) return confirmed(options, one)
    const older = likely.filter((payment) => isSinceBegun(intent, payment) === 'perhaps')
    if (older.length > 0)
      return ambiguous(
        `The order has a payment of the same figures from before this one was sent (${older.map(idOf).join(', ')}). It can be this one only if the clock of this machine was wrong: compare it with what you know.`,
      )
    const tooEarly = isLast ? undefined : await awaitSettleDelay(options, intent)
    if (tooEarly !== undefined) return tooEarly
  }
  if (intent.account !== accountOf(options))
    return inDoubt(
      'The order has no such payment, as far as this API key can see; it was sent with another one: set that key and try again.',
    )
  return {
    kind: 'rejected',
    exitCode: EXIT.serverFault,
    words: 'It was not done: the order has no such payment.',
  }
}

/** `many` when there are more than one answer holds, undefined when the answer cannot be read. */
async function paymentsOf(
  options: ClientOptions,
  orderId: string,
): Promise<readonly Fields[] | 'many' | undefined> {
  const { listPayments } = await import('../../api/operations/payment.ts')
  const query = { order_id: orderId, limit: '100' }
  const { json } = await read(options, { operation: listPayments, params: {}, query })
  if (!isRecord(json) || !Array.isArray(json['data'])) return undefined
  if (typeof json['nextCursor'] === 'string') return 'many'
  const entries: readonly unknown[] = json['data']
  return entries.filter(isRecord).filter(({ orderId: found }) => found === undefined || found === orderId)
}

/** Of the same figures, as far as both sides tell, and not what another call has made. */
const isLikely = (intent: StoredIntent, payment: Fields): boolean =>
  intent.others.every(({ resource }) => resource === undefined || resource !== payment['id']) &&
  isAlike(intent.amount, payment['amount']) &&
  isAlike(intent.currencyCode, payment['currencyCode'])

function isSinceBegun({ createdAt }: StoredIntent, payment: Fields): 'yes' | 'perhaps' | 'no' {
  const madeMs = momentOf(payment['date'])
  return madeMs === undefined ? 'yes' : isSince(madeMs, createdAt)
}

async function confirmed(options: ClientOptions, listed: Fields): Promise<Resolution> {
  const { id } = listed
  if (typeof id !== 'string') return inDoubt('The order has such a payment, and its id is not told.')
  // A list does not tell why a payment failed: its processor may never have answered, and done it all the same.
  const payment = listed['status'] === 'FAILED' ? (await tryReadPayment(options, id))?.json : listed
  if (payment === undefined) return inDoubt(`Payment ${id} was made for the order, and could not be read.`)
  const exitCode = exitOfAnswer('payment.create', 200, undefined, payment)
  return exitCode === EXIT.outcomeUnknown
    ? inDoubt(`Payment ${id} was made, and its processor never answered the service.`)
    : {
        kind: 'confirmed',
        exitCode,
        resource: id,
        words: `It was done: payment ${id} was made for the order.`,
      }
}

const isAlike = (asked: unknown, found: unknown): boolean =>
  asked === undefined || found === undefined || asked === found

const idOf = (payment: Fields): string =>
  typeof payment['id'] === 'string' ? payment['id'] : 'without an id'
