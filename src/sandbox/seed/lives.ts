import { between, oneOf } from './random.ts'
import type { Life, Sale } from './shop.ts'

/** Sends a request at this time, in milliseconds; undefined if the history ends before it. */
export type SendAt = (at: number, method: 'GET' | 'POST', path: string, body?: object) => Received | undefined

/** What the next steps need of a response. */
export interface Received {
  readonly id: string
  readonly status: string
  readonly amount: number
  /** In the response of a control. */
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
export function playSale(sale: Sale, date: number, random: () => number, send: SendAt): void {
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
