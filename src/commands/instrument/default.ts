import { instrument } from '../../api/instrument.ts'
import { setDefaultInstrument } from '../../api/operations/instrument.ts'
import { show } from '../../cli/result.ts'
import type { CommandSpec } from '../../cli/spec.ts'
import { instrumentView } from '../../views/instrument.ts'
import { METHOD_TO_CHOOSE, WHOSE_METHOD } from './token-argument.ts'

export const command: CommandSpec = {
  path: ['instrument', 'default'],
  summary: "Make a saved payment method the customer's default",
  examples: [{ says: 'pay with this one from now on', line: 'pay instrument default "$TOKEN"' }],
  args: [METHOD_TO_CHOOSE],
  flags: WHOSE_METHOD,
  operation: setDefaultInstrument,
  present: show(instrument, instrumentView),
  effect: 'Changes which saved method comes first; moves no money. Undone by making another one the default.',
  related: ['instrument list'],
}
