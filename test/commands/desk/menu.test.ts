import { describe, expect, test } from 'vitest'
import { payment as paymentSchema } from '../../../src/api/models/payment.ts'
import { parseResponse } from '../../../src/api/parse-response.ts'
import { entriesFor, menuScreen } from '../../../src/commands/desk/menu.ts'
import { widthOf } from '../../../src/output/width.ts'
import type { OperationRecord } from '../../../src/client/ledger/record.ts'
import { paymentOf } from './desk-service.ts'
import { drawn, pressAll } from './press-keys.ts'

const payment = (status: string) => {
  const row = { ...paymentOf('p1aaaaaaa', 'A-1', status), paymentMethod: { authorizationType: 'FINAL' } }
  return parseResponse(paymentSchema, row) ?? expect.unreachable()
}

const menuOf = (status: string, open?: OperationRecord) =>
  menuScreen('test shop · payment p1aaaaaaa', entriesFor('p1aaaaaaa', payment(status), open))

const OPEN: OperationRecord = {
  id: 'op1',
  operation: 'payment.cancel',
  profile: 'shop',
  target: 'p1aaaaaaa',
  amount: null,
  currencyCode: null,
  idempotencyKey: null,
  createdAt: '2026-03-01T12:00:00.000Z',
  updatedAt: '2026-03-01T12:00:00.000Z',
  state: 'in-doubt',
  exitCode: null,
  reason: null,
  user: 'ana',
  host: 'desk',
  version: '1.0.0',
}

describe('the menu', () => {
  test.each([
    ['SETTLED', undefined, 'Enter', 'payment refund p1aaaaaaa'],
    ['SETTLED', undefined, 'r', 'payment refund p1aaaaaaa'],
    ['SETTLED', undefined, 'R', 'nothing'],
    ['SETTLED', undefined, '^R', 'nothing'],
    ['SETTLED', undefined, 'x', "Can't cancel: it is captured; refund it instead."],
    ['SETTLED', undefined, 'down Enter', "Can't capture: it is captured already; there is nothing to do."],
    ['SETTLED', undefined, 'w', "Can't wait: nothing is pending."],
    ['SETTLED', undefined, 'x down', 'nothing'],
    ['SETTLED', undefined, 'y', 'copy'],
    ['SETTLED', undefined, 'g', 'again'],
    ['SETTLED', undefined, 'Esc', 'back'],
    ['SETTLED', undefined, 'down down down down down down down down Enter', 'again'],
    ['SETTLED', undefined, 's', 'nothing'],
    ['SETTLING', undefined, 'w', 'payment wait p1aaaaaaa'],
    ['AUTHORIZED', undefined, 'Enter', 'payment capture p1aaaaaaa'],
    ['AUTHORIZED', undefined, 'x', 'payment cancel p1aaaaaaa'],
    [
      'AUTHORIZED',
      undefined,
      'r',
      "Can't refund: nothing is captured yet; cancel the payment instead, or capture it first.",
    ],
    ['AUTHORIZED', undefined, 'a', "Can't adjust: its authorization is final, not an estimate."],
    ['PENDING', undefined, 'm', "Can't resume: it waits for nobody."],
    ['AUTHORIZED', OPEN, 'Enter', 'ops resolve op1'],
    ['AUTHORIZED', OPEN, 'x', "Can't cancel: find the outcome of the write above first."],
    ['AUTHORIZED', { ...OPEN, state: 'sending' }, 's', 'ops show op1'],
  ] as const)(
    'of a payment that is %s with the write %j, after the keys %s: %s',
    (status, open, keys, told) => {
      const { start, press } = menuOf(status, open)
      const step = pressAll(start, press, keys)
      const answer =
        'state' in step
          ? (step.state.note ?? 'nothing')
          : step.answer.kind === 'run'
            ? step.answer.args.join(' ')
            : step.answer.kind
      expect(answer).toBe(told)
    },
  )

  test.each([100, 60, 44, 30])('at %i columns', async (columns) => {
    const { start, picture } = menuOf('AUTHORIZED')
    const note = "Can't refund: nothing is captured yet; cancel the payment instead, or capture it first."
    const lines = drawn((room) => picture({ ...start, note }, room), columns)
    await expect(lines.join('\n')).toMatchFileSnapshot(`../../golden/desk/menu-${columns}.txt`)
    expect(lines.filter((line) => widthOf(line) >= columns)).toEqual([])
  })
})
