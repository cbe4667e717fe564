import { expect, test } from 'vitest'
import { answerOf, applyTestRows } from './apply-rows.ts'

test('rows of one payment are done one after another', async () => {
  let [running, most] = [0, 0]
  const call = async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    return answerOf({ id: 'p1' })
  }
  const figures = { status: 'SETTLED', amount: 4990, amountCaptured: 4990, amountRefunded: 0 }
  const results = await applyTestRows({ operation: 'refund', amounts: [100, 200, 300], figures, call })
  expect(results.map((result) => result?.outcome)).toEqual(['done', 'done', 'done'])
  expect(most).toBe(1)
})
