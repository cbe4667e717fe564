import { describe, expect, test } from 'vitest'
import type { Payment } from '../../../src/api/models/payment.ts'
import { SETS } from '../../../src/api/sets.ts'
import { plainPaint, wordsPaint } from '../../../src/output/paint.ts'
import { DECLINE_CODES } from '../../../src/views/payment/decline-codes.ts'
import { explainDecline } from '../../../src/views/payment/decline.ts'
import { buildExplanation } from '../../../src/views/payment/build-explanation.ts'
import { explanationView } from '../../../src/views/payment/explanation.ts'
import type { Explanation } from '../../../src/views/payment/explanation.ts'
import type { ShownOperation } from '../../../src/views/ops/state.ts'
import { AUTHORIZED, DECLINED, EVERY_PAYMENT, PARTLY_REFUNDED, WAITING } from '../payments.ts'

const DONE: ShownOperation = {
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
const LOST: ShownOperation = { ...DONE, id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', state: 'in-doubt' }

const explained = (payment: Payment, more: Partial<Explanation> = {}): Explanation => ({
  ...buildExplanation(payment, { id: payment.id ?? 'DdRZ6YY0P', pay: 'pay --profile shop' }),
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

/** With what is open on this machine, as the command puts it first. */
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

  test.each(Object.entries(PAGES))('no line is too wide: %s', (_, explanation) => {
    const lines = explanationView.render(explanation, options).split('\n')
    expect(lines.filter((line) => line.length > width)).toEqual([])
    expect(lines.filter((line) => line !== line.trimEnd())).toEqual([])
  })
})

test('a command that was broken over lines is the same to a shell', () => {
  const failed: Payment = {
    ...DECLINED,
    processor: { name: 'SANDBOX_ALPHA', processorMerchantId: 'alpha-1' },
  }
  const text = show(failed, { width: 60 })
  expect(text).toContain(' \\\n')
  const whole = text.replaceAll(/ \\\n +/g, ' ')
  expect(whole).toContain(
    'pay --profile shop payment authorize DdRZ6YY0P --processor-merchant-id alpha-1 --processor SANDBOX_ALPHA',
  )
})

test('writes an amount that it can take back as it is, whatever the currency', () => {
  const commandOf = (payment: Payment) =>
    explained(payment).actions.find(({ action }) => action === 'refund')?.command
  const payment = { ...PARTLY_REFUNDED, currencyCode: 'JPY' }
  expect(commandOf(payment)).toContain("--amount '500 JPY'")
  expect(commandOf({ ...payment, currencyCode: undefined })).toContain('--amount 500')
  expect(commandOf({ ...payment, currencyCode: "E'$" })).toContain('--amount 500')
  expect(commandOf({ ...payment, processor: undefined })).not.toContain('--amount')
})

test('lets no sign through that steers a terminal, and no card number', () => {
  for (const payment of Object.values(EVERY_PAYMENT)) {
    const text = show(payment)
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(text).not.toMatch(/secret|4111111111111111/)
    expect(text).not.toMatch(/^ALL DONE/m)
  }
})

test('puts nothing into a command that a shell would not take as it is', () => {
  const payment: Payment = {
    ...DECLINED,
    id: 'p1; rm -rf $HOME',
    processor: { name: '$(x)', processorMerchantId: 'a-1' },
  }
  const commands = explained(payment).actions.map(({ command }) => command)
  expect(commands).toEqual([
    'pay --profile shop payment authorize ID --processor-merchant-id a-1',
    'pay --profile shop payment get ID',
  ])
})

test('says what is good or bad by mark and word, and by colour besides', () => {
  const text = show(DECLINED, { paint: wordsPaint })
  expect(text).toContain('bad(✗ DECLINED)')
  expect(text).toContain('good(✓ yes, later)')
  const plain = show(DECLINED)
  expect(plain).toContain('✗ DECLINED')
  expect(plain).toContain('✓ yes, later')
})

describe('what is possible now', () => {
  const actions = (payment: Payment) => explained(payment).actions.map(({ action }) => action)
  const settled = (captured: number, refunded: number): Payment => ({
    ...AUTHORIZED,
    status: 'SETTLED',
    processor: { amountCaptured: captured, amountRefunded: refunded },
  })

  test.each<[string, Payment, readonly string[]]>([
    ['waits for the customer', WAITING, ['resume', 'wait', 'cancel', 'get']],
    ['not decided yet', { ...WAITING, requiredAction: undefined }, ['wait', 'cancel', 'get']],
    ['authorized, amount estimated', AUTHORIZED, ['capture', 'adjust', 'cancel', 'get']],
    [
      'authorized, amount final',
      { ...AUTHORIZED, paymentMethod: { authorizationType: 'FINAL' } },
      ['capture', 'cancel', 'get'],
    ],
    [
      'authorized, no card',
      { ...AUTHORIZED, paymentMethod: { authorizationType: 'ESTIMATED', paymentMethodType: 'PAYPAL' } },
      ['capture', 'cancel', 'get'],
    ],
    ['captured in part', { ...AUTHORIZED, status: 'PARTIALLY_SETTLED' }, ['capture', 'get']],
    [
      'captured in part, with something to refund',
      { ...settled(700, 0), status: 'PARTIALLY_SETTLED' },
      ['capture', 'refund', 'get'],
    ],
    ['settling', { ...settled(1000, 0), status: 'SETTLING' }, ['wait', 'refund', 'get']],
    ['settled', settled(1000, 300), ['refund', 'get']],
    ['refunded whole', settled(1000, 1000), ['get']],
    ['a refund under way', PARTLY_REFUNDED, ['wait-refund', 'refund', 'get']],
    ['figures unknown', { status: 'SETTLED' }, ['refund', 'get']],
    ['declined', DECLINED, ['authorize', 'get']],
    ['declined, processor unknown', { ...DECLINED, processor: undefined }, ['get']],
    [
      'failed, and nobody knows how',
      { ...DECLINED, status: 'FAILED', statusReason: { type: 'GATEWAY_TIMEOUT' } },
      ['get'],
    ],
    ['cancelled', { ...AUTHORIZED, status: 'CANCELLED' }, ['get']],
    ['a status that nobody knows', { ...AUTHORIZED, status: 'CHARGED_BACK' }, ['get']],
    ['no status at all', {}, ['get']],
  ])('%s', (_, payment, expected) => {
    expect(actions(payment)).toEqual(expected)
  })

  test('names the money that a line would move', () => {
    expect(explained(PARTLY_REFUNDED).actions.find(({ action }) => action === 'refund')).toMatchObject({
      amount: 500,
      risk: 'money',
      operation: 'payment.refund',
      command: "pay --profile shop payment refund DdRZ6YY0P --amount '5.00 EUR'",
      words: "Refund all 5.00 EUR, or less with a smaller --amount. You can't undo this.",
    })
  })
})

describe('a decline', () => {
  const codes = SETS.statusReasonCode.values ?? []

  test('has a meaning for every code that there is', () => {
    expect(codes.filter((code) => !Object.hasOwn(DECLINE_CODES, code))).toEqual([])
  })

  test.each<[string, Parameters<typeof explainDecline>[0], string]>([
    ['what may pass later', { declineType: 'SOFT_DECLINE', code: 'INSUFFICIENT_FUNDS' }, 'later'],
    ['what needs the customer', { declineType: 'SOFT_DECLINE', code: 'AUTHENTICATION_REQUIRED' }, 'customer'],
    [
      'what is hard, whatever the code',
      { declineType: 'HARD_DECLINE', code: 'INSUFFICIENT_FUNDS' },
      'other-method',
    ],
    [
      'a stolen card, however soft',
      { declineType: 'SOFT_DECLINE', code: 'LOST_OR_STOLEN_CARD' },
      'other-method',
    ],
    ['no answer of the processor', { type: 'GATEWAY_TIMEOUT', declineType: 'HARD_DECLINE' }, 'look-first'],
    ['a code that nobody knows', { code: 'NEW_ONE' }, 'unknown'],
    ['a code that is a word of the language', { code: 'constructor' }, 'unknown'],
    ['no reason at all', undefined, 'unknown'],
  ])('%s', (_, reason, retry) => {
    expect(explainDecline(reason).retry).toBe(retry)
  })

  test('is told of only where the payment is refused', () => {
    expect(explained(DECLINED).decline).not.toBeNull()
    expect(explained({ ...DECLINED, status: 'AUTHORIZED' }).decline).toBeNull()
  })
})

describe('the money in words', () => {
  const words = (payment: Payment) => explained(payment).figures.words

  test.each<[string, Payment, string]>([
    [
      'partly refunded',
      PARTLY_REFUNDED,
      '10.00 EUR was authorized. 7.00 EUR was captured; the other 3.00 EUR was released. 2.00 EUR was refunded, and is not final yet; 5.00 EUR can still be refunded.',
    ],
    [
      'authorized',
      AUTHORIZED,
      '10.00 EUR was authorized. Nothing of it is captured yet; 10.00 EUR can still be captured.',
    ],
    ['declined', DECLINED, '10.00 EUR was asked for, and nothing was authorized.'],
    ['waiting', WAITING, '700 JPY was asked for, and is not authorized yet.'],
    [
      'nobody knows',
      { ...DECLINED, status: 'FAILED', statusReason: { type: 'GATEWAY_TIMEOUT' } },
      '10.00 EUR was asked for, and nobody knows whether it was authorized.',
    ],
    [
      'refunded whole',
      { ...AUTHORIZED, status: 'SETTLED', processor: { amountCaptured: 1000, amountRefunded: 1000 } },
      '10.00 EUR was authorized. 10.00 EUR was captured. 10.00 EUR was refunded; nothing is left to refund.',
    ],
    ['figures that are not told', { status: 'SETTLED' }, ''],
  ])('%s', (_, payment, expected) => {
    expect(words(payment)).toBe(expected)
  })

  test('an unknown figure is null, never zero', () => {
    expect(explained({ status: 'SETTLED', amount: 5 }).figures).toMatchObject({
      authorized: 5,
      captured: null,
      refunded: null,
      leftToRefund: null,
    })
  })

  test('refunds of which one does not tell its amount add up to nothing that is known', () => {
    const open = { transactionType: 'REFUND', processorStatus: 'PENDING' }
    const payment: Payment = { ...PARTLY_REFUNDED, transactions: [open, { ...open, amount: 200 }] }
    expect(explained(payment).figures.refundsNotFinal).toEqual({ count: 2, amount: null })
  })
})

test('the timeline is in the order in which it happened', () => {
  const events = explained(PARTLY_REFUNDED).timeline.map(({ event, status }) => [event, status])
  expect(events).toEqual([
    ['created', null],
    ['3ds', 'NOT_PERFORMED'],
    ['fraud-check', 'ACCEPT'],
    ['authorization', 'SETTLED'],
    ['capture', null],
    ['refund', 'FAILED'],
    ['refund', 'PENDING'],
  ])
})

test('of what was sent from here, the open ones and ten others are shown', () => {
  const text = show(PARTLY_REFUNDED, { ledger: [LOST, ...Array.from({ length: 12 }, () => DONE)] })
  expect(text.match(/✓ confirmed/g)).toHaveLength(10)
  expect(text).toContain('? IN DOUBT')
  expect(text).toContain('… and 2 more: pay ops list --target DdRZ6YY0P')
})

test('says so where nothing was sent from here, and where the ledger could not be read', () => {
  expect(show(AUTHORIZED)).toContain('Nothing was sent for it from this machine.')
  expect(show(AUTHORIZED, { ledger: null })).toContain('The ledger could not be read.')
})
