import { describe, expect, test } from 'vitest'
import type { Payment, Transaction } from '../../../src/api/models/payment.ts'
import { plainPaint, wordsPaint } from '../../../src/output/paint.ts'
import { buildExplanation } from '../../../src/views/payment/build-explanation.ts'
import { explanationView } from '../../../src/views/payment/explanation.ts'
import { describeStandout, findStandouts } from '../../../src/views/payment/stands-out.ts'
import { PARTLY_REFUNDED } from '../payments.ts'

const NOW = new Date('2026-03-01T12:00:00Z')

const refund = (amount: number | undefined, at: string | undefined, more: Transaction = {}): Transaction => ({
  transactionType: 'REFUND',
  amount,
  currencyCode: 'EUR',
  date: at === undefined ? undefined : `2026-11-20T${at}:00Z`,
  processorStatus: 'SETTLED',
  ...more,
})
const paymentWith = (...transactions: readonly Transaction[]): Payment => ({
  ...PARTLY_REFUNDED,
  transactions: [...transactions],
})
const wordsFor = (...transactions: readonly Transaction[]) =>
  findStandouts(paymentWith(...transactions), NOW).map((one) => describeStandout(one, 'Europe/Berlin'))
const FAILED = { processorStatus: 'FAILED' }
const NO_MONEY = 'it returned no money to the customer.'
/** What is said of equal refunds at these minutes after 10:00. */
const equal = (amount: string, ...minutes: readonly number[]): string =>
  `${minutes.length} equal refunds of ${amount} EUR: ${minutes.map((at) => `2026-11-20 10:0${at}:00 CET`).join('; ')}. Check that each is wanted.`

