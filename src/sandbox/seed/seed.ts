import { EXIT, PayError, interruptedBy } from '../../errors.ts'
import { isRecord } from '../../json/is-record.ts'
import type { TransactionContext } from '../database/transactions.ts'
import { toServiceDate } from '../domain/datetime.ts'
import { makeIdentifiers } from '../domain/identifiers.ts'
import { processDuePayments } from '../domain/payment/due-events.ts'
import { checkRequest } from '../pipeline/check-request.ts'
import { processRequest } from '../pipeline/process-request.ts'
import { randomOf, between, oneOf } from './random.ts'
import { STREAMS, saleOf } from './shop.ts'
import type { Life, Sale } from './shop.ts'

interface SeedOptions {
  readonly payments: number
  readonly days: number
  readonly seed: number
  /** Whether the content of the store may be deleted. */
  readonly isReset?: boolean
  /** Ends the work between two commits. */
  readonly stop: AbortSignal
}

/** The beginning and the end of the history. */
interface SeededPeriod {
  readonly from: string
  readonly to: string
}

/** How many payments share a commit: few enough that other processes on the folder don't wait for long. */
const PAYMENTS_PER_COMMIT = 100
const REPEAT_AFTER_MS = 2 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Gives an empty store the history of a shop, made by the service's own rules in the days before the virtual clock. A payment
 * lives until that clock before the next one begins, so memory doesn't grow with their number.
 */
export async function seedHistory(
  write: <T>(work: (context: TransactionContext) => T) => Promise<T>,
  { payments, days, seed, isReset = false, stop }: SeedOptions,
): Promise<SeededPeriod> {
  const ids = makeIdentifiers(randomOf(seed))
  const customers = Math.ceil(payments / 2.5)
  let toMs = 0
  let mark: string | undefined
  for (let first = 0; first < payments; first += PAYMENTS_PER_COMMIT) {
    if (stop.aborted)
      throw interruptedBy(stop, `Interrupted: the sandbox has ${first} of ${payments} payments.`)
    const end = Math.min(first + PAYMENTS_PER_COMMIT, payments)
    await write((context) => {
      const { settings } = context.store
      if (first === 0) {
        if (isReset) context.deleteEverything()
        toMs = begin(context, ids.token)
        mark = settings.markSeed()
      }
      if (settings.seedMark() !== mark) throw emptied(first, payments)
      const timeOf = (index: number): number =>
        Math.round(toMs - (1 - (index + randomOf(seed, STREAMS.times, index)()) / payments) * days * DAY_MS)
      const service = { ...context, ids, now: new Date(toMs) }
      for (let index = first; index < end; index += 1) {
        const sale = saleOf(index, { seed, customers })
        const at = sale.isRepeat ? Math.min(timeOf(index - 1) + REPEAT_AFTER_MS, toMs) : timeOf(index)
        playSale(sale, at, randomOf(seed, STREAMS.lives, index), sendUntil(toMs, service))
        processDuePayments(service)
      }
    })
  }
  return { from: isoOf(toMs - days * DAY_MS), to: isoOf(toMs) }
}

const emptied = (first: number, payments: number): PayError =>
  new PayError('sandbox_emptied', EXIT.conflict, 'Another process has emptied the sandbox meanwhile', {
    hint: `It had ${first} of ${payments} payments. Run the command again.`,
    outcome: 'none',
  })

const isoOf = (ms: number): string => new Date(ms).toISOString()

/** Begins the history. Returns the time at which it ends. */
function begin({ store, now }: TransactionContext, makeSecret: () => string): number {
  if (store.records.list({ source: 'payments' }, undefined, 1).length > 0)
    throw new PayError('sandbox_not_empty', EXIT.conflict, 'The sandbox already has payments', {
      hint: 'With --reset, its data is deleted first.',
      outcome: 'none',
    })
  store.settings.secret(makeSecret)
  return now.getTime()
}

/** The service at a time of the past, without its faults and its log: nobody sent these requests. */
function sendUntil(toMs: number, context: TransactionContext): SendAt {
  const headers = { 'x-api-key': 'sandbox_all', 'x-api-version': '2.1', 'content-type': 'application/json' }
  return (at, method, path, body) => {
    if (at > toMs) return undefined
    const now = new Date(at)
    const then = { ...context, now, at: toServiceDate(now) }
    processDuePayments(then)
    const request = { method, url: path, headers, body: body && JSON.stringify(body) }
    const { response } = processRequest(checkRequest(request, context.ids.uuid()), then, 'reject')
    if (response.status !== 200) throw new Error(`${method} ${path} of a seeded payment: ${response.body}`)
    return receivedIn(JSON.parse(response.body))
  }
}

