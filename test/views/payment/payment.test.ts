import { describe, expect, test } from 'vitest'
import { summarizeAmounts } from '../../../src/views/payment/amount-summary.ts'
import { wordsPaint, plainPaint } from '../../../src/output/paint.ts'
import { widthOf } from '../../../src/output/width.ts'
import { paymentListView, paymentView } from '../../../src/views/payment/payment.ts'
import { AUTHORIZED, DECLINED, EVERY_PAYMENT, HOSTILE, PARTLY_REFUNDED, WAITING } from '../payments.ts'

const at = (width: number | undefined, timeZone?: string) => ({ paint: plainPaint, width, timeZone })
const LIST = { data: [AUTHORIZED, PARTLY_REFUNDED, DECLINED, WAITING, {}] }

/** Names that merchants or attackers may choose; no line may lose its columns. */
const ODD = {
  data: [
    { ...AUTHORIZED, orderId: '注文-東京-7', customerId: '\u{1F469}\u200D\u{1F469}\u200D\u{1F467}' },
    { ...AUTHORIZED, orderId: '\u05D4\u05D6\u05DE\u05E0\u05D4-9', customerId: '\u0645\u062D\u0645\u062F' },
    { ...AUTHORIZED, id: 'a1b2c3d4-0000-4000-8000-000000000001', amount: 12_345, currencyCode: 'KWD' },
    { ...AUTHORIZED, status: 'ON_THE_MOON', amount: 700, currencyCode: 'JPY', orderId: 'u\u0308ber' },
    { ...AUTHORIZED, orderId: '\u202Eevil\u001B[2J\r\nID  forged', amount: 9_007_199_254_740_991 },
    { ...AUTHORIZED, customerId: 'c'.repeat(300) },
  ],
}

describe.each([200, 80, 60])('unusual names at %i columns', (width) => {
  test('break neither lines nor columns', async () => {
    const text = paymentListView.render(ODD, at(width))
    await expect(`${text}\n`).toMatchFileSnapshot(`../../golden/views/payment-list-odd-${width}.txt`)
    // A block does not break its values.
    const lines = text.split('\n').filter((line) => !line.includes('cccc'))
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width)
    expect(text).toContain('a1b2c3d4-0000-4000-8000-000000000001')
    expect(text).not.toMatch(/[\u202E\u001B]/)
  })
})

describe.each([80, 60])('at %i columns', (width) => {
  test.each(Object.entries(EVERY_PAYMENT))('shows a payment: %s', async (name, payment) => {
    const file = `../../golden/views/payment-${name.toLowerCase().replace('_', '-')}-${width}.txt`
    await expect(`${paymentView.render(payment, at(width, 'Europe/Berlin'))}\n`).toMatchFileSnapshot(file)
  })

  test('shows a list whose lines fit', async () => {
    const text = paymentListView.render(LIST, at(width))
    await expect(`${text}\n`).toMatchFileSnapshot(`../../golden/views/payment-list-${width}.txt`)
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width)
  })
})

test('shows every column of a list in a pipe', async () => {
  await expect(`${paymentListView.render(LIST, at(undefined))}\n`).toMatchFileSnapshot(
    '../../golden/views/payment-list-pipe.txt',
  )
})

test('never shows a payment method token, a client token or a card number', () => {
  for (const payment of Object.values(EVERY_PAYMENT)) {
    const text =
      paymentView.render(payment, at(undefined)) + paymentListView.render({ data: [payment] }, at(undefined))
    expect(text).not.toMatch(/secret|4111111111111111/)
  }
})

test('shows no control characters', () => {
  const text =
    paymentView.render(HOSTILE, at(undefined)) + paymentListView.render({ data: [HOSTILE] }, at(undefined))
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(text).not.toMatch(/^ALL DONE/m)
})

test('shows the status by mark and word as well as colour', () => {
  const text = paymentView.render(DECLINED, { ...at(80), paint: wordsPaint })
  expect(text).toContain('bad(✗ Declined)')
})

test('shows the latest refund, regardless of the order of the transactions', () => {
  expect(paymentView.render(PARTLY_REFUNDED, at(80))).toMatch(
    /^Last refund +2\.00 EUR, … Pending \(damaged in transit\)$/m,
  )
  const undated = { transactions: [{ transactionType: 'REFUND' }, { transactionType: 'REFUND', amount: 5 }] }
  expect(paymentView.render(undated, at(80))).toMatch(/^Last refund +5 minor units$/m)
})

test('reads the type of a transaction from either field name', () => {
  const { transactions = [] } = PARTLY_REFUNDED
  const renamed = {
    ...PARTLY_REFUNDED,
    transactions: transactions.map(({ transactionType, ...rest }) => ({ ...rest, type: transactionType })),
  }
  const options = { paint: plainPaint, width: undefined, timeZone: undefined }
  expect(paymentView.render(renamed, options)).toBe(paymentView.render(PARTLY_REFUNDED, options))
  expect(summarizeAmounts(renamed)).toEqual(summarizeAmounts(PARTLY_REFUNDED))
})

test('shows the amount that a partial final capture released', () => {
  expect(paymentView.render(PARTLY_REFUNDED, at(80))).toMatch(/^Released +3\.00 EUR$/m)
  expect(paymentView.render(AUTHORIZED, at(80))).not.toContain('Released')
})

test('lists the ids of its entries and skips those without one', () => {
  expect(paymentView.ids(AUTHORIZED)).toEqual(['DdRZ6YY0P'])
  expect(paymentView.ids({})).toEqual([])
  expect(paymentListView.ids(LIST)).toHaveLength(4)
})

test('says so if a list is empty or has more pages', () => {
  expect(paymentListView.render({ data: [] }, at(80))).toBe('No payments found.')
  expect(paymentListView.render({ data: [AUTHORIZED], nextCursor: 'c' }, at(80))).toContain('--all')
})
