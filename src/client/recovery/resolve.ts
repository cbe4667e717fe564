import { nextCursorIn } from '../../api/next-cursor.ts'
import { EXIT, PayError } from '../../errors.ts'
import { isRecord } from '../../json/is-record.ts'
import { parseJson } from '../../json/json.ts'
import { parseTimeMs } from '../../text/local-time.ts'
import { accountOf, snapshotOf } from '../calls/build-intent.ts'
import type { Call, CallOperation } from '../calls/call.ts'
import { requestOf } from '../calls/client-port.ts'
import type { ClientOptions, ConfirmSend, Resolution, ResolveOptions } from '../calls/client-port.ts'
import { exitOfAnswer } from '../calls/exit-code.ts'
import { read, tryReadPayment } from '../calls/read.ts'
import { isDatedAfter } from '../calls/service-clock.ts'
import { whyNotOurs } from '../calls/unrecorded.ts'
import { doClocksAgree, oldestAgeMs } from '../ledger/moment.ts'
import type { DoubtfulWrite } from '../ledger/port.ts'
import { resolveKeyed } from './by-key.ts'
import { showsAmount, showsResumed } from './effect.ts'
import { isAlike } from './evidence.ts'
import { sendWrite } from './recover.ts'
import { ambiguous, confirmedBy, inDoubt, notDone, nowOf, readTarget, settled, unread } from './resolution.ts'
import type { ResolutionContext } from './resolution.ts'

/**
 * Finds out what happened to a write whose outcome is unknown. It sends only the same request with the same key, or an
 * absolute value while the payment is unchanged.
 */
export async function resolve(
  options: Omit<ResolutionContext, 'began'>,
  intent: DoubtfulWrite,
  { operation, confirmSend, ...more }: ResolveOptions,
): Promise<Resolution> {
  const context = { ...options, apiVersion: intent.apiVersion, began: intent.now() }
  if (operation === undefined)
    return inDoubt('This version of pay does not know the operation, so it cannot find out.')
  const asked = { ...more, confirmSend: confirmWhileOurs(intent, confirmSend) }
  return byRule(context, intent, operation, asked).catch((error: unknown) => {
    if (!(error instanceof PayError)) throw error
    return unread(error.message, error)
  })
}

/** Checks ownership again after the prompt: while the user thinks, another process may take over the record. */
const confirmWhileOurs =
  (intent: DoubtfulWrite, confirmSend: ConfirmSend): ConfirmSend =>
  async (facts) => {
    const answer = await confirmSend(facts)
    if (answer === false || (await intent.standing()) === 'ours') return answer
    throw new PayError('in_progress', EXIT.conflict, await whyNotOurs(intent))
  }

async function byRule(
  options: ResolutionContext,
  intent: DoubtfulWrite,
  operation: CallOperation,
  resolveOptions: Omit<ResolveOptions, 'operation'>,
): Promise<Resolution> {
  if (operation.keepsBody && intent.request === undefined)
    return inDoubt(
      'The request may have contained a card number, so it was not stored and cannot be sent again: check the payment, then abandon the record.',
    )
  switch (operation.replay) {
    case 'keyed':
      return intent.request === undefined
        ? resolveByOrder(options, intent)
        : resolveKeyed(options, intent, callOf(intent, operation), resolveOptions)
    case 'compare':
      return resolveByComparison(options, intent, callOf(intent, operation), resolveOptions.confirmSend)
    case 'look':
      return resolveByStatus(options, intent)
    case 'safe':
      return inDoubt(
        'The request was not stored, so it cannot be sent again from here. Repeating it is harmless: run the original command again to resolve this.',
      )
    case 'never':
      return inDoubt(
        operation.risk === 'money'
          ? "The service has no way to look this up: check the provider's own records, then abandon the record."
          : 'The service has no way to look this up. At worst it left something unused behind: abandon the record.',
      )
  }
}

function callOf(intent: DoubtfulWrite, operation: CallOperation): Call {
  const text = intent.request?.body
  return {
    operation,
    params: intent.request?.params ?? {},
    ...(text === undefined ? {} : { body: { value: parseJson(text), text } }),
    amount: intent.amount,
    currencyCode: intent.currencyCode,
  }
}

/** Resolves a write that sets an absolute value: it is sent again only while the payment is unchanged. */
async function resolveByComparison(
  options: ResolutionContext,
  intent: DoubtfulWrite,
  call: Call,
  confirmSend: ConfirmSend,
): Promise<Resolution> {
  const seen = await readTarget(options, intent)
  if (seen.kind === 'resolution') return seen.resolution
  const { payment } = seen
  if (showsAmount(call.body?.value, payment.json)) return confirmedBy(intent, call, payment)
  if (snapshotOf(payment).sha256 !== intent.before?.sha256)
    return ambiguous(
      'The payment has neither its old nor its new state: someone else has changed it. Check the payment.',
    )
  // A request still in flight could set the amount again after a later change.
  const tooEarly = notDone(options, intent)
  if (tooEarly.kind === 'in-doubt') return tooEarly
  if (intent.apiKeyId !== accountOf(options))
    return inDoubt('It was sent with another API key, so this one only reads: the payment does not show it.')
  if (!(await confirmSend({ evidence: 'absent', payment: payment.json })))
    return inDoubt('Not confirmed: nothing was sent.')
  const { fence, isLeased, isFresh, isKeyTaken, before } = intent
  if (!(await fence(options.service.nowMs()))) return inDoubt(await whyNotOurs(intent))
  const request = requestOf(options, call, undefined)
  // The payment was just read and is unchanged, so no earlier attempt is in doubt.
  const ended = await sendWrite(options, call, request, {
    before,
    inDoubt: false,
    fence: () => fence(options.service.nowMs()),
    isLeased,
    isFresh,
    isKeyTaken,
  })
  return settled(intent, call, {
    ended,
    before: payment,
    words: 'The payment was unchanged, so it was sent again. It is done.',
  })
}

/** Resolves a resume from the payment's status. Never resends, no matter what the payment shows. */
async function resolveByStatus(options: ResolutionContext, intent: DoubtfulWrite): Promise<Resolution> {
  const { before } = intent
  const seen = await readTarget(options, intent)
  if (seen.kind === 'resolution') return seen.resolution
  const { payment } = seen
  if (showsResumed(before?.status, payment.json)) {
    const exitCode = exitOfAnswer(intent.operation, 200, undefined, payment.json)
    return exitCode === EXIT.outcomeUnknown
      ? inDoubt('The payment continued, but its processor never responded to the service.')
      : {
          kind: 'confirmed',
          exitCode,
          resource: undefined,
          words: 'It was done: the payment has continued.',
        }
  }
  if (snapshotOf(payment).sha256 !== before?.sha256)
    return ambiguous(
      'The payment has changed in a way that this write alone does not explain: check the payment.',
    )
  return notDone(options, intent, { words: 'the payment is still waiting, unchanged' })
}

/**
 * Resolves the creation of a payment from the payments of its order. Never resends: the payment method token is not stored.
 */
async function resolveByOrder(options: ResolutionContext, intent: DoubtfulWrite): Promise<Resolution> {
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

type Fields = Readonly<Record<string, unknown>>

/** The payments of an order; `many` if there is more than one page of them, undefined if the response is unusable. */
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

const idOf = (payment: Fields): string =>
  typeof payment['id'] === 'string' ? payment['id'] : 'without an id'