function receivedIn(body: unknown): Received {
  const fields = isRecord(body) ? body : {}
  const textIn = (...names: readonly string[]) =>
    names.map((name) => fields[name]).find((value) => typeof value === 'string') ?? ''
  return {
    id: textIn('id'),
    status: textIn('status'),
    amount: Number(fields['amount'] ?? 0),
    token: textIn('paymentMethodToken', 'resumeToken'),
  }
}

/** Sends a request at this time, in milliseconds; undefined if the history ends before it. */
type SendAt = (at: number, method: 'GET' | 'POST', path: string, body?: object) => Received | undefined

/** The part of a response that the next steps need. */
interface Received {
  readonly id: string
  readonly status: string
  readonly amount: number
  /** The token in the response of a control. */
  readonly token: string
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** A call on a payment, some hours after the one before. */
interface Step {
  readonly hours: readonly [low: number, high: number]
  readonly verb: 'capture' | 'refund' | 'cancel'
  readonly body?: object
}

const REFUND_REASONS = ['does not fit', 'arrived damaged', 'ordered by mistake', 'came too late'] as const
const CANCEL_REASONS = ['out of stock', 'customer changed their mind'] as const

const ship = (body?: object): Step => ({ hours: [2, 40], verb: 'capture', body })
const shipRest: Step = { hours: [20, 70], verb: 'capture' }
const takeBack = (random: () => number, amount?: number): Step => ({
  hours: [30, 200],
  verb: 'refund',
  body: { amount, reason: oneOf(random, REFUND_REASONS) },
})
const someOf = (amount: number, random: () => number) => Math.ceil(amount * between(random, 0.2, 0.8))

const STEPS: Readonly<Record<Life, (amount: number, random: () => number) => readonly Step[]>> = {
  shipped: () => [ship()],
  returned: (_, random) => [ship(), takeBack(random)],
  'partly returned': (amount, random) => [ship(), takeBack(random, someOf(amount, random))],
  'shipped in two parcels': (amount, random) => [
    ship({ amount: someOf(amount, random), final: false }),
    shipRest,
  ],
  'partly shipped': (amount, random) => [ship({ amount: someOf(amount, random), final: false })],
  'rest released': (amount, random) => [ship({ amount: someOf(amount, random) })],
  cancelled: (_, random) => [
    { hours: [0.2, 5], verb: 'cancel', body: { reason: oneOf(random, CANCEL_REASONS) } },
  ],
  left: () => [],
}

const GOES_ON: ReadonlySet<string> = new Set(['AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLING', 'SETTLED'])

/** Makes the payment of a sale and does with it what the shop does. */
function playSale(sale: Sale, date: number, random: () => number, send: SendAt): void {
  const { beginning, life, pays, orderId, currencyCode, order, customerId, customer, vaultOnSuccess } = sale
  const token = 'token' in pays ? pays.token : send(date, 'POST', '/sandbox/tokenize', pays)?.token
  const created = send(date, 'POST', '/payments', {
    paymentMethodToken: token,
    orderId,
    currencyCode,
    order,
    customerId,
    customer,
    paymentMethod: { vaultOnSuccess },
  })
  if (created === undefined) return
  const { id, amount } = created
  let [at, payment] = [date, created]
  if (beginning === 'challenge passed' || beginning === 'challenge failed') {
    at += between(random, 1, 4) * MINUTE_MS
    const outcome = beginning === 'challenge passed' ? 'pass' : 'fail'
    const answer = send(at, 'POST', '/sandbox/challenge', { paymentId: id, outcome })
    payment = send(at, 'POST', `/payments/${id}/resume`, { resumeToken: answer?.token }) ?? payment
  }
  for (const { hours, verb, body = {} } of STEPS[life](amount, random)) {
    at += between(random, ...hours) * HOUR_MS
    // A bank may have answered in the meantime.
    if (payment.status === 'PENDING') payment = send(at, 'GET', `/payments/${id}`) ?? payment
    if (!GOES_ON.has(payment.status)) return
    payment = send(at, 'POST', `/payments/${id}/${verb}`, body) ?? payment
  }
}
