import { setDefaultInstrument } from '../../api/operations/instrument.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { SAVED_METHOD_COMMAND } from './token-argument.ts'

export const command: CommandSpec = {
  ...SAVED_METHOD_COMMAND,
  path: ['instrument', 'default'],
  summary: "Make a saved payment method the customer's default",
  examples: [{ purpose: 'use this method by default', line: 'pay instrument default "$TOKEN"' }],
  operation: setDefaultInstrument,
  effect: 'Changes the default payment method; moves no money. To undo it, make another method the default.',
  related: ['instrument list'],
}
