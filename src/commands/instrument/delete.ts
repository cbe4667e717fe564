import { deleteInstrument } from '../../api/operations/instrument.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { ONE_METHOD } from './token-argument.ts'

export const command: CommandSpec = {
  ...ONE_METHOD,
  path: ['instrument', 'delete'],
  summary: 'Delete a saved payment method for good',
  examples: [{ says: 'the customer asked for it', line: 'pay instrument delete "$TOKEN"' }],
  operation: deleteInstrument,
  reviewTarget: async (invocation, draft) => {
    const { lookAtMethod } = await import('./look-at-method.ts')
    return lookAtMethod(invocation, draft)
  },
  confirm: () => 'Delete this saved payment method for good',
  effect: 'Removes a saved method for good. It cannot be undone: the customer has to enter it anew.',
  related: ['instrument list', 'instrument vault'],
}
