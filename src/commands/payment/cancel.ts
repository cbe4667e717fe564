import { cancelPayment } from '../../api/operations/payment.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { paymentToChoose } from '../payment-argument.ts'
import { moneyOf } from './money.ts'
import { showPayment } from './shown-payment.ts'

export const command: CommandSpec = {
  path: ['payment', 'cancel'],
  summary: 'Cancel a payment that is not captured',
  details: 'The authorization is released. A captured payment is refunded instead.',
  examples: [
    { says: 'release an authorization', line: 'pay payment cancel "$ID" --reason \'out of stock\'' },
  ],
  args: [paymentToChoose({ statuses: ['PENDING', 'AUTHORIZED'] })],
  flags: { reason: { kind: 'text', value: 'TEXT', field: 'reason', help: 'Why, for your own records' } },
  operation: cancelPayment,
  money: { ...moneyOf('cancel'), asksAmount: 'never' },
  confirm: ({ args }) => `Cancel payment ${args['id'] ?? ''}`,
  present: showPayment,
  effect: "Releases the authorization. You can't undo this; the customer must pay again.",
  related: ['payment get', 'payment refund'],
}
