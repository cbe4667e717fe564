import { instrument } from '../../api/instrument.ts'
import { deleteInstrument } from '../../api/operations/instrument.ts'
import { show } from '../../cli/result.ts'
import type { CommandSpec } from '../../cli/spec.ts'
import { instrumentView } from '../../views/instrument.ts'
import { SAVED_METHOD } from './token-argument.ts'

export const command: CommandSpec = {
  path: ['instrument', 'delete'],
  summary: 'Delete a saved payment method for good',
  examples: [{ says: 'the customer asked for it', line: 'pay instrument delete "$TOKEN"' }],
  args: [SAVED_METHOD],
  operation: deleteInstrument,
  confirm: () => 'Delete this saved payment method for good',
  present: show(instrument, instrumentView),
  effect: 'Removes a saved method for good. It cannot be undone: the customer has to enter it anew.',
  related: ['instrument list', 'instrument vault'],
}
