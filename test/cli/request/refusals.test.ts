import { beforeEach, describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { writesOf } from '../../support/run-result.ts'
import { AUTHORIZED, PAID, serving } from '../payment-to-change.ts'

const bench = useBench()

const REFUNDED = { ...PAID, processor: { amountCaptured: 1000, amountRefunded: 1000 } }

describe('a request that the service would refuse is refused before any question', () => {
  beforeEach(() => storeProfile(bench, { mode: 'live' }))

  test.each([
    ['refund p1', REFUNDED, 6, 'Nothing is left to refund: 10.00 EUR captured, 10.00 EUR refunded'],
    ['refund p1', AUTHORIZED, 6, 'The payment is AUTHORIZED, so it cannot be refunded'],
    ['refund p1', AUTHORIZED, 6, 'cancel the payment instead, or'],
    ['refund p1', AUTHORIZED, 6, 'pay payment cancel p1'],
    ['refund p1', AUTHORIZED, 6, 'pay payment capture p1'],
    ['cancel p1', PAID, 6, 'pay payment refund p1'],
    ['refund p1 --amount 801', PAID, 3, '8.01 EUR is more than the 8.00 EUR left to refund'],
    ["refund p1 --amount '8.01 EUR'", PAID, 3, '8.01 EUR is more than the 8.00 EUR left to refund'],
    ['refund p1 --amount 8.01', PAID, 3, '8.01 EUR is more than the 8.00 EUR left to refund'],
    ['refund p1 --amount 801 --yes', PAID, 3, '8.01 EUR is more than the 8.00 EUR left to refund'],
    ['capture p1', PAID, 6, 'The payment is SETTLED, so it cannot be captured'],
    ['capture p1 --amount 1001', AUTHORIZED, 3, 'more than the 10.00 EUR left to capture'],
    ['cancel p1', PAID, 6, 'It is captured; refund it instead.'],
    ['adjust p1', PAID, 6, 'The payment is SETTLED, so it cannot be adjusted'],
    [
      'adjust p1',
      { ...AUTHORIZED, paymentMethod: { authorizationType: 'FINAL' } },
      3,
      'was not created with authorizationType ESTIMATED',
    ],
  ])('payment %s of %j: exit %i', async (line, payment, exitCode, words) => {
    const refused = await bench.runPay(`payment ${line}`, serving(payment))
    expect(refused).toMatchObject({ exitCode, stdout: '', questions: [] })
    expect(writesOf(refused)).toEqual([])
    expect(refused.stderr).toContain(words)
    expect(refused.stderr).toContain('nothing changed and no money moved')
  })

  test('a rule that the payment does not show is left to the service', async () => {
    const lagging = { ...PAID, status: 'SETTLING', processor: { amountCaptured: 0, amountRefunded: 0 } }
    for (const payment of [{ id: 'p1' }, { ...REFUNDED, status: 'REFUNDING', processor: {} }, lagging]) {
      const asked = await bench.runPay('payment refund p1', {
        ...serving(payment),
        answers: { Amount: '', Confirm: false },
      })
      expect(asked.exitCode).toBe(2)
    }
  })

  test('a script leaves the decision to the service', async () => {
    const sent = await bench.runPay('payment refund p1 --amount 801 --yes', {
      service: ({ method }) =>
        method === 'GET'
          ? jsonAnswer(200, PAID)
          : jsonAnswer(422, { error: { errorId: 'UnprocessableRefundAmount' } }),
    })
    expect(sent).toMatchObject({ exitCode: 3 })
    expect(sent.requests.map(({ method }) => method)).toEqual(['GET', 'POST'])
  })
})

describe('the limits of the profile are checked before questions', () => {
  test('a read-only profile asks for nothing', async () => {
    await storeProfile(bench, { mode: 'live', words: ['--read-only'] })
    const refused = await bench.runPay('payment refund', serving(PAID))
    expect(refused).toMatchObject({ exitCode: 12, questions: [], requests: [] })
  })

  test('a currency without a limit is refused before the amount is asked for', async () => {
    await storeProfile(bench, { mode: 'live', words: ['--max-amount', '5 USD'] })
    const refused = await bench.runPay('payment refund p1', serving(PAID))
    expect(refused).toMatchObject({ exitCode: 12, questions: [] })
  })

  test.each(['', '8.00', '500.01', '6 EUR'])(
    'an amount above the limits is refused while it is typed: %j',
    async (typed) => {
      await storeProfile(bench, { mode: 'live', words: ['--max-amount', '5 EUR'] })
      const asked = await bench.runPay('payment refund p1', { ...serving(PAID), answers: { Amount: typed } })
      expect(writesOf(asked)).toEqual([])
      expect(asked.stderr.replaceAll(/\s+/g, ' ')).toMatch(/was refused: .*(exceeds the limit|more than the)/)
    },
  )
})
