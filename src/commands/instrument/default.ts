import { setDefaultInstrument } from '../../api/operations/instrument.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { SAVED_METHOD_COMMAND } from './token-argument.ts'

export const command: CommandSpec = {
  ...SAVED_METHOD_COMMAND,
  path: ['instrument', 'default'],
  summary: "Make a saved payment method the customer's default",
  examples: [{ says: 'pay with this one from now on', line: 'pay instrument default "$TOKEN"' }],
  operation: setDefaultInstrument,
  effect: 'Changes which saved method comes first; moves no money. Undone by making another one the default.',
  related: ['instrument list'],
}
