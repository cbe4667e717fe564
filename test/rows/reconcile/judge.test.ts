import { describe, expect, test } from 'vitest'
import { judge } from '../../../src/rows/reconcile/judge.ts'
import type {
  FilePeriod,
  PaymentFacts,
  RefundFacts,
  RowOfPayment,
} from '../../../src/rows/reconcile/judge.ts'

const at = (day: number): number => Date.UTC(2026, 0, day, 12)
const JANUARY: FilePeriod = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 1, 1) - 1, end: at(28) }

const payment = (changes: Partial<PaymentFacts> = {}): PaymentFacts => ({
  id: 'p1',
  orderId: 'A-1',
  status: 'SETTLED',
  currencyCode: 'EUR',
  timeMs: at(5),
  captured: 1000,
  refunded: 0,
  refunds: [],
  processorIds: [],
  ...changes,
})
const refund = (amount: number, day: number, changes: Partial<RefundFacts> = {}): RefundFacts => ({
  amount,
  state: 'done',
  timeMs: at(day),
  processorId: `r-${amount}-${day}`,
  ...changes,
})
/** Rows such as `payment 1000`, or `refund 300 6`, where 6 is the day. */
const rowsOf = (...texts: readonly string[]): readonly RowOfPayment[] =>
  texts.map((text, index) => {
    const [kind, amount, day = '5', currencyCode = 'EUR', key = 'p1'] = text.split(' ')
    return {
      row: index + 1,
      kind: kind === 'refund' || kind === 'chargeback' ? kind : 'payment',
      amount: Number(amount),
      currencyCode,
      timeMs: at(Number(day)),
      status: undefined,
      key,
    }
  })

function judged(facts: PaymentFacts, rows: readonly string[], isListed = true) {
  const { rows: verdicts, lacking, here } = judge(facts, rowsOf(...rows), JANUARY, isListed)
  return {
    rows: rows.map((_, index) => verdicts.get(index + 1)?.verdict),
    lacking: lacking.map(({ verdict, kind, amount }) => `${verdict} ${kind} ${amount}`),
    here,
  }
}

describe('rows of payments', () => {
  test.each<[name: string, Partial<PaymentFacts>, rows: string[], verdicts: string[]]>([
    ['the amount that was captured', {}, ['payment 1000'], ['matched']],
    ['another amount', {}, ['payment 900'], ['amount_differs']],
    ['another currency', {}, ['payment 1000 5 USD'], ['currency_differs']],
    ['an authorized payment', { status: 'AUTHORIZED', captured: 0 }, ['payment 1000'], ['expected']],
    ['a payment that is being settled', { status: 'SETTLING' }, ['payment 1000'], ['expected']],
    [
      'a payment that is being settled, of another amount',
      { status: 'SETTLING' },
      ['payment 1'],
      ['amount_differs'],
    ],
    ['a declined payment', { status: 'DECLINED', captured: 0 }, ['payment 1000'], ['status_differs']],
    ['a cancelled payment', { status: 'CANCELLED', captured: 0 }, ['payment 1000'], ['status_differs']],
    ['a payment without figures', { captured: undefined }, ['payment 1000'], ['unread']],
    ['a payment after the period', { timeMs: Date.UTC(2026, 1, 2) }, ['payment 1000'], ['expected']],
    ['a repeated row', {}, ['payment 1000', 'payment 1000'], ['matched', 'twice']],
    ['two parts of a capture', {}, ['payment 400', 'payment 600'], ['matched', 'matched']],
    ['two equal parts of a capture', {}, ['payment 500', 'payment 500'], ['matched', 'matched']],
    [
      'two equal parts and a repeat',
      {},
      ['payment 500', 'payment 500', 'payment 500'],
      ['matched', 'matched', 'twice'],
    ],
    ['the whole and something else', {}, ['payment 1000', 'payment 20'], ['matched', 'amount_differs']],
    ['a chargeback', {}, ['payment 1000', 'chargeback 1000'], ['matched', 'chargeback']],
  ])('%s', (_, changes, rows, verdicts) => {
    expect(judged(payment(changes), rows)).toMatchObject({ rows: verdicts, lacking: [] })
  })
})

