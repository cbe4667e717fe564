import { vaultInstrument } from '../../api/operations/instrument.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { SESSION_FLAGS } from '../body-flags.ts'
import { SAVED_METHOD, showMethod } from './token-argument.ts'

export const command: CommandSpec = {
  path: ['instrument', 'vault'],
  summary: "Save a payment method for a customer's later payments",
  examples: [
    { purpose: 'save a sandbox card', line: 'pay --sandbox instrument vault tok_visa --customer-id c-1' },
    {
      purpose: 'verify the card first',
      line: 'pay --sandbox instrument vault tok_visa --customer-id c-1 --verify',
    },
  ],
  args: [SAVED_METHOD],
  flags: {
    'customer-id': SESSION_FLAGS['customer-id'],
    verify: { kind: 'switch', field: 'verify', help: 'Verify the payment method before saving it' },
  },
  operation: vaultInstrument,
  present: showMethod,
  effect: 'Saves a payment method; moves no money. To undo it, use pay instrument delete.',
  related: ['instrument list', 'instrument delete', 'sandbox tokenize'],
}
