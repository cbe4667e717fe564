import { expect, test } from 'vitest'
import { EXIT, PayError } from '../../../../src/errors.ts'
import { answerOf, applyTestRows } from './apply-rows.ts'

const figures = { status: 'SETTLED', amount: 4990, amountCaptured: 4990, amountRefunded: 0 }

test('rows of one payment are done one after another', async () => {
  let [running, most] = [0, 0]
  const call = async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    return answerOf({ id: 'p1' })
  }
  const results = await applyTestRows({ operation: 'refund', amounts: [100, 200, 300], figures, call })
  expect(results.map((result) => result?.outcome)).toEqual(['done', 'done', 'done'])
  expect(most).toBe(1)
})

test('a row whose process stood still for too long is left for the next run', async () => {
  const lapsed = new PayError('lease_lapsed', EXIT.conflict, 'Nothing was sent', { outcome: 'none' })
  const call = () => Promise.reject(lapsed)
  expect(await applyTestRows({ operation: 'refund', amounts: [100], figures, call })).toEqual([undefined])
})
