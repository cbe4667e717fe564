import { expect, test } from 'vitest'
import { answerAction, createCheckout } from '../../../../src/pages/checkout/payment/checkout.ts'
import type { Result } from '../../../../src/pages/checkout/payment/phase.ts'
import type { Answer } from '../../../../src/pages/checkout/service/client.ts'

const TERMS = {
  currencyCode: 'EUR',
  amount: 1000,
  missing: [],
  methods: [{ type: 'PAYMENT_CARD', name: 'Card', amount: 1000 }],
}
const done = (body: unknown): Answer => ({ kind: 'done', body })
const LOST: Answer = { kind: 'lost', why: 'The connection was lost.' }
const refused = (status: number, more: { readonly paymentId?: string } = {}): Answer => ({
  kind: 'refused',
  status,
  errorId: `E${status}`,
  description: 'No.',
  recoverySuggestion: undefined,
  paymentId: undefined,
  ...more,
})

/** What the checkout asks for is what the script has. */
function scripted<T>(answer: Answer | undefined, route: string): Answer<T> {
  const isScripted = (given: Answer | undefined): given is Answer<T> => given !== undefined
  return isScripted(answer) ? answer : expect.fail(`unexpected ${route}`)
}

/** A checkout whose service answers by a script: for each route, its answers in order; the last one stays. */
function openScripted(script: Readonly<Record<string, readonly Answer[]>>) {
  const asked: string[] = []
  const keys: (string | undefined)[] = []
  const results: Result[] = []
  const answers: Record<string, readonly Answer[]> = {
    'GET /client-session': [done({ orderId: 'o1' })],
    'GET /payment-instruments': [done({ data: [] })],
    'GET /sandbox/checkout': [done(TERMS)],
    'POST /sandbox/tokenize': [done({ paymentMethodToken: 'token' })],
    ...script,
  }
  const used: Record<string, number> = {}
  const checkout = createCheckout({
    client: {
      send: async <T>(
        method: string,
        path: string,
        { idempotencyKey }: { readonly idempotencyKey?: string } = {},
      ) => {
        const route = `${method} ${path}`
        asked.push(route)
        if (route === 'POST /payments') keys.push(idempotencyKey)
        const turn = used[route] ?? 0
        used[route] = turn + 1
        return scripted<T>(answers[route]?.[turn] ?? answers[route]?.at(-1), route)
      },
    },
    pause: { wait: async () => undefined, endAll: () => undefined },
    newKey: () => `key-${keys.length + 1}`,
    onEnded: (result) => results.push(result),
    onUnusable: () => undefined,
  })
  const pay = async () => {
    await checkout.load()
    await checkout.pay({ kind: 'card' }, '4111111111111111', () => undefined)
  }
  return { checkout, pay, asked, keys, results }
}

const PAID = { id: 'p1', status: 'AUTHORIZED' }

test('lost responses are asked for again with the same key until there is one', async () => {
  const { pay, keys, results } = openScripted({ 'POST /payments': [LOST, LOST, LOST, LOST, done(PAID)] })
  await pay()
  expect(keys).toEqual(Array.from({ length: 5 }, () => 'key-1'))
  expect(results).toMatchObject([{ outcome: 'successful' }])
})

test('a conflict that names no payment leads to the payment of the session', async () => {
  const { pay, results } = openScripted({
    'POST /payments': [LOST, refused(409)],
    'GET /sandbox/checkout': [
      done(TERMS),
      done(TERMS),
      done({ ...TERMS, payment: { id: 'p1', status: 'DECLINED' } }),
    ],
    'GET /payments/p1': [LOST, done({ id: 'p1' }), done({ id: 'p1', status: 'DECLINED' })],
  })
  await pay()
  expect(results).toMatchObject([{ outcome: 'declined', payment: { id: 'p1' } }])
})

test('a conflict about a payment that cannot be found is never called a failure', async () => {
  const { checkout, pay, results } = openScripted({ 'POST /payments': [refused(409)] })
  await pay()
  expect(results).toEqual([])
  expect(checkout.phase.value).toMatchObject({ kind: 'unconfirmed', continues: false })
})

test.each([401, 403])('a %i after a lost response leaves the result open', async (status) => {
  const { checkout, pay, results } = openScripted({ 'POST /payments': [LOST, refused(status)] })
  await pay()
  expect(results).toEqual([])
  expect(checkout.phase.value).toMatchObject({ kind: 'unconfirmed', continues: false })
})

test('a first refusal is a failure without a payment', async () => {
  const { pay, results } = openScripted({ 'POST /payments': [refused(400)] })
  await pay()
  expect(results).toMatchObject([{ outcome: 'failed', payment: undefined, reason: 'E400' }])
})

test('a payment that exists but cannot be read leaves the result open, with its ID', async () => {
  const { checkout, pay } = openScripted({
    'POST /payments': [done({ id: 'p1' })],
    'GET /payments/p1': [LOST, refused(403)],
  })
  await pay()
  expect(checkout.phase.value).toMatchObject({ kind: 'unconfirmed', paymentId: 'p1', continues: false })
})

test('nothing is sent when the token cannot be had', async () => {
  const { checkout, pay, asked } = openScripted({ 'POST /sandbox/tokenize': [LOST] })
  await pay()
  expect(asked.filter((route) => route === 'POST /sandbox/tokenize')).toHaveLength(3)
  expect(asked).not.toContain('POST /payments')
  expect(checkout.phase.value).toEqual({
    kind: 'choosing',
    problem: 'The connection was lost. Nothing was charged.',
  })
})

test('a resume is never repeated: a lost response is followed by a read', async () => {
  const asked: string[] = []
  const answers = [LOST, done({ resumeToken: 'r1' }), LOST, done(PAID)]
  const answered = await answerAction({ id: 'p1', status: 'PENDING' }, 'pass', {
    client: {
      send: async <T>(method: string, path: string) => {
        asked.push(`${method} ${path}`)
        return scripted<T>(answers[asked.length - 1], path)
      },
    },
    pause: { wait: async () => undefined, endAll: () => undefined },
    show: () => undefined,
  })
  expect(asked).toEqual([
    'POST /sandbox/challenge',
    'POST /sandbox/challenge',
    'POST /payments/p1/resume',
    'GET /payments/p1',
  ])
  expect(answered).toMatchObject({ kind: 'payment', payment: { status: 'AUTHORIZED' } })
})
