import { expect, test } from 'vitest'
import type { Payment } from '../../../src/api/models/payment.ts'
import { buildExplanation } from '../../../src/views/payment/build-explanation.ts'
import { DECLINED } from '../payments.ts'

const explanation = (payment: Payment) => buildExplanation(payment, { id: 'DdRZ6YY0P', pay: 'pay' })

test('explains a decline only for a declined or failed payment', () => {
  expect(explanation(DECLINED).decline).not.toBeNull()
  expect(explanation({ ...DECLINED, status: 'AUTHORIZED' }).decline).toBeNull()
})
