import { describe, expect, test } from 'vitest'
import type { Answers } from '../../support/scripted-prompts.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

describe('an amount that is asked for', () => {
  test.each([
    ['12.00', 1200],
    ['12,00', 1200],
    ['12 EUR', 1200],
    ['half', 625],
    ['50%', 625],
    ['12', 1200, { '12.00 EUR or 0.12 EUR?': '1' }],
    ['12', 12, { '12.00 EUR or 0.12 EUR?': '0.12' }],
  ])('typed as %j is sent as %i', async (typed, sent, more: Answers = {}) => {
    const made = await bench.runPay(
      "--sandbox payment create --token tok_autocapture --order-id ORD-77 --amount '12.50 EUR' -o id",
    )
    const refunded = await bench.runPay(`--sandbox payment refund ${made.stdout.trim()}`, {
      answers: { Amount: typed, ...more },
    })
    expect(refunded.requests.at(-1)?.body).toBe(`{"amount":${sent}}`)
  })

  test('of an adjustment is compared with the payment', async () => {
    const made = await bench.runPay(
      "--sandbox payment create --token tok_visa --order-id A --amount '12.50 EUR' --authorization-type ESTIMATED -o id",
    )
    const adjusted = await bench.runPay(`--sandbox payment adjust ${made.stdout.trim()}`, {
      answers: { 'New amount': '15.00' },
    })
    expect(adjusted.exitCode).toBe(0)
    expect(adjusted.requests.at(-1)?.body).toBe('{"amount":1500}')
    expect(adjusted.stderr).toContain('15.00 EUR (2.50 EUR more)')
  })
})
