import { expect, test } from 'vitest'
import { refundStateOf } from '../../src/api/payment-states.ts'

test.each([
  ['PENDING', 'pending'],
  ['AUTHORIZED', 'pending'],
  ['SETTLING', 'pending'],
  ['PARTIALLY_SETTLED', 'pending'],
  ['SETTLED', 'done'],
  ['DECLINED', 'failed'],
  ['FAILED', 'failed'],
  ['CANCELLED', 'failed'],
  ['REJECTED', 'failed'],
  ['settled', 'pending'],
  ['RETURNED', 'pending'],
  ['toString', 'pending'],
  [undefined, 'pending'],
] as const)('a refund that is %s is %s', (processorStatus, state) => {
  expect(refundStateOf(processorStatus)).toBe(state)
})
