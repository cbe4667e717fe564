import type { ArgumentSpec, FlagSpec } from '../../cli/spec.ts'

export const SAVED_METHOD = {
  name: 'TOKEN',
  param: 'paymentMethodToken',
  ask: 'Token',
  secret: true,
  hint: 'The payment method token',
  help: 'The payment method token, or - to read it from stdin',
} as const

/** The same, chosen among those of a customer on a terminal. */
export const METHOD_TO_CHOOSE: ArgumentSpec = {
  ...SAVED_METHOD,
  offer: async (invocation) => {
    const { offerMethods } = await import('./offer-methods.ts')
    return offerMethods(invocation)
  },
}

/** Sent nowhere: it only finds the method for a person. */
export const WHOSE_METHOD: Readonly<Record<string, FlagSpec>> = {
  'customer-id': {
    kind: 'text',
    value: 'ID',
    help: 'Whose it is: on a terminal, to choose among their methods and to show which one it is',
  },
}
