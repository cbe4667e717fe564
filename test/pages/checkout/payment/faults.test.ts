import { expect, onTestFinished, test, vi } from 'vitest'
import { PAYMENT_SCENARIOS } from '../../../../src/sandbox/domain/scenarios/payment-scenarios.ts'
import { createCheckout } from '../../../../src/pages/checkout/payment/checkout.ts'
import type { Result } from '../../../../src/pages/checkout/payment/phase.ts'
import { createClient } from '../../../../src/pages/checkout/service/client.ts'
import { control } from '../../../sandbox/controls/call-control.ts'
import { openServed } from '../../../sandbox/serve/over-http.ts'
import { at, textAt, loggedIn } from '../../../sandbox/service.ts'
import type { Served } from '../../../sandbox/serve/over-http.ts'

/** The logic of the checkout against a served sandbox, without a page. Waits take no time. */

/** A page's addresses have no host. */
function fetchFrom({ server }: Served): void {
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(new URL(path, server.url), init))
  onTestFinished(() => void vi.unstubAllGlobals())
}

async function openCheckout() {
  const served = await openServed()
  fetchFrom(served)
  const session = { orderId: 'order-1044', currencyCode: 'EUR', amount: 4990 }
  const clientToken = textAt(await served.ok('POST', '/client-session', session), 'clientToken')
  const results: Result[] = []
  const newKey = () => crypto.randomUUID()
  const checkout = createCheckout({
    client: createClient(clientToken),
    pause: { wait: async () => undefined, endAll: () => undefined },
    newKey,
    onEnded: (result) => results.push(result),
    onUnusable: (errorId) => expect.fail(errorId),
  })
  await checkout.load()
  const pay = (card: string) => checkout.pay({ kind: 'card' }, card, () => undefined)
  return { served, checkout, results, pay }
}

const fault = (served: Served, on: string, effect: string) =>
  control(served, 'POST', '/sandbox/faults', { on, do: effect, times: 1 })

async function expectPaidOnce(served: Served): Promise<void> {
  const { data } = await served.ok('GET', '/payments')
  expect(data).toHaveLength(1)
  const all = await loggedIn(served, 100)
  const created = all.filter(({ operation }) => operation === 'payment.create')
  expect(new Set(created.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
}

const EFFECTS = 'drop-after drop-before status=500 truncate malformed html partial 429=1'.split(' ')

test.each(EFFECTS)(
  'a payment whose response meets %s is made once, with one idempotency key',
  async (effect) => {
    const { served, results, pay } = await openCheckout()
    await fault(served, 'POST /payments', effect)
    await pay('4111111111111111')
    expect(results).toMatchObject([{ outcome: 'successful', payment: { status: 'AUTHORIZED' } }])
    await expectPaidOnce(served)
  },
)

const CARDS = PAYMENT_SCENARIOS.flatMap(({ card, outcome, reason }) =>
  card === undefined ? [] : [{ card, outcome, code: reason?.code }],
)
const AT_ONCE = CARDS.filter(({ outcome }) => outcome !== 'PENDING')
const WITH_CHALLENGE = CARDS.filter(({ outcome }) => outcome === 'PENDING')

test.each(AT_ONCE)('$card ends $outcome', async ({ card, outcome, code }) => {
  const { served, results, pay } = await openCheckout()
  await pay(card)
  expect(results).toMatchObject([{ payment: { status: outcome }, reason: code }])
  const payment = await served.ok('GET', `/payments/${results[0]?.payment?.id}`)
  expect(payment).toMatchObject({ status: outcome, amount: 4990, orderId: 'order-1044' })
  await expectPaidOnce(served)
})

test.each(
  WITH_CHALLENGE.flatMap(({ card }) => [
    { card, answer: 'pass', status: 'AUTHORIZED' } as const,
    { card, answer: 'fail', status: 'DECLINED' } as const,
  ]),
)('$card with a challenge that the customer does $answer ends $status', async ({ card, answer, status }) => {
  const { served, checkout, results, pay } = await openCheckout()
  await pay(card)
  expect(checkout.phase.value).toMatchObject({ kind: 'pending' })
  await checkout.answer(answer)
  expect(results).toMatchObject([{ payment: { status } }])
  await expectPaidOnce(served)
})

test.each(['drop-after', 'drop-before', 'status=500'])(
  'an answer to the challenge that meets %s is not lost',
  async (effect) => {
    const { served, checkout, results, pay } = await openCheckout()
    await pay('4916994064252017')
    await fault(served, 'POST /payments/*/resume', effect)
    await checkout.answer('pass')
    // The customer is asked again if the answer did not arrive.
    if (results.length === 0) await checkout.answer('pass')
    expect(results).toMatchObject([{ payment: { status: 'AUTHORIZED' } }])
    expect(at(await served.ok('GET', `/payments/${results[0]?.payment?.id}`), 'status')).toBe('AUTHORIZED')
  },
)
