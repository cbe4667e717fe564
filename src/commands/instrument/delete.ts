import { deleteInstrument } from '../../api/operations/instrument.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { SAVED_METHOD_COMMAND } from './token-argument.ts'

export const command: CommandSpec = {
  ...SAVED_METHOD_COMMAND,
  path: ['instrument', 'delete'],
  summary: 'Delete a saved payment method for good',
  examples: [{ says: 'the customer asked for it', line: 'pay instrument delete "$TOKEN"' }],
  operation: deleteInstrument,
  look: async (invocation, draft) => {
    const { previewDeletion } = await import('./preview-deletion.ts')
    return previewDeletion(invocation, draft)
  },
  confirm: () => 'Delete this saved payment method for good',
  effect: 'Removes a saved method for good. It cannot be undone: the customer has to enter it anew.',
  related: ['instrument list', 'instrument vault'],
}