describe('rows of refunds', () => {
  test.each<[name: string, refunds: RefundFacts[], rows: string[], verdicts: string[], lacking: string[]]>([
    ['a refund', [refund(300, 6)], ['refund 300 6'], ['matched'], []],
    ['a pending refund', [refund(300, 6, { state: 'pending' })], ['refund 300 6'], ['expected'], []],
    ['a failed refund', [refund(300, 6, { state: 'failed' })], ['refund 300 6'], ['status_differs'], []],
    ['a repeated row', [refund(300, 6)], ['refund 300 6', 'refund 300 6'], ['matched', 'twice'], []],
    ['no refund', [], ['refund 300 6'], ['missing_here'], []],
    ['another amount', [refund(300, 6)], ['refund 200 6'], ['amount_differs'], []],
    ['another currency', [refund(300, 6)], ['refund 300 6 USD'], ['currency_differs'], []],
    [
      'equal refunds by day',
      [refund(300, 9), refund(300, 6)],
      ['refund 300 6'],
      ['matched'],
      ['missing_there refund 300'],
    ],
    [
      'equal refunds of a day in order',
      [refund(300, 6), refund(300, 6)],
      ['refund 300 6', 'refund 300 6'],
      ['matched', 'matched'],
      [],
    ],
    ['a row of the next day', [refund(300, 6)], ['refund 300 7'], ['matched'], []],
    [
      'the day before the nearest',
      [refund(300, 6), refund(300, 20)],
      ['refund 300 19', 'refund 300 20'],
      ['matched', 'matched'],
      [],
    ],
    [
      'the same day before the nearest',
      [refund(300, 6), refund(300, 8, { state: 'pending' })],
      ['refund 300 7', 'refund 300 6'],
      ['expected', 'matched'],
      [],
    ],
    [
      'the ID of the refund itself',
      [refund(300, 6), refund(300, 8)],
      ['refund 300 6 EUR r-300-8'],
      ['matched'],
      ['missing_there refund 300'],
    ],
    ['a refund after the end of the file', [refund(300, 30)], [], [], ['expected refund 300']],
    ['a refund of the next month', [refund(300, 33)], [], [], []],
    ['a failed refund that the file lacks', [refund(300, 6, { state: 'failed' })], [], [], []],
    [
      'a pending refund that the file lacks',
      [refund(300, 6, { state: 'pending' })],
      [],
      [],
      ['expected refund 300'],
    ],
  ])('%s', (_, refunds, rows, verdicts, lacking) => {
    const found = judged(payment({ refunds }), ['payment 1000', ...rows])
    expect(found).toMatchObject({ rows: ['matched', ...verdicts], lacking })
  })

  test('that could not be read are named', () => {
    expect(judged(payment({ refunds: undefined, refunded: 300 }), ['payment 1000']).lacking).toEqual([
      'unread refund 300',
    ])
    expect(judged(payment({ refunds: undefined, refunded: 0 }), ['payment 1000']).lacking).toEqual([])
  })

  test('of a payment that does not show its transactions are unread', () => {
    expect(judged(payment({ refunds: undefined }), ['payment 1000', 'refund 300'])).toMatchObject({
      rows: ['matched', 'unread'],
    })
  })
})

describe('what the file lacks', () => {
  test.each<[name: string, Partial<PaymentFacts>, lacking: string[]]>([
    ['a settled payment', {}, ['missing_there payment 1000']],
    [
      'a partly settled payment',
      { status: 'PARTIALLY_SETTLED', captured: 400 },
      ['missing_there payment 400'],
    ],
    ['an authorized payment', { status: 'AUTHORIZED', captured: 0 }, ['expected payment 0']],
    ['a payment that is being settled', { status: 'SETTLING' }, ['expected payment 1000']],
    ['a payment younger than the file', { timeMs: at(29) }, ['expected payment 1000']],
    ['a declined payment', { status: 'DECLINED', captured: 0 }, []],
    ['a payment that waits for its customer', { status: 'PENDING', captured: 0 }, []],
  ])('%s', (_, changes, lacking) => expect(judged(payment(changes), []).lacking).toEqual(lacking))

  test('is no payment that was created before the period', () => {
    expect(judged(payment(), [], false).lacking).toEqual([])
  })
})

test('totals count the captured amount once, and the refunds of the period', () => {
  const refunds = [refund(300, 6), refund(100, 7, { state: 'failed' }), refund(50, 33), refund(20, 8)]
  const facts = payment({ refunds })
  expect(judged(facts, ['payment 1000', 'payment 1000', 'refund 300 6']).here).toEqual({
    payment: 1000,
    refund: 320,
  })
  expect(judged(facts, ['refund 300 6'], false).here).toEqual({ payment: 0, refund: 320 })
})
