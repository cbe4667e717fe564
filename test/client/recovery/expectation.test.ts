import { expect, test } from 'vitest'
import type { Expectation } from '../../../src/client/calls/client-port.ts'
import { json } from '../../support/simulated-service.ts'
import { other } from './evidence-bench.ts'
import { runResolve, storedRefund } from './resolve-bench.ts'

/** A capture of 2.00 EUR in doubt, of a payment that shows 2.00 EUR captured and that its caller expects so, or otherwise. */
const capture = (parts: Parameters<typeof storedRefund>[0] = {}) =>
  storedRefund({
    operation: 'payment.capture',
    amount: 200,
    request: { params: { id: 'pay-1' }, body: '{"amount":200,"final":false}' },
    ...parts,
  })
const payment = (status: string, amountCaptured: number) =>
  json(200, { id: 'pay-1', status, currencyCode: 'EUR', processor: { amountCaptured, amountRefunded: 0 } })
const resolved = async (
  intent: ReturnType<typeof capture>,
  answer: ReturnType<typeof payment>,
  expected: Expectation,
) => {
  const { resolution, writes } = await runResolve(intent, {
    read: () => answer,
    write: () => answer,
    expects: () => expected,
  })
  return { kind: resolution.kind, sent: writes.length, words: resolution.words }
}

test.each([
  ['shows it', capture(), payment('PARTIALLY_SETTLED', 200)],
  ['shows it beside what another machine did', capture(), payment('PARTIALLY_SETTLED', 500)],
])('a write is done if the payment is as its caller expects after it, and %s', async (_, intent, answer) => {
  expect(await resolved(intent, answer, { kind: 'with' })).toMatchObject({ kind: 'confirmed', sent: 0 })
})

test.each([
  ['while others may still settle', payment('SETTLING', 200)],
  ['for good', payment('PARTIALLY_SETTLED', 200)],
])('a write may not be, if another one of this ledger explains a part of that: %s', async (_, answer) => {
  const intent = capture({ others: [other('payment.capture', 100)] })
  expect(await resolved(intent, answer, { kind: 'with' })).toMatchObject({
    kind: 'in-doubt',
    sent: 0,
    words: expect.stringContaining('the payment changed in another way'),
  })
})

test('a write is neither sent nor done if the payment changed in another way', async () => {
  const why = 'the amount captured is 5.00 EUR'
  const expected = { kind: 'other', why } as const
  expect(await resolved(capture(), payment('PARTIALLY_SETTLED', 500), expected)).toMatchObject({
    kind: 'in-doubt',
    sent: 0,
    words: expect.stringContaining(why),
  })
})
