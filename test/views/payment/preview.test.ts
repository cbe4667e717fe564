import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../../src/api/models/payment.ts'
import { plainPaint, wordsPaint } from '../../../src/output/paint.ts'
import { renderPaymentPreview } from '../../../src/views/payment/preview.ts'
import type { PaymentPreview } from '../../../src/views/payment/preview.ts'
import { AUTHORIZED, HOSTILE, PARTLY_REFUNDED } from '../payments.ts'

const NOW = new Date('2026-11-21T08:04:30Z')

const show = (
  preview: Partial<PaymentPreview> & Pick<PaymentPreview, 'action' | 'payment'>,
  paint = plainPaint,
  width = 80,
) => {
  const { facts, plan } = renderPaymentPreview(
    { profileName: 'shop', mode: 'test', now: NOW, ...preview },
    { paint, width, timeZone: undefined },
  )
  return `${facts}\n\n${plan}`
}
const lineOf = (text: string, label: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${label} `))
    ?.slice(label.length)
    .trim()

/** In full, so that a search for the words finds them here. */
const LABELS = { capture: 'This capture', refund: 'This refund', cancel: 'This cancellation' } as const

test.each([
  ['refund', { action: 'refund', payment: PARTLY_REFUNDED, amountMinor: 200, mode: 'live' }],
  ['capture-part', { action: 'capture', payment: AUTHORIZED, amountMinor: 700 }],
  ['adjust', { action: 'adjust', payment: AUTHORIZED, amountMinor: 1250 }],
  ['cancel', { action: 'cancel', payment: AUTHORIZED }],
  ['unknown', { action: 'refund', payment: undefined, amountMinor: 500, mode: 'live' }],
] as const)('shows the payment and the effect: %s', async (name, preview) => {
  await expect(`${show(preview)}\n`).toMatchFileSnapshot(`../../golden/views/preview-${name}.txt`)
})

test('a payment that is pending has nothing reserved, so that its cancellation releases nothing', () => {
  const payment = { ...AUTHORIZED, status: 'PENDING' } as const
  const text = show({ action: 'cancel', payment })
  expect(lineOf(text, 'Authorized')).toBe('not yet')
  expect(lineOf(text, 'Remaining')).toBe('nothing yet')
  expect(lineOf(text, LABELS.cancel)).toBe('ends it before any money is reserved')
})

describe('the earlier refunds of a refund', () => {
  const refundOn = (day: number, more: Transaction = {}): Transaction => ({
    transactionType: 'REFUND',
    amount: day * 100,
    currencyCode: 'EUR',
    date: `2026-11-1${day}T10:00:00Z`,
    processorStatus: 'SETTLED',
    ...more,
  })
  const SEVEN = [
    refundOn(3, { reason: 'one of two pairs was missing from the parcel' }),
    refundOn(1),
    refundOn(7, { processorStatus: 'FAILED', reason: 'late\u001B[31m\u202Eevil' }),
    refundOn(2),
    refundOn(6, { processorStatus: 'IN_TRANSIT' }),
    refundOn(4, { currencyCode: 'USD' }),
    refundOn(5, { date: undefined, amount: undefined, processorStatus: undefined }),
  ]
  const listed = (transactions: readonly Transaction[], action: PaymentPreview['action'] = 'refund') =>
    show({ action, payment: { ...PARTLY_REFUNDED, transactions: [...transactions] } })
      .split('\n')
      .filter((line) => line.startsWith('Earlier refund'))

  test.each([60, 80])('are the newest five, and how many more there are: at %i columns', async (width) => {
    const payment = { ...PARTLY_REFUNDED, transactions: SEVEN }
    const text = show({ action: 'refund', payment, amountMinor: 200 }, plainPaint, width)
    await expect(`${text}\n`).toMatchFileSnapshot(`../../golden/views/preview-refunds-${width}.txt`)
    expect(text.split('\n').filter((line) => line.length > width)).toEqual([])
    expect(text).not.toMatch(/[\u001B\u202E]/)
  })

  test.each([
    ['2026-11-21T08:04:29Z', 'less than a minute ago'],
    ['2026-11-21T08:03:30Z', '1 minute ago'],
    ['2026-11-21T08:00:00', '4 minutes ago'],
    ['2026-11-21T09:00:00+02:00', '1 hour ago'],
    ['2026-11-19T08:04:31Z', '47 hours ago'],
    ['2026-11-19T08:04:30Z', '2 days ago'],
  ])('have an age: %s', (date, age) => {
    expect(listed([refundOn(2, { date })])[0]).toContain(`Settled, ${age} (2026-11-`)
  })

  test('have none if they are dated ahead, by another clock', () => {
    expect(listed([refundOn(2, { date: '2026-11-22T08:00:00Z' })])[0]).toContain('Settled, 2026-11-22')
  })

  test('are left out of other actions', () => {
    expect(listed(SEVEN, 'capture')).toEqual([])
  })
})

describe('shows the amount and what remains', () => {
  test.each([
    ['capture', 700, undefined, '7.00 EUR', '0.00 EUR: releases 3.00 EUR unless --no-final'],
    ['capture', 700, true, '7.00 EUR', '0.00 EUR: releases 3.00 EUR'],
    ['capture', 700, false, '7.00 EUR', '3.00 EUR, still to capture'],
    ['capture', 1000, undefined, '10.00 EUR', '0.00 EUR'],
    ['capture', undefined, false, '10.00 EUR, all that is left', '0.00 EUR'],
    ['capture', 1001, undefined, '10.01 EUR', '! this exceeds the available amount by 0.01 EUR'],
    ['cancel', undefined, undefined, 'releases 10.00 EUR', '0.00 EUR'],
  ] as const)('%s %s with final %s', (action, amountMinor, final, amount, after) => {
    const text = show({ action, payment: AUTHORIZED, amountMinor, final })
    expect(lineOf(text, LABELS[action])).toBe(amount)
    expect(lineOf(text, 'Remaining after')).toBe(after)
  })

  test.each([
    [200, '2.00 EUR', '3.00 EUR'],
    [undefined, '5.00 EUR, all that is left', '0.00 EUR'],
    [600, '6.00 EUR', '! this exceeds the available amount by 1.00 EUR'],
  ])('refund %s', (amountMinor, amount, after) => {
    const text = show({ action: 'refund', payment: PARTLY_REFUNDED, amountMinor })
    expect(lineOf(text, 'This refund')).toBe(amount)
    expect(lineOf(text, 'Remaining after')).toBe(after)
  })

  test.each([
    [1250, '12.50 EUR (2.50 EUR more)'],
    [800, '8.00 EUR (2.00 EUR less)'],
    [1000, '10.00 EUR (no change)'],
    [undefined, 'unknown'],
  ])('adjust to %s', (amountMinor, amount) => {
    expect(lineOf(show({ action: 'adjust', payment: AUTHORIZED, amountMinor }), 'New amount')).toBe(amount)
  })

  test.each([
    ['capture', 500, '500 minor units', 'nothing: releases the rest unless --no-final'],
    ['capture', undefined, 'all that is left', '0 minor units'],
    ['refund', 500, '500 minor units', 'unknown'],
    ['refund', undefined, 'all that is left', '0 minor units'],
    ['cancel', undefined, 'releases the authorization', 'nothing'],
  ] as const)('%s %s without the payment', (action, amountMinor, amount, after) => {
    const text = show({ action, payment: undefined, amountMinor })
    expect(lineOf(text, LABELS[action])).toBe(amount)
    expect(lineOf(text, 'Remaining after')).toBe(after)
    expect(lineOf(text, 'Authorized')).toBe('unknown')
  })
})

test('warns about a live profile in words, at any width and without colour', () => {
  const options = { paint: plainPaint, timeZone: undefined }
  const preview = {
    action: 'cancel',
    payment: AUTHORIZED,
    profileName: 'shop',
    mode: 'live',
    now: NOW,
  } as const
  for (const width of [30, 60, 80, 200]) {
    const { facts } = renderPaymentPreview(preview, { ...options, width })
    const [rule = '', words, again] = facts.split('\n')
    expect(rule).toBe('='.repeat(Math.min(60, width)))
    expect(words).toMatch(/^ {2}LIVE: real money, on profi/)
    expect(again).toBe(rule)
  }
  const tested = renderPaymentPreview({ ...preview, mode: 'test' }, { ...options, width: 80 })
  expect(tested.facts).not.toContain('LIVE')
})

test('names a live profile', () => {
  const text = show({ action: 'cancel', payment: AUTHORIZED, mode: 'live' }, wordsPaint)
  expect(text).toContain('shop (warn(LIVE: real money))')
})

test('shows no control characters', () => {
  const text = show({ action: 'refund', payment: HOSTILE, profileName: 'x\u001B' })
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})
