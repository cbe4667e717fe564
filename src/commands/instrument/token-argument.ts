export const SAVED_METHOD = {
  name: 'TOKEN',
  param: 'paymentMethodToken',
  ask: 'Token',
  secret: true,
  help: 'The payment method token, or - to read it from stdin',
} as const
