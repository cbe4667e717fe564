import { deleteInstrument } from '../../api/operations/instrument.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { SAVED_METHOD_COMMAND } from './token-argument.ts'

export const command: CommandSpec = {
  ...SAVED_METHOD_COMMAND,
  path: ['instrument', 'delete'],
  summary: 'Delete a saved payment method permanently',
  examples: [{ purpose: 'delete a saved method', line: 'pay instrument delete "$TOKEN"' }],
  operation: deleteInstrument,
  reviewTarget: async (invocation, draft) => {
    const { previewDeletion } = await import('./preview-deletion.ts')
    return previewDeletion(invocation, draft)
  },
  confirm: () => 'Delete this saved payment method permanently',
  effect: "Deletes a saved method. You can't undo this; the customer must enter it again.",
  related: ['instrument list', 'instrument vault'],
}
