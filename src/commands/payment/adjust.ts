import { ACTIONS } from '../../api/actions/actions.ts'
import { adjustAuthorization } from '../../api/operations/payment.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { MONEY_FLAGS } from '../body-flags.ts'
import { ORDER_FLAG, paymentArgument } from './payment-argument.ts'
import type { ActionFlags } from './payment-argument.ts'
import { moneySpecOf } from './money-spec.ts'
import { showPayment } from './show-payment.ts'

export const command: CommandSpec = {
  path: ['payment', 'adjust'],
  summary: 'Change the authorized amount of a payment',
  details:
    'The amount is the new total, not a difference. Only for payments created with --authorization-type ESTIMATED.',
  examples: [
    {
      purpose: 'change the amount of a payment with an ESTIMATED authorization to 12.50 EUR',
      line: 'pay payment adjust "$ID" --amount "12.50 EUR"',
    },
  ],
  args: [paymentArgument('adjust')],
  flags: {
    ...ORDER_FLAG,
    ...MONEY_FLAGS,
    amount: { ...MONEY_FLAGS.amount, required: true },
  } satisfies ActionFlags<'adjust'>,
  operation: adjustAuthorization,
  money: { ...moneySpecOf('adjust'), asksAmount: 'always' },
  confirm: ({ args, amount }) => ACTIONS.adjust.question(args['id'] ?? '', amount),
  present: showPayment,
  effect: `${ACTIONS.adjust.consequence}.`,
  related: ['payment get', 'payment capture', 'payment create'],
}
