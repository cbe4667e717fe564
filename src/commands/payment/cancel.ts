import { cancelPayment } from '../../api/operations/payment.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { paymentArgument } from '../payment-argument.ts'
import { moneySpecOf } from './money-spec.ts'
import { showPayment } from './show-payment.ts'

export const command: CommandSpec = {
  path: ['payment', 'cancel'],
  summary: 'Cancel a payment that is not captured',
  details: 'The authorization is released. A captured payment is refunded instead.',
  examples: [
    { says: 'release an authorization', line: 'pay payment cancel "$ID" --reason \'out of stock\'' },
  ],
  args: [paymentArgument({ statuses: ['PENDING', 'AUTHORIZED'] })],
  flags: { reason: { kind: 'text', value: 'TEXT', field: 'reason', help: 'Why, for your own records' } },
  operation: cancelPayment,
  money: { ...moneySpecOf('cancel'), asksAmount: 'never' },
  confirm: ({ args }) => `Cancel payment ${args['id'] ?? ''}`,
  present: showPayment,
  effect: "Releases the authorization. You can't undo this; the customer must pay again.",
  related: ['payment get', 'payment refund'],
}
