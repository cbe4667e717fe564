import { describe, expect, test } from 'vitest'
import { plainPaint, wordsPaint } from '../../../src/output/paint.ts'
import { operationsView } from '../../../src/views/ops/list.ts'
import { recordView } from '../../../src/views/ops/record.ts'
import type { ShownRecord } from '../../../src/views/ops/record.ts'
import { abandonedView, resolutionsView } from '../../../src/views/ops/resolution.ts'
import { setAsideView } from '../../../src/commands/ops/abandon.ts'
import { describeOperation, describeState } from '../../../src/views/ops/state.ts'
import type { OperationRecord } from '../../../src/client/ledger/record.ts'

const at = (width: number | undefined) => ({ paint: plainPaint, width, timeZone: 'Europe/Berlin' })

const REFUND: OperationRecord = {
  id: 'a1b2c3d4-0000-4000-8000-000000000001',
  operation: 'payment.refund',
  profile: 'shop',
  target: 'Kx7pQ2mRt',
  amount: 500,
  currencyCode: 'EUR',
  idempotencyKey: 'b1b2c3d4-0000-4000-8000-000000000001',
  createdAt: '2026-03-01T12:00:00.000Z',
  updatedAt: '2026-03-01T12:00:31.000Z',
  state: 'in-doubt',
  exitCode: 10,
  reason: 'damaged in transit',
  user: 'maria',
  host: 'support-7',
  version: '0.1.0',
}

const LIST: readonly OperationRecord[] = [
  REFUND,
  { ...REFUND, id: 'b2', state: 'sending', exitCode: null, operation: 'payment.adjust', amount: 123_456 },
  {
    ...REFUND,
    id: 'c3',
    state: 'confirmed',
    exitCode: 0,
    operation: 'instrument.delete',
    target: `sha256:${'ab'.repeat(32)}`,
    amount: null,
  },
  {
    ...REFUND,
    id: 'd4',
    state: 'confirmed',
    exitCode: 13,
    operation: 'payment.create',
    target: 'order-1042',
  },
  {
    ...REFUND,
    id: 'e5',
    state: 'rejected',
    exitCode: 3,
    operation: 'loyalty.create',
    target: 'points-1/A-1',
    amount: 100,
    currencyCode: null,
  },
  {
    ...REFUND,
    id: 'f6',
    state: 'abandoned',
    operation: 'session.create',
    profile: null,
    target: null,
    amount: null,
    currencyCode: null,
  },
]

test('a narrow list keeps time, target and amount', () => {
  const list: readonly OperationRecord[] = [
    { ...REFUND, amount: 4990, state: 'confirmed' },
    { ...REFUND, operation: 'payment.capture', amount: 123_456 },
  ]
  expect(operationsView.render(list, at(60)).split('\n')).toEqual([
    'WHEN         OPERATION  TARGET          AMOUNT  STATE',
    '03-01 13:00  refund     Kx7pQ2mRt    49.90 EUR  ✓ confirmed',
    '03-01 13:00  capture    Kx7pQ2mRt  1234.56 EUR  ? IN DOUBT',
    '… no room for 3 columns: ID, PROFILE, BY',
  ])
})

test('drops the ID of a write before the order, which is what people know', () => {
  const list = [
    { ...REFUND, operation: 'loyalty.create', target: 'points-1/A-1171', amount: 500, orderId: 'A-1171' },
  ]
  const [heading] = operationsView.render(list, at(80)).split('\n')
  expect(heading).toMatch(/^WHEN +OPERATION +TARGET +ORDER +AMOUNT +STATE$/)
})

const RECORD: ShownRecord = {
  ...REFUND,
  baseUrl: 'https://api.example.com',
  mode: 'live',
  apiVersion: '2.1',
  resource: null,
  note: 'Ambiguous. The payment can be read both ways.',
  request: { method: 'POST', path: '/payments/Kx7pQ2mRt/refund', body: '{"amount":500}' },
  atWork: null,
  next: ['pay ops resolve a1b2', 'pay --profile shop payment get Kx7pQ2mRt', 'pay ops abandon a1b2'],
}

describe.each([80, 60])('at %i columns', (width) => {
  test('a list whose lines fit', async () => {
    const text = operationsView.render(LIST, at(width))
    await expect(`${text}\n`).toMatchFileSnapshot(`../../golden/views/operations-${width}.txt`)
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width)
  })
})

