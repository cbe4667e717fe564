import { expect, test } from 'vitest'
import { PAYMENT_STATUSES } from '../../../src/api/sets.ts'
import { wordsPaint } from '../../../src/output/paint.ts'
import { badgeOf, paintStatus, wordOfStatus } from '../../../src/views/payment/status.ts'

test.each([
  ['PENDING', 'warn(… PENDING)', 'warn Pending'],
  ['AUTHORIZED', 'good(✓ AUTHORIZED)', 'open Authorized'],
  ['SETTLING', 'good(… SETTLING)', 'good Settling'],
  ['PARTIALLY_SETTLED', 'good(… PARTIALLY_SETTLED)', 'good Partially settled'],
  ['SETTLED', 'good(✓ SETTLED)', 'good Settled'],
  ['DECLINED', 'bad(✗ DECLINED)', 'bad Declined'],
  ['FAILED', 'bad(✗ FAILED)', 'bad Failed'],
  ['CANCELLED', 'dim(– CANCELLED)', 'dim Cancelled'],
  ['toString', 'strong(? toString)', 'strong undefined'],
])('%s in a terminal and on a page', (status, inTerminal, onPage) => {
  expect(paintStatus(status, wordsPaint)).toBe(inTerminal)
  const { tone, word } = badgeOf(status)
  expect(`${tone} ${word}`).toBe(onPage)
})

test('every known status has a word of its own', () => {
  expect(new Set(PAYMENT_STATUSES.map(wordOfStatus)).size).toBe(PAYMENT_STATUSES.length)
})

test.each([
  ['SETTLED', { captured: 500, refunded: 0 }, 'Settled'],
  ['SETTLED', { captured: 500, refunded: null }, 'Settled'],
  ['SETTLED', { captured: 500, refunded: 200 }, 'Partly refunded'],
  ['SETTLED', { captured: 500, refunded: 500 }, 'Refunded'],
  ['PARTIALLY_SETTLED', { captured: 500, refunded: 500 }, 'Partly refunded'],
])('the badge of a %s payment with %o is %s', (status, amounts, word) => {
  expect(badgeOf(status, amounts).word).toBe(word)
})
