import type { Payment } from '../../api/models/payment.ts'
import { deriveAmounts } from './amounts.ts'

export const PAYMENT_ACTIONS = ['capture', 'refund', 'cancel', 'adjust', 'authorize', 'resume'] as const
export type PaymentActionName = (typeof PAYMENT_ACTIONS)[number]

const isIn = (status: string | undefined, ...statuses: readonly string[]): boolean =>
  status !== undefined && statuses.includes(status)

/** What the service allows in each state. Where the payment doesn't say enough, the service decides. */
const RULES: Readonly<Record<PaymentActionName, (payment: Payment) => boolean>> = {
  capture: (payment) =>
    isIn(payment.status, 'AUTHORIZED', 'PARTIALLY_SETTLED') && deriveAmounts(payment).leftToCapture !== 0,
  refund: (payment) =>
    isIn(payment.status, 'SETTLED', 'PARTIALLY_SETTLED', 'SETTLING') &&
    deriveAmounts(payment).leftToRefund !== 0,
  cancel: ({ status }) => isIn(status, 'PENDING', 'AUTHORIZED'),
  adjust: ({ status, amount, paymentMethod }) =>
    isIn(status, 'AUTHORIZED') &&
    paymentMethod?.authorizationType === 'ESTIMATED' &&
    amount !== undefined &&
    ['PAYMENT_CARD', undefined].includes(paymentMethod.paymentMethodType),
  authorize: ({ status }) => isIn(status, 'PENDING', 'DECLINED', 'FAILED'),
  resume: ({ status, requiredAction }) => isIn(status, 'PENDING') && requiredAction !== undefined,
}

export const isAllowed = (action: PaymentActionName, payment: Payment): boolean => RULES[action](payment)