test('a list has every column in a pipe', async () => {
  await expect(`${operationsView.render(LIST, at(undefined))}\n`).toMatchFileSnapshot(
    '../../golden/views/operations-pipe.txt',
  )
})

test('a record in doubt', async () => {
  await expect(`${recordView.render(RECORD, at(80))}\n`).toMatchFileSnapshot(
    '../../golden/views/operation-in-doubt.txt',
  )
})

test('a record without a body that a process is sending', async () => {
  const sending: ShownRecord = {
    ...RECORD,
    state: 'sending',
    exitCode: null,
    note: null,
    request: { method: 'POST', path: '/payments/Kx7pQ2mRt/cancel', body: null },
    atWork: { pid: 4711, host: 'support-7' },
    next: [],
  }
  await expect(`${recordView.render(sending, at(80))}\n`).toMatchFileSnapshot(
    '../../golden/views/operation-sending.txt',
  )
})

test('shows one block per resolution', async () => {
  const found = [
    {
      ...REFUND,
      state: 'confirmed',
      exitCode: 0,
      resolution: 'It was done: the payment shows it.',
      next: ['pay payment get p1'],
    },
    { ...REFUND, profile: null, resolution: 'Ambiguous. Compare it.', next: [] },
  ] as const
  await expect(`${resolutionsView('Nothing.').render(found, at(80))}\n`).toMatchFileSnapshot(
    '../../golden/views/operation-resolutions.txt',
  )
})

test('an empty list is a sentence', () => {
  expect(operationsView.render([], at(80))).toBe('No writes found.')
  expect(resolutionsView('Nothing.').render([], at(80))).toBe('Nothing.')
})

test('shows a state by mark and words as well as colour', () => {
  const painted = operationsView.render(LIST, { ...at(undefined), paint: wordsPaint })
  for (const words of [
    'bad(? IN DOUBT)',
    'warn(… sending)',
    'good(✓ confirmed)',
    'warn(✗ declined)',
    'dim(– abandoned)',
  ])
    expect(painted).toContain(words)
  expect(new Set(LIST.map((operation) => describeState(operation).text)).size).toBe(LIST.length)
})

test.each([
  [{}, 'payment.refund of 5.00 EUR on Kx7pQ2mRt'],
  [{ operation: 'payment.adjust' }, 'payment.adjust to 5.00 EUR on Kx7pQ2mRt'],
  [{ amount: null }, 'payment.refund on Kx7pQ2mRt'],
  [{ currencyCode: null }, 'payment.refund of 500 minor units on Kx7pQ2mRt'],
  [
    { operation: 'loyalty.create', currencyCode: null, amount: 10 },
    'loyalty.create of 10 points on Kx7pQ2mRt',
  ],
  [{ operation: 'session.create', target: null, amount: null }, 'session.create'],
  [{ target: `sha256:${'cd'.repeat(32)}`, amount: null }, 'payment.refund on sha256:cdcdcdcd…'],
])('describes %j as %s', (more, words) => {
  expect(describeOperation({ ...REFUND, ...more })).toBe(words)
})

test('typed text loses card numbers', () => {
  const card = 'card 4111 1111 1111 1111'
  const shown = recordView.render({ ...RECORD, reason: card, note: card }, at(80))
  expect(shown).not.toContain('4111 1111')
  expect(resolutionsView('Nothing.').render([{ ...REFUND, resolution: card, next: [] }], at(80))).toContain(
    '[card number]',
  )
})

test('an abandoned file and an abandoned operation as text', () => {
  expect(setAsideView.render({ damaged: '/x/a.json', setAside: '/x/a.json.damaged' }, at(80))).toBe(
    'Set aside; it blocks nothing: /x/a.json.damaged',
  )
  expect(setAsideView.ids({ damaged: 'a', setAside: null })).toEqual([])
  const view = abandonedView('Abandoned')
  expect(view.render({ ...REFUND, next: [] }, at(80))).toBe(
    `Abandoned: payment.refund of 5.00 EUR on Kx7pQ2mRt (${REFUND.id})`,
  )
  expect(view.ids({ ...REFUND, next: [] })).toEqual([REFUND.id])
})
