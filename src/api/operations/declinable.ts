/** Operations that respond with a payment whose status can show a decline. */
export const DECLINABLE: readonly string[] = [
  'payment.create',
  'payment.authorize',
  'payment.capture',
  'payment.resume',
]
