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
  help: 'The payment method token; - reads it from stdin',
} as const

/** The token; a terminal offers a customer's methods to choose from. */
const SAVED_METHOD_CHOICE: ArgumentSpec = {
  ...SAVED_METHOD,
  offer: async (invocation) => {
    const { listMethodChoices } = await import('./method-choices.ts')
    return listMethodChoices(invocation)
  },
}

/** The customer. Not sent: only used to find and show the method on a terminal. */
const CUSTOMER_FLAG: Readonly<Record<string, FlagSpec>> = {
  'customer-id': {
    kind: 'text',
    value: 'ID',
    help: "The method's customer; lets a terminal list their methods and show which one this is",
  },
}

export const showMethod = show(instrument, instrumentView)

/** What the commands that change one saved method share. */
export const SAVED_METHOD_COMMAND = {
  args: [SAVED_METHOD_CHOICE],
  flags: CUSTOMER_FLAG,
  present: showMethod,
} as const
