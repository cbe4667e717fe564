import { instrument } from '../../api/models/instrument.ts'
import { show } from '../../cli/command/result.ts'
import type { ArgumentSpec, FlagSpec } from '../../cli/command/flags.ts'
import { instrumentView } from '../../views/instrument/instrument.ts'

export const SAVED_METHOD = {
  name: 'TOKEN',
  param: 'paymentMethodToken',
  ask: 'Token',
  secret: true,
  hint: 'The payment method token',
  help: 'The payment method token, or - to read it from stdin',
} as const

/** The same, chosen among those of a customer on a terminal. */
const METHOD_TO_CHOOSE: ArgumentSpec = {
  ...SAVED_METHOD,
  offer: async (invocation) => {
    const { offerMethods } = await import('./offer-methods.ts')
    return offerMethods(invocation)
  },
}

/** Sent nowhere: it only finds the method for a person. */
const WHOSE_METHOD: Readonly<Record<string, FlagSpec>> = {
  'customer-id': {
    kind: 'text',
    value: 'ID',
    help: 'Whose it is: on a terminal, to choose among their methods and to show which one it is',
  },
}

export const showMethod = show(instrument, instrumentView)

/** Commands that change one saved method. */
export const ONE_METHOD = { args: [METHOD_TO_CHOOSE], flags: WHOSE_METHOD, present: showMethod } as const
