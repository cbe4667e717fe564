import { expect, test } from 'vitest'
import type { Call } from '../../../src/calls/call.ts'
import { EXIT, PayError } from '../../../src/errors.ts'
import { answerOf, applyTestRows } from './apply-rows.ts'

const KEY_USED = new PayError('conflict', EXIT.conflict, 'The key was used before', {
  outcome: 'none',
  httpStatus: 409,
  errorId: 'IdempotencyKeyAlreadyExists',
})

test('a row that was skipped here and done by another machine is done, and does not keep others from being done', async () => {
  const sent: unknown[] = []
  let amountRefunded = 700
  const call = async ({ operation, body, amount = 0, idempotencyKey, review }: Call) => {
    const answer = () =>
      answerOf({
        id: 'p1',
        status: 'SETTLED',
        amount: 4990,
        currencyCode: 'EUR',
        processor: { amountCaptured: 4990, amountRefunded },
      })
    if (operation.risk === 'read' && idempotencyKey !== undefined)
      throw idempotencyKey === 'key-1'
        ? KEY_USED
        : new PayError('refused', EXIT.rejected, 'Too much', { httpStatus: 422, outcome: 'none' })
    if (operation.risk === 'read') return answer()
    review?.(answer())
    sent.push(body?.value)
    amountRefunded += amount
    return answer()
  }

  const results = await applyTestRows({
    operation: 'refund',
    amounts: [700, 500],
    figures: { status: 'SETTLED', amount: 4990, amountCaptured: 4990, amountRefunded: 0 },
    journal: new Map([[1, { outcome: 'skipped' }]]),
    call,
  })

  expect(results.map((result) => result?.outcome)).toEqual(['done', 'done'])
  expect(sent).toEqual([{ amount: 500 }])
})
