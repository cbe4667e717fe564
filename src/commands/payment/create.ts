import { createPayment } from '../../api/operations/payment.ts'
import { listFlag, textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { CommandRun, CommandSpec } from '../../cli/command/spec.ts'
import { runOperation } from '../../cli/operate.ts'
import { flagWord } from '../../files/shell.ts'
import { UsageError } from '../../errors.ts'
import { SESSION_FLAGS } from '../body-flags.ts'
import { nextActions } from './next-actions.ts'
import { showPayment } from './show-payment.ts'

export const command: CommandSpec = {
  path: ['payment', 'create'],
  summary: 'Create and authorize a payment from a payment method token',
  details:
    'Values you leave out come from the client session that the token belongs to. Exit code 0 means accepted: a payment that waits for the customer is PENDING, and stderr says what to do next. 13 means declined or failed.',
  examples: [
    {
      purpose: 'pay 10.00 EUR with a sandbox card',
      line: 'pay --sandbox payment create --token tok_visa --amount "10.00 EUR" --order-id A-1',
    },
    {
      purpose: 'print only the payment ID, for a script',
      line: 'pay --sandbox payment create --token tok_visa --amount 1000 --currency EUR --order-id A-2 -o id',
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
      hint: 'From the checkout or a saved payment method',
      help: 'Token from the checkout or a saved payment method; - reads it from stdin',
    },
    ...SESSION_FLAGS,
    amount: { ...SESSION_FLAGS.amount, defaultsTo: 'from the session' },
    currency: { ...SESSION_FLAGS.currency, askedWith: 'amount' },
    'order-id': { ...SESSION_FLAGS['order-id'], defaultsTo: 'from the session' },
  },
  operation: createPayment,
  run: async (invocation, input) => {
    if (!invocation.isInteractive) await refuseBareAmount(invocation, input)
    return runOperation(invocation)
  },
  confirm: ({ amount }) => `Create a payment${amount === undefined ? '' : ` of ${amount}`}`,
  present: showPayment,
  successNotes: nextActions,
  effect:
    "Reserves the amount at the customer's bank; some payment methods charge it immediately. To undo it, use pay payment cancel before a capture or pay payment refund after it.",
  related: ['payment capture', 'payment cancel', 'payment get', 'session create'],
}

/** The test tokens of the sandbox, which belong to no client session. */
const TEST_TOKEN = /^tok_/

/**
 * Refuses an amount whose currency nothing names. Another token may belong to a session that does.
 * @throws {UsageError} `missing_input`
 */
async function refuseBareAmount({ account }: CommandRun, input: CommandInput): Promise<void> {
  const amount = textFlag(input, 'amount') ?? ''
  const isNamedElsewhere =
    textFlag(input, 'currency') !== undefined ||
    textFlag(input, 'data') !== undefined ||
    listFlag(input, 'set').length > 0
  if (!/^\d+$/.test(amount) || isNamedElsewhere || input.flags['validate'] === false) return
  if (!TEST_TOKEN.test(textFlag(input, 'token') ?? '') || (await account()).mode.value === 'live') return
  throw new UsageError('Missing: --currency', {
    code: 'missing_input',
    operation: createPayment.id,
    outcome: 'none',
    hint: `A test token has no client session to take it from. ${amount} alone is in minor units; with its currency, an amount is as people write it: ${flagWord('amount', `${amount} EUR`)}`,
  })
}
