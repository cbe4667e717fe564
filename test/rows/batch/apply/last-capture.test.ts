import { expect, test } from 'vitest'
import type { RowResult } from '../../../../src/rows/batch/apply/row-result.ts'
import type { Call } from '../../../../src/client/calls/call.ts'
import { EXIT, PayError } from '../../../../src/errors.ts'
import { answerOf, applyTestRows } from './apply-rows.ts'

const REFUSAL = new PayError('server_fault', EXIT.serverFault, 'The service failed (503)', {
  outcome: 'none',
  httpStatus: 503,
})

/** Captures parts of one payment. `failsOn`: the amounts whose request fails before anything is sent. */
async function capture(
  amounts: readonly number[],
  { journal, failsOn = [] }: { journal?: ReadonlyMap<number, RowResult>; failsOn?: readonly number[] },
) {
  const sent: unknown[] = []
  let amountCaptured = 0
  const call = async ({ body, amount = 0, review }: Call) => {
    if (failsOn.includes(amount)) throw REFUSAL
    const status = amountCaptured === 0 ? 'AUTHORIZED' : 'PARTIALLY_SETTLED'
    const answer = answerOf({
      id: 'p1',
      status,
      amount: 4990,
      currencyCode: 'EUR',
      processor: { amountCaptured, amountRefunded: 0 },
    })
    review?.(answer)
    sent.push(body?.value)
    amountCaptured += amount
    return answer
  }
  const figures = { status: 'AUTHORIZED', amount: 4990, amountCaptured: 0, amountRefunded: 0 }
  const results = await applyTestRows({ operation: 'capture', amounts, figures, journal, call })
  return { sent, results, outcomes: results.map((result) => result?.outcome) }
}

test('the last capture is not sent while an earlier one has failed', async () => {
  const r = await capture([1000, 500, 2000], { failsOn: [1000] })
  expect(r.sent).toEqual([{ amount: 500, final: false }])
  expect(r.outcomes).toEqual(['failed', 'done', 'failed'])
  expect(r.results[2]?.message).toBe(
    'Not sent: the last capture of a payment would release the amount of row 1, which is not captured',
  )
})

test('applied again, the captures that have failed are done in order', async () => {
  const journal = new Map<number, RowResult>([
    [1, { outcome: 'failed' }],
    [2, { outcome: 'failed' }],
  ])
  const r = await capture([1000, 2000], { journal })
  expect(r.sent).toEqual([{ amount: 1000, final: false }, { amount: 2000 }])
  expect(r.outcomes).toEqual(['done', 'done'])
})

test('the last capture is skipped after an earlier one was', async () => {
  const r = await capture([1000, 2000], { journal: new Map([[1, { outcome: 'skipped' }]]) })
  expect(r.sent).toEqual([])
  expect(r.outcomes).toEqual(['skipped', 'skipped'])
})
