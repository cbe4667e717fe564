import { cancelPayment } from '../../api/operations/payment.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { paymentArgument } from '../payment-argument.ts'
import { moneySpecOf } from './money-spec.ts'
import { showPayment } from './show-payment.ts'
import { ACTION_WORDS } from '../../views/payment/action-words.ts'

export const command: CommandSpec = {
  path: ['payment', 'cancel'],
  summary: 'Cancel a payment before it is captured',
  details: 'Releases the authorization. Refund a captured payment instead.',
  examples: [
    { purpose: 'cancel and record why', line: 'pay payment cancel "$ID" --reason \'out of stock\'' },
  ],
  args: [paymentArgument({ statuses: ['PENDING', 'AUTHORIZED'] })],
  flags: { reason: { kind: 'text', value: 'TEXT', field: 'reason', help: 'Why, for your records' } },
  operation: cancelPayment,
  money: { ...moneySpecOf('cancel'), asksAmount: 'never' },
  confirm: ({ args }) => ACTION_WORDS.cancel.question(args['id'] ?? ''),
  present: showPayment,
  effect: `${ACTION_WORDS.cancel.consequence}.`,
  related: ['payment get', 'payment refund'],
}
