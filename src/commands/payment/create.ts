import { createPayment } from '../../api/operations/payment.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { SESSION_FLAGS } from '../body-flags.ts'
import { nextActions } from './next-actions.ts'
import { showPayment } from './shown-payment.ts'

export const command: CommandSpec = {
  path: ['payment', 'create'],
  summary: 'Create and authorize a payment from a payment method token',
  details:
    'What is left out is taken from the client session that the token was made in. Exit code 0 means accepted: a payment that waits for the customer is PENDING, and what to do next is said on stderr. 13 means declined or failed.',
  examples: [
    {
      says: 'pay 10.00 EUR with a card of the sandbox',
      line: "pay --sandbox payment create --token tok_visa --amount '10.00 EUR' --order-id A-1",
    },
    {
      says: 'only the payment id, for a script',
      line: 'pay --sandbox payment create --token tok_visa --amount 1000 --currency EUR --order-id A-1 -o id',
    },
  ],
  flags: {
    token: {
      kind: 'text',
      value: 'TOKEN',
      field: 'paymentMethodToken',
      required: true,
      secret: true,
      ask: 'Payment method token',
      hint: 'A token from the checkout, or of a saved method',
      help: 'A token from the checkout, or of a saved method, or - to read it from stdin',
    },
    ...SESSION_FLAGS,
    amount: { ...SESSION_FLAGS.amount, defaultsTo: 'from the session' },
    currency: { ...SESSION_FLAGS.currency, askedWith: 'amount' },
    'order-id': { ...SESSION_FLAGS['order-id'], defaultsTo: 'from the session' },
  },
  operation: createPayment,
  confirm: ({ amount }) => `Create a payment${amount === undefined ? '' : ` of ${amount}`}`,
  present: showPayment,
  successNotes: nextActions,
  effect:
    "Has the amount reserved at the customer's bank; some methods take it at once. Undone by pay payment cancel before a capture, by pay payment refund after it.",
  related: ['payment capture', 'payment cancel', 'payment get', 'session create'],
}
