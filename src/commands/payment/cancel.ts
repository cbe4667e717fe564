import { ACTIONS } from '../../api/actions/actions.ts'
import { cancelPayment } from '../../api/operations/payment.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { ORDER_FLAG, paymentArgument } from './payment-argument.ts'
import type { ActionFlags } from './payment-argument.ts'
import { moneySpecOf } from './money-spec.ts'
import { showPayment } from './show-payment.ts'

export const command: CommandSpec = {
  path: ['payment', 'cancel'],
  summary: 'Cancel a payment before it is captured',
  details: 'Releases the authorization. Refund a captured payment instead.',
  examples: [{ purpose: 'cancel and record why', line: 'pay payment cancel "$ID" --reason "out of stock"' }],
  args: [paymentArgument('cancel')],
  flags: {
    ...ORDER_FLAG,
    reason: { kind: 'text', value: 'TEXT', field: 'reason', help: 'Why, for your records' },
  } satisfies ActionFlags<'cancel'>,
  operation: cancelPayment,
  money: { ...moneySpecOf('cancel'), asksAmount: 'never' },
  confirm: ({ args }) => ACTIONS.cancel.question(args['id'] ?? ''),
  present: showPayment,
  effect: `${ACTIONS.cancel.consequence}.`,
  related: ['payment get', 'payment refund'],
}
