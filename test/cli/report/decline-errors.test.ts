import { expect, test } from 'vitest'
import { paymentDeclined } from '../../../src/cli/report/decline-errors.ts'

test.each([
  [{ status: 'DECLINED' }, 'The payment was declined: no money moved'],
  [{ status: 'FAILED', processor: { amountCaptured: 0 } }, 'The payment failed: no money moved'],
  // By an earlier capture.
  [{ status: 'FAILED', processor: { amountCaptured: 300 } }, 'The payment failed'],
])('a decline says that no money moved only if the payment shows none: %j', (answer, message) => {
  expect(paymentDeclined(answer, {}).message).toBe(message)
})
