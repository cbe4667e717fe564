import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { assertMoney } from '../../../../src/sandbox/domain/payment/money-invariants.ts'
import type { StoredPayment } from '../../../../src/sandbox/domain/stored.ts'
import { at, createPayment, HOUR_MS, openService, textAt, advance, answered } from '../../service.ts'
import type { Json, Service } from '../../service.ts'
import { scaledRuns } from '../../../support/test-effort.ts'

type Step =
  | { readonly do: 'capture'; readonly body: Json }
  | { readonly do: 'refund'; readonly body: Json }
  | { readonly do: 'adjust'; readonly amount: number }
  | { readonly do: 'cancel' | 'authorize' | 'hour' }
  | { readonly do: 'challenge'; readonly outcome: 'pass' | 'fail' }

const amount = fc.oneof(fc.constant(undefined), fc.integer({ min: 0, max: 1200 }))
const final = fc.constantFrom(undefined, true, false)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('capture' as const), body: fc.record({ amount, final }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('refund' as const), body: fc.record({ amount }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('adjust' as const), amount: fc.integer({ min: 0, max: 1500 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('cancel' as const, 'authorize' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('hour' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('challenge' as const),
      outcome: fc.constantFrom('pass' as const, 'fail' as const),
    }),
  },
)
const token = fc.constantFrom(
  'tok_visa',
  'tok_async',
  'tok_refund_fails',
  'tok_autocapture',
  'tok_nopartial',
  'tok_declined',
  'tok_3ds',
  'tok_paypal',
)

async function take(service: Service, payment: Json, action: Step): Promise<number> {
  const path = `/payments/${textAt(payment, 'id')}`
  const post = async (verb: string, body?: Json) =>
    (await service.call('POST', `${path}/${verb}`, body)).status
  switch (action.do) {
    case 'capture':
    case 'refund':
      return post(action.do, action.body)
    case 'adjust':
      return post('adjust-authorization', { amount: action.amount })
    case 'cancel':
      return post('cancel')
    case 'authorize':
      return post('authorize', { processor: { processorMerchantId: 'beta-1' } })
    case 'hour':
      await advance(service, HOUR_MS)
      return 200
    case 'challenge': {
      const clientToken = at(payment, 'requiredAction', 'clientToken')
      if (typeof clientToken !== 'string') return post('resume', { resumeToken: 'none' })
      const resumeToken = await answered(service, { clientToken, outcome: action.outcome })
      return post('resume', { resumeToken })
    }
  }
}

const numberAt = (value: unknown, ...path: readonly string[]) => Number(at(value, ...path))
const figuresOf = (payment: Json) => ({
  authorized: numberAt(payment, 'amount'),
  captured: numberAt(payment, 'processor', 'amountCaptured'),
  refunded: numberAt(payment, 'processor', 'amountRefunded'),
})

function refundSteps(payment: Json): readonly unknown[] {
  const steps = payment['transactions']
  return Array.isArray(steps) ? steps.filter((entry) => at(entry, 'transactionType') === 'REFUND') : []
}

function expectToAddUp(payment: Json): void {
  const { authorized, captured, refunded } = figuresOf(payment)
  expect(refunded).toBeGreaterThanOrEqual(0)
  expect(captured).toBeGreaterThanOrEqual(refunded)
  expect(authorized).toBeGreaterThanOrEqual(captured)
  const counted = refundSteps(payment).filter((entry) => at(entry, 'processorStatus') !== 'FAILED')
  expect(counted.reduce<number>((sum, entry) => sum + numberAt(entry, 'amount'), 0)).toBe(refunded)
  if (['PENDING', 'AUTHORIZED', 'DECLINED', 'FAILED', 'CANCELLED'].includes(textAt(payment, 'status')))
    expect(captured).toBe(0)
  if (payment['status'] === 'PARTIALLY_SETTLED') expect(captured).toBeLessThan(authorized)
}

test(
  'money adds up after every step of any history, and a refused step changes nothing',
  { timeout: 120_000 },
  async () => {
    const service = await openService()
    const history = fc.asyncProperty(
      token,
      fc.boolean(),
      fc.array(step, { maxLength: 12 }),
      async (method, estimated, steps) => {
        const more = estimated ? { paymentMethod: { authorizationType: 'ESTIMATED' } } : {}
        let before = await createPayment(service, method, more)
        expectToAddUp(before)
        for (const action of steps) {
          const status = await take(service, before, action)
          const after = await service.ok('GET', `/payments/${textAt(before, 'id')}`)
          expectToAddUp(after)
          if (status !== 200) expect(after).toEqual(before)
          expect(figuresOf(after).captured).toBeGreaterThanOrEqual(figuresOf(before).captured)
          if (action.do === 'hour')
            expect(refundSteps(after).every((entry) => at(entry, 'processorStatus') !== 'PENDING')).toBe(true)
          before = after
        }
      },
    )
    await fc.assert(history, { numRuns: scaledRuns(100), seed: 42 })
  },
)

test('lists show the same amounts as the payments', async () => {
  const service = await openService()
  const payments = fc.array(fc.tuple(token, fc.array(step, { maxLength: 4 })), { minLength: 1, maxLength: 4 })
  const property = fc.asyncProperty(payments, async (made) => {
    for (const [method, steps] of made) {
      let payment = await createPayment(service, method)
      for (const action of steps) {
        await take(service, payment, action)
        payment = await service.ok('GET', `/payments/${textAt(payment, 'id')}`)
      }
    }
    const { data } = await service.ok('GET', `/payments?limit=${made.length}`)
    for (const row of Array.isArray(data) ? data : [])
      expect(await service.ok('GET', `/payments/${textAt(row, 'id')}`)).toMatchObject(row)
  })
  await fc.assert(property, { numRuns: scaledRuns(15), seed: 7 })
})

const SOUND: StoredPayment = {
  id: 'p',
  date: '2026-03-04T05:06:07.089000',
  status: 'SETTLED',
  orderId: 'o',
  currencyCode: 'EUR',
  amount: 10,
  amountCaptured: 8,
  amountRefunded: 0,
  method: {
    token: 't',
    scenario: 'tok_visa',
    analyticsId: 'a',
    isVaulted: false,
    vaultOnSuccess: false,
    authorizationType: 'FINAL',
  },
  processor: { name: 'n', processorMerchantId: 'm' },
  transactions: [],
}
const refundStep = (of: number, processorStatus: string) =>
  ({
    date: SOUND.date,
    amount: of,
    currencyCode: 'EUR',
    processorMerchantId: 'm',
    transactionType: 'REFUND',
    processorTransactionId: 'x',
    processorName: 'n',
    processorStatus,
  }) as const

test.each<[string, Partial<StoredPayment>]>([
  ['more captured than authorized', { amountCaptured: 11 }],
  ['more refunded than captured', { amountRefunded: 9, transactions: [refundStep(9, 'SETTLED')] }],
  ['refunds that do not add up', { amountRefunded: 5, transactions: [refundStep(4, 'PENDING')] }],
  ['a failed refund that is still counted', { amountRefunded: 5, transactions: [refundStep(5, 'FAILED')] }],
  ['a negative amount', { amountRefunded: -1 }],
  ['a fraction', { amount: 10.5 }],
  ['an amount above 2^53-1', { amount: 2 ** 53 }],
])('refuses to write a payment with %s', (_, change) => {
  expect(() => assertMoney({ ...SOUND, ...change })).toThrow("doesn't add up")
})

test('writes a valid payment', () => {
  const transactions = [refundStep(5, 'PENDING'), refundStep(2, 'SETTLED'), refundStep(8, 'FAILED')]
  expect(() => assertMoney({ ...SOUND, amountRefunded: 7, transactions })).not.toThrow()
})
