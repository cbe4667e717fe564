import { describe, expect, test } from 'vitest'
import { plainPaint, wordsPaint } from '../../../src/output/paint.ts'
import { renderPaymentPreview } from '../../../src/views/payment/preview.ts'
import type { PaymentPreview } from '../../../src/views/payment/preview.ts'
import { AUTHORIZED, HOSTILE, PARTLY_REFUNDED } from '../payments.ts'

const show = (
  preview: Partial<PaymentPreview> & Pick<PaymentPreview, 'action' | 'payment'>,
  paint = plainPaint,
) => {
  const { facts, plan } = renderPaymentPreview(
    { profileName: 'shop', mode: 'test', ...preview },
    { paint, width: 80, timeZone: undefined },
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

test('a refund lists the newest five of the earlier ones, and how many more there are', () => {
  const transactions = Array.from({ length: 7 }, (_, at) => ({
    transactionType: 'REFUND',
    amount: (at + 1) * 100,
    currencyCode: 'EUR',
    date: `2026-03-0${at + 1}T10:00:00Z`,
    processorStatus: at === 6 ? 'FAILED' : 'SETTLED',
    reason: 'late\u001B[31m',
  }))
  const text = show({ action: 'refund', payment: { ...PARTLY_REFUNDED, transactions } })
  const lines = text.split('\n').filter((line) => line.startsWith('Earlier refund'))
  expect(lines.map((line) => /\d+\.00 EUR/.exec(line)?.[0])).toEqual(
    ['7', '6', '5', '4', '3'].map((units) => `${units}.00 EUR`),
  )
  expect(lines[0]).toContain('FAILED')
  expect(lines[1]).toContain('late')
  expect(text).toContain('and 2 more')
  expect(text).not.toContain('\u001B')
  expect(show({ action: 'capture', payment: { ...PARTLY_REFUNDED, transactions } })).not.toContain('Earlier')
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
  const preview = { action: 'cancel', payment: AUTHORIZED, profileName: 'shop', mode: 'live' } as const
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
