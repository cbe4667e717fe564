import { expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { writesOf } from '../../support/run-result.ts'
import { useBench } from '../../support/use-bench.ts'
import { AUTHORIZED } from '../payment-to-change.ts'

const bench = useBench({ mode: 'live' })

/** A service whose payment has captured `before` until the question was answered, and then `after`. */
function shop(before: number, after: number): RunOptions {
  const state = { captured: before }
  return {
    service: ({ url }) =>
      new URL(url).pathname.endsWith('/payments')
        ? jsonAnswer(200, { data: [] })
        : jsonAnswer(200, {
            ...AUTHORIZED,
            processor: { amountCaptured: state.captured, amountRefunded: 0 },
          }),
    prompts: {
      text: () => Promise.reject(new Error('asks for a text')),
      secret: () => Promise.reject(new Error('asks for a secret')),
      choose: () => Promise.reject(new Error('asks for a choice')),
      show: () => Promise.reject(new Error('shows a screen')),
      confirm: async () => {
        state.captured = after
        return true
      },
    },
  }
}

test('a capture is not sent if a colleague captured while you were asked', async () => {
  const ran = await bench.runPay('payment capture p1 --amount 300 --no-final', shop(0, 300))
  expect(ran.exitCode).toBe(6)
  expect(ran.stderr).toContain('Nothing was sent: 3.00 EUR was captured before you answered')
  expect(ran.stderr).toContain('payment explain p1')
  expect(writesOf(ran)).toEqual([])
})

test.each([
  ['the payment is as it was', '', 0],
  ['nobody was asked', '--yes', 300],
])('a capture is sent if %s', async (_, more, after) => {
  const ran = await bench.runPay(`payment capture p1 --amount 300 --no-final ${more}`, shop(0, after))
  expect(ran.exitCode).toBe(0)
  expect(writesOf(ran)).toHaveLength(1)
})

test('a capture that was asked about as a repeat is not sent either, with --yes too', async () => {
  const line = 'payment capture p1 --amount 300 --no-final --yes'
  expect((await bench.runPay(line, shop(0, 0))).exitCode).toBe(0)
  const ran = await bench.runPay(line, shop(0, 300))
  expect(ran.stderr).toContain('Nothing was sent: 3.00 EUR was captured')
  expect(writesOf(ran)).toEqual([])
})
