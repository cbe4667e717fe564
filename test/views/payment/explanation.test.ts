import { describe, expect, test } from 'vitest'
import type { Payment } from '../../../src/api/models/payment.ts'
import { plainPaint, wordsPaint } from '../../../src/output/paint.ts'
import { buildExplanation } from '../../../src/views/payment/build-explanation.ts'
import { explanationView } from '../../../src/views/payment/explanation.ts'
import type { Explanation } from '../../../src/views/payment/explanation.ts'
import type { OperationRecord } from '../../../src/client/ledger/record.ts'
import { AUTHORIZED, DECLINED, EVERY_PAYMENT, PARTLY_REFUNDED } from '../payments.ts'

const NOW = new Date('2026-03-01T12:00:00Z')

const DONE: OperationRecord = {
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  operation: 'payment.refund',
  profile: 'shop',
  target: 'DdRZ6YY0P',
  amount: 200,
  currencyCode: 'EUR',
  idempotencyKey: 'key-1',
  createdAt: '2026-11-21T08:00:00.000Z',
  updatedAt: '2026-11-21T08:00:01.000Z',
  state: 'confirmed',
  exitCode: 0,
  reason: 'damaged in transit',
  user: 'ada',
  host: 'desk-1',
  version: '1.0.0',
}
const LOST: OperationRecord = { ...DONE, id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', state: 'in-doubt' }

const explained = (payment: Payment, more: Partial<Explanation> = {}): Explanation => ({
  ...buildExplanation(payment, { id: payment.id ?? 'DdRZ6YY0P', pay: 'pay --profile shop', now: NOW }),
  ledger: [],
  ...more,
})
const show = (
  payment: Payment,
  {
    width,
    paint = plainPaint,
    ...more
  }: { width?: number; paint?: typeof plainPaint } & Partial<Explanation> = {},
) => explanationView.render(explained(payment, more), { paint, width, timeZone: 'Europe/Berlin' })

/** With an open operation on this machine. */
const IN_DOUBT = explained(PARTLY_REFUNDED, {
  ledger: [LOST, DONE],
  actions: [
    {
      action: 'clear-up',
      operation: null,
      risk: 'money',
      amount: null,
      command: `pay ops resolve ${LOST.id}`,
      words: 'First find out what became of it: payment.refund of 2.00 EUR is in doubt.',
      blocked: null,
    },
    ...explained(PARTLY_REFUNDED).actions.map((action) => ({
      ...action,
      blocked: action.risk === 'read' ? null : 'Not before that: payment.refund of 2.00 EUR is in doubt.',
    })),
  ],
})
const PAGES: Readonly<Record<string, Explanation>> = {
  ...Object.fromEntries(Object.entries(EVERY_PAYMENT).map(([name, payment]) => [name, explained(payment)])),
  IN_DOUBT,
}

describe.each([60, 80, 200])('at %i columns', (width) => {
  const options = { paint: plainPaint, width, timeZone: 'Europe/Berlin' }

  test.each(Object.entries(PAGES))('explains a payment: %s', async (name, explanation) => {
    const file = `../../golden/views/explain-${name.toLowerCase().replace('_', '-')}-${width}.txt`
    await expect(`${explanationView.render(explanation, options)}\n`).toMatchFileSnapshot(file)
  })

  test.each(Object.entries(PAGES))('no line but a command is too wide: %s', (_, explanation) => {
    const lines = explanationView.render(explanation, options).split('\n')
    expect(lines.filter((line) => line.length > width && !line.startsWith('    pay '))).toEqual([])
    expect(lines.filter((line) => line !== line.trimEnd())).toEqual([])
  })
})

test('keeps a long command on one line, to be pasted into any shell', () => {
  const failed: Payment = {
    ...DECLINED,
    processor: { name: 'SANDBOX_ALPHA', processorMerchantId: 'alpha-1' },
  }
  expect(show(failed, { width: 60 }).split('\n')).toContain(
    '    pay --profile shop payment authorize DdRZ6YY0P --processor-merchant-id alpha-1 --processor SANDBOX_ALPHA',
  )
})

test('shows no control characters and no card numbers', () => {
  for (const payment of Object.values(EVERY_PAYMENT)) {
    const text = show(payment)
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(text).not.toMatch(/secret|4111111111111111/)
    expect(text).not.toMatch(/^ALL DONE/m)
  }
})

test('marks statuses and advice with words as well as colour', () => {
  const text = show(DECLINED, { paint: wordsPaint })
  expect(text).toContain('bad(✗ Declined)')
  expect(text).toContain('good(✓ yes, later)')
  const plain = show(DECLINED)
  expect(plain).toContain('✗ Declined')
  expect(plain).toContain('✓ yes, later')
})

test('shows open operations and the last ten finished ones', () => {
  const text = show(PARTLY_REFUNDED, { ledger: [LOST, ...Array.from({ length: 12 }, () => DONE)] })
  expect(text.match(/✓ confirmed/g)).toHaveLength(10)
  expect(text).toContain('? IN DOUBT')
  expect(text).toContain('… and 2 more: pay ops list --target DdRZ6YY0P')
})

test('distinguishes an empty ledger from an unreadable one', () => {
  expect(show(AUTHORIZED)).toContain('This machine has sent no operations for this payment.')
  expect(show(AUTHORIZED, { ledger: null })).toContain('It may have open writes: pay ops list --target')
})

test('names the type of a payment that belongs to a series, and no other', () => {
  const typed = (paymentType: string) => show({ ...AUTHORIZED, paymentMethod: { paymentType } })
  expect(typed('SUBSCRIPTION')).toMatch(/^ {2}Type +SUBSCRIPTION \(one of a subscription\)$/m)
  expect(typed('ECOMMERCE')).not.toMatch(/^ {2}Type/m)
})
