import { instrument } from '../../api/instrument.ts'
import { deleteInstrument } from '../../api/operations/instrument.ts'
import { show } from '../../cli/result.ts'
import type { CommandSpec } from '../../cli/spec.ts'
import { instrumentView } from '../../views/instrument.ts'
import { METHOD_TO_CHOOSE, WHOSE_METHOD } from './token-argument.ts'

export const command: CommandSpec = {
  path: ['instrument', 'delete'],
  summary: 'Delete a saved payment method for good',
  examples: [{ says: 'the customer asked for it', line: 'pay instrument delete "$TOKEN"' }],
  args: [METHOD_TO_CHOOSE],
  flags: WHOSE_METHOD,
  operation: deleteInstrument,
  look: async (invocation, draft) => {
    const { lookAtMethod } = await import('./look-at-method.ts')
    return lookAtMethod(invocation, draft)
  },
  confirm: () => 'Delete this saved payment method for good',
  present: show(instrument, instrumentView),
  effect: 'Removes a saved method for good. It cannot be undone: the customer has to enter it anew.',
  related: ['instrument list', 'instrument vault'],
}