describe('what stands out on a payment', () => {
  test.each<readonly [string, readonly Transaction[], readonly string[]]>([
    ['no refund', [], []],
    ['one refund', [refund(1_000, '09:00')], []],
    ['refunds of different amounts', [refund(1_000, '09:00'), refund(1_001, '09:00')], []],
    [
      'two equal refunds, whatever their order',
      [refund(1_000, '09:00'), refund(500, '09:01'), refund(1_000, '09:02')],
      [equal('10.00', 2, 0)],
    ],
    [
      'one of them pending, one of a state of a later version',
      [
        refund(1_000, '09:00', { processorStatus: 'PENDING' }),
        refund(1_000, '09:01', { processorStatus: 'X' }),
      ],
      [equal('10.00', 1, 0)],
    ],
    [
      'equal ones without dates',
      [refund(1_000, undefined), refund(1_000, undefined, { date: '4111111111111111' })],
      ['2 equal refunds of 10.00 EUR: time unknown; 4111111111111111. Check that each is wanted.'],
    ],
    [
      'seven equal ones',
      Array.from({ length: 7 }, (_, at) => refund(1_000, `09:0${at}`)),
      [
        `7 equal refunds of 10.00 EUR: ${[6, 5, 4, 3, 2].map((at) => `2026-11-20 10:0${at}:00 CET`).join('; ')}; and 2 more. Check that each is wanted.`,
      ],
    ],
    ['two currencies', [refund(1_000, '09:00'), refund(1_000, '09:01', { currencyCode: 'USD' })], []],
    [
      'the currency of the payment, where the refund names none',
      [refund(1_000, '09:00'), refund(1_000, '09:01', { currencyCode: undefined })],
      [equal('10.00', 1, 0)],
    ],
    ['refunds without amounts', [refund(undefined, '09:00'), refund(undefined, '09:01')], []],
    ['equal ones, no refunds', [refund(1, '09:00', { transactionType: 'SALE' }), refund(1, '09:01')], []],
    [
      'refunds named by type',
      [{ ...refund(500, '09:00'), transactionType: undefined, type: 'REFUND' }, refund(500, '09:01')],
      [equal('5.00', 1, 0)],
    ],
    ...['FAILED', 'DECLINED', 'CANCELLED', 'REJECTED'].map(
      (processorStatus) =>
        [
          `a refund that is ${processorStatus}, beside an equal one`,
          [refund(200, '09:00', { processorStatus }), refund(200, '09:10')],
          ['A refund of 2.00 EUR failed (2026-11-20 10:00:00 CET): it returned no money to the customer.'],
        ] as const,
    ),
    [
      'a refund without a response of the processor',
      [refund(200, '09:00', { ...FAILED, processorStatusReason: { type: 'GATEWAY_TIMEOUT' } })],
      [
        'A refund of 2.00 EUR failed (2026-11-20 10:00:00 CET): the processor never responded, so the money may have been returned.',
      ],
    ],
    [
      'a failed refund without amount and date',
      [refund(undefined, undefined, FAILED)],
      ['A refund failed: it returned no money to the customer.'],
    ],
    [
      'both, the failed ones first and the newest of them before the others',
      [refund(1, '09:00'), refund(2, '09:01', FAILED), refund(1, '09:02'), refund(3, '09:03', FAILED)],
      [
        `A refund of 0.03 EUR failed (2026-11-20 10:03:00 CET): ${NO_MONEY}`,
        `A refund of 0.02 EUR failed (2026-11-20 10:01:00 CET): ${NO_MONEY}`,
        equal('0.01', 2, 0),
      ],
    ],
  ])('%s', (_, transactions, words) => {
    expect(wordsFor(...transactions)).toEqual(words)
  })

  test('is in the explanation as facts', () => {
    const payment = paymentWith(refund(2, '09:00'), refund(2, '09:05'), refund(3, '09:03', FAILED))
    expect(buildExplanation(payment, { id: 'p1', pay: 'pay', now: NOW }).standsOut).toEqual([
      { kind: 'refund_failed', amount: 3, currencyCode: 'EUR', at: '2026-11-20T09:03:00Z', outcome: 'none' },
      {
        kind: 'equal_refunds',
        amount: 2,
        currencyCode: 'EUR',
        at: ['2026-11-20T09:05:00Z', '2026-11-20T09:00:00Z'],
      },
    ])
  })

  test('has lines of its own, marked, with clean text, that fit the terminal', () => {
    const odd = { currencyCode: 'E\u001B[31mUR', date: '2026\u202E\u001B]0;x\u0007' }
    const payment = paymentWith(
      refund(2, '09:00'),
      refund(2, '09:05'),
      refund(3, '09:03', { ...FAILED, ...odd }),
    )
    const explanation = { ...buildExplanation(payment, { id: 'p1', pay: 'pay', now: NOW }), ledger: [] }
    for (const width of [60, 80]) {
      const options = { paint: plainPaint, width, timeZone: undefined }
      const page = explanationView.render(explanation, options)
      expect(page).toMatch(/What stands out\n {2}! A refund of .*\n[^]*\n {2}! 2 equal refunds of 0\.02 EUR/)
      expect(page).not.toMatch(/[\u001B\u202E\u0007]/)
      expect(page.split('\n').filter((line) => line.length > width)).toEqual([])
    }
    const words = explanationView.render(explanation, {
      paint: wordsPaint,
      width: undefined,
      timeZone: undefined,
    })
    expect(words).toContain('warn(! 2 equal refunds of 0.02 EUR')
  })

  test('is nothing, without a heading, on a payment with nothing of note', () => {
    const explanation = { ...buildExplanation(paymentWith(), { id: 'p1', pay: 'pay', now: NOW }), ledger: [] }
    const page = explanationView.render(explanation, { paint: plainPaint, width: 80, timeZone: undefined })
    expect(page).not.toContain('stands out')
  })
})

describe('a payment that waits', () => {
  test.each<readonly [string, Payment, readonly string[]]>([
    [
      'authorized 7 days ago',
      { status: 'AUTHORIZED', date: '2026-02-22T11:00:00' },
      ['Authorized 7 days ago. Issuers often release the funds after 7 days: a capture may fail.'],
    ],
    ['authorized 6 days ago', { status: 'AUTHORIZED', date: '2026-02-22T13:00:00' }, []],
    [
      'pending for a day',
      { status: 'PENDING', date: '2026-02-28T12:00:00Z' },
      ["Pending for 1 day. If the customer won't finish it, cancel it; they can pay again."],
    ],
    ['pending for hours', { status: 'PENDING', date: '2026-02-28T13:00:00Z' }, []],
    ['of a date ahead of this clock', { status: 'PENDING', date: '2026-03-05T12:00:00Z' }, []],
    ['without a readable date', { status: 'PENDING', date: 'soon' }, []],
    ['settled long ago', { status: 'SETTLED', date: '2020-01-01T12:00:00Z' }, []],
  ])('%s', (_, payment, expected) => {
    expect(findStandouts(payment, NOW).map((one) => describeStandout(one, undefined))).toEqual(expected)
  })
})
