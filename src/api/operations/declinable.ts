/** Operations whose answer is a payment that may have been declined. */
export const DECLINABLE: readonly string[] = [
  'payment.create',
  'payment.authorize',
  'payment.capture',
  'payment.resume',
]
