import { describe, expect, test } from 'vitest'
import type { RowOutcome } from '../../../src/rows/row-outcome.ts'
import type { OnExists } from '../../../src/rows/import/send-record.ts'
import {
  answer,
  refusal,
  OK,
  EXISTS,
  INVALID,
  PAGE,
  BUSY,
  SLOWER,
  CUT,
  TIMEOUT,
  REFUSED,
  createSenderBench,
  methodsOf,
} from './sender-bench.ts'
import type { Step } from './sender-bench.ts'

describe('the outcome of a row', () => {
  const TABLE: readonly (readonly [
    what: string,
    script: readonly Step[],
    onExists: OnExists,
    outcome: RowOutcome['outcome'],
    methods: string,
    retries: number,
  ])[] = [
    ['a record', [OK], 'update', 'created', 'POST', 0],
    ['an HTML page, then a record', [PAGE, OK], 'update', 'created', 'POST POST', 1],
    ['a page, and there after that', [PAGE, EXISTS, OK], 'update', 'updated', 'POST POST PATCH', 1],
    ['a page, and there after that: skip', [PAGE, EXISTS], 'skip', 'unknown', 'POST POST', 1],
    ['a page each time', [PAGE, PAGE, PAGE, PAGE], 'update', 'unknown', 'POST POST POST POST', 3],
    ['a page for the update', [EXISTS, PAGE, OK], 'update', 'updated', 'POST PATCH PATCH', 1],
    ['a 201 without a body', [answer(201, ''), EXISTS, OK], 'update', 'updated', 'POST POST PATCH', 1],
    ['another one, then its own', [answer(200, { paymentId: 'x' }), OK], 'update', 'created', 'POST POST', 1],
    ['a record without its id', [answer(200, { amount: 5 })], 'update', 'created', 'POST', 0],
    ['an error under 200', [answer(200, { message: 'down' }), OK], 'update', 'created', 'POST POST', 1],
    ['half a record', [answer(200, '{"paymentId":"ext-1"'), OK], 'update', 'created', 'POST POST', 1],
    ['there already: update', [EXISTS, OK], 'update', 'updated', 'POST PATCH', 0],
    ['there already: skip', [EXISTS], 'skip', 'skipped', 'POST', 0],
    ['there already: fail', [EXISTS], 'fail', 'failed', 'POST', 0],
    ['refused', [INVALID], 'update', 'failed', 'POST', 0],
    ['refused in the update', [EXISTS, INVALID], 'update', 'failed', 'POST PATCH', 0],
    ['gone before the update', [EXISTS, refusal(404, 'EntityNotFound')], 'update', 'failed', 'POST PATCH', 0],
    ['409 of another kind', [refusal(409, 'Other')], 'update', 'failed', 'POST', 0],
    ['a 404 for the record alone', [refusal(404, 'NotFound')], 'update', 'failed', 'POST', 0],
    ['503, then a record', [BUSY, OK], 'skip', 'created', 'POST POST', 1],
    ['cut, then a record', [CUT, OK], 'skip', 'created', 'POST POST', 1],
    ['cut after it was applied: update', [CUT, EXISTS, OK], 'update', 'updated', 'POST POST PATCH', 1],
    ['cut after it was applied: skip', [CUT, EXISTS], 'skip', 'unknown', 'POST POST', 1],
    ['cut after it was applied: fail', [CUT, EXISTS], 'fail', 'unknown', 'POST POST', 1],
    ['503 and there: skip', [BUSY, EXISTS], 'skip', 'unknown', 'POST POST', 1],
    ['timeout and there: fail', [TIMEOUT, EXISTS], 'fail', 'unknown', 'POST POST', 1],
    ['cut in the update', [EXISTS, CUT, OK], 'update', 'updated', 'POST PATCH PATCH', 1],
    ['503 to the end', [BUSY, BUSY, BUSY, BUSY], 'update', 'unknown', 'POST POST POST POST', 3],
    ['cut to the end', [CUT, CUT, CUT, CUT], 'skip', 'unknown', 'POST POST POST POST', 3],
    ['a mix to the end', [CUT, BUSY, TIMEOUT, CUT], 'fail', 'unknown', 'POST POST POST POST', 3],
    ['cut, then refused', [CUT, INVALID], 'update', 'failed', 'POST POST', 1],
    ['cut, then half a refusal', [CUT, answer(409, '{"error":{')], 'update', 'unknown', 'POST POST', 1],
    ['half a refusal', [answer(409, '{"error":{')], 'update', 'failed', 'POST', 0],
    ['a 1xx is no answer', [answer(101), OK], 'update', 'created', 'POST POST', 1],
    ['429 and there: skip', [SLOWER, EXISTS], 'skip', 'skipped', 'POST POST', 1],
    ['not connected and there: skip', [REFUSED, EXISTS], 'skip', 'skipped', 'POST POST', 1],
    ['not connected, then a record', [REFUSED, REFUSED, OK], 'update', 'created', 'POST POST POST', 2],
  ]
  test.each(TABLE)('%s', async (_, script, onExists, outcome, methods, retries) => {
    const bench = createSenderBench(script, { onExists })
    expect(await bench.run()).toMatchObject({ outcome, retries })
    expect(methodsOf(bench.requests)).toBe(methods)
  })

  test.each<readonly [OnExists, RowOutcome['outcome']]>([
    ['skip', 'unknown'],
    ['fail', 'unknown'],
    ['update', 'updated'],
  ])(
    'is not taken for a new record if an earlier run may have sent the row: %s',
    async (onExists, outcome) => {
      const bench = createSenderBench([EXISTS, OK], { onExists, maybeSent: true })
      expect(await bench.run()).toMatchObject({ outcome })
    },
  )

  test('is unknown without a retry if --max-retries is 0', async () => {
    const bench = createSenderBench([CUT], { maxRetries: 0 })
    expect(await bench.run()).toMatchObject({ outcome: 'unknown', retries: 0 })
  })

  test('an update sends all fields except paymentId and createdAt', async () => {
    const bench = createSenderBench([EXISTS, OK])
    await bench.run()
    expect(bench.requests[1]?.url).toBe('https://shop.example.com/observability/payments/ext-1')
    expect(JSON.parse(bench.requests[1]?.body ?? '')).toEqual({ amount: 2500, status: 'SETTLED' })
  })

  test('a paymentId that cannot be part of a path fails only its row', async () => {
    const bench = createSenderBench([EXISTS])
    const outcome = await bench.run({
      ...bench.row,
      id: 'a/b',
      body: { ...bench.row.body, paymentId: 'a/b' },
    })
    expect(outcome).toMatchObject({
      outcome: 'failed',
      retries: 0,
      message: expect.stringContaining('cannot contain /'),
    })
  })

  test('an HTML page instead of a record is reported', async () => {
    const bench = createSenderBench([PAGE, PAGE, PAGE, PAGE])
    const { message } = await bench.run()
    expect(message).toBe('the response (200) is a web page instead of JSON')
    expect(bench.seen.odd).toBe(4)
  })
})
