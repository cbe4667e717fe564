import { expect, test } from 'vitest'
import { loyaltyView } from '../../src/commands/loyalty/points.ts'
import { HOSTILE_TEXT, expectNoControlCharacters, optionsAt, testViews, viewCase } from './view-case.ts'

const points = {
  id: 'loy-1',
  type: 'REDEMPTION',
  value: 500,
  customerId: 'customer-1',
  orderId: 'order-1',
  connectionId: 'points-1',
  connectionName: 'Points Club',
  connectionTransactionId: 'pc-9',
  date: '2026-11-20T15:36:16.367687',
}

testViews(
  [viewCase('loyalty', loyaltyView, points, ['loy-1']), viewCase('loyalty-empty', loyaltyView, {}, [])],
  './../golden/views',
)

test('shows no control characters from the service', () => {
  const hostile = { id: HOSTILE_TEXT, connectionName: HOSTILE_TEXT }
  expectNoControlCharacters(loyaltyView.render(hostile, optionsAt(80)))
})

test('shows a date without a time as the service sent it', () => {
  const shown = loyaltyView.render({ ...points, date: '2023-01-01' }, optionsAt(80))
  expect(shown).toMatch(/Created +2023-01-01$/m)
})
