import { describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'

const bench = useBench()

/** Responds to every read and write with this payment. */
const serving = (payment: Readonly<Record<string, unknown>>): RunOptions => ({
  env: SERVICE_ENV,
  service: () => jsonAnswer(200, { id: 'p1', status: 'AUTHORIZED', ...payment }),
})

const bodiesOf = (requests: readonly { readonly method: string; readonly body: string | undefined }[]) =>
  requests.filter((request) => request.method === 'POST').map((request) => request.body)

describe('a capture', () => {
  test.each([
    ['nothing', [], undefined],
    ['true', ['--final'], '{"final":true}'],
    ['false', ['--no-final'], '{"final":false}'],
  ])('sends final only if it is given: %s', async (_, words, body) => {
    const result = await bench.runPay(['payment', 'capture', 'p1', ...words], serving({}))
    expect(bodiesOf(result.requests)).toEqual([body])
  })

  test('of a part reports the released amount', async () => {
    const payment = {
      status: 'SETTLED',
      amount: 1000,
      currencyCode: 'EUR',
      processor: { amountCaptured: 700 },
    }
    const result = await bench.runPay('payment capture p1 --amount 700', serving(payment))
    expect(result.stderr).toContain('Captured 7.00 EUR of 10.00 EUR; the remaining 3.00 EUR was released.')
  })

  test('of a part reports the released amount even if the response has nulls', async () => {
    const payment = {
      status: 'SETTLED',
      amount: 1000,
      currencyCode: 'EUR',
      requiredAction: null,
      customerId: null,
      processor: { name: null, amountCaptured: 700 },
    }
    const result = await bench.runPay('payment capture p1 --amount 700', serving(payment))
    expect(result.stderr).toContain('the remaining 3.00 EUR was released')
  })

  test.each([
    ['keep', '{"amount":700,"final":false}', '3.00 EUR, still to capture'],
    ['release', '{"amount":700}', '0.00 EUR: releases 3.00 EUR unless --no-final'],
  ])('of a part that was asked for asks whether to keep the rest: %s', async (answer, body, plan) => {
    const payment = {
      id: 'p1',
      status: 'AUTHORIZED',
      amount: 1000,
      currencyCode: 'EUR',
      processor: { amountCaptured: 0 },
    }
    const result = await bench.runPay('payment capture p1', {
      ...serving(payment),
      answers: { Amount: '7.00', 'The rest': answer },
    })
    expect(bodiesOf(result.requests).at(-1)).toBe(body)
    expect(result.stderr).toContain(plan)
    expect(result.offered['The rest']).toEqual([
      'keep 3.00 EUR to capture later (--no-final)',
      'release 3.00 EUR: this is the last capture',
    ])
  })

  test('previews a payment with nulls', async () => {
    const processor = { name: null, amountCaptured: 0 }
    const payment = { amount: 1000, currencyCode: 'EUR', customerId: null, processor }
    const result = await bench.runPay('payment capture p1', {
      ...serving(payment),
      answers: { Amount: '' },
    })
    expect(bodiesOf(result.requests)).toEqual(['{"amount":1000}'])
  })

  test.each([
    ['of the full amount', { status: 'SETTLED', amount: 700 }],
    ['that is not final', { status: 'PARTIALLY_SETTLED', amount: 1000 }],
    ['of a payment without figures', { status: 'SETTLED' }],
  ])('%s mentions no release', async (_, payment) => {
    const service = serving({ currencyCode: 'EUR', processor: { amountCaptured: 700 }, ...payment })
    const result = await bench.runPay('payment capture p1 --amount 700', service)
    expect(result.exitCode).toBe(0)
    expect(result.stderr).not.toContain('released')
  })

  test('refuses --final with --no-final', async () => {
    const result = await bench.runPay('payment capture p1 --final --no-final', serving({}))
    expect(result).toMatchObject({ exitCode: 2, requests: [] })
  })
})
