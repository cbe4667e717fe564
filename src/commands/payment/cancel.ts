import { cancelPayment } from '../../api/operations/payment.ts'
import { payment } from '../../api/payment.ts'
import { show } from '../../cli/result.ts'
import type { CommandSpec } from '../../cli/spec.ts'
import { paymentView } from '../../views/payment.ts'
import { paymentToChoose } from '../payment-argument.ts'
import { moneyOf } from './money.ts'

export const command: CommandSpec = {
  path: ['payment', 'cancel'],
  summary: 'Cancel a payment that is not captured',
  details: 'The authorization is released. A captured payment is refunded instead.',
  examples: [{ says: 'let an authorization go', line: 'pay payment cancel "$ID" --reason \'out of stock\'' }],
  args: [paymentToChoose({ statuses: ['PENDING', 'AUTHORIZED'] })],
  flags: { reason: { kind: 'text', value: 'TEXT', field: 'reason', help: 'Why, for your own records' } },
  operation: cancelPayment,
  money: { ...moneyOf('cancel'), asksAmount: 'never' },
  confirm: ({ args }) => `Cancel payment ${args['id'] ?? ''}`,
  present: show(payment, paymentView),
  effect: 'Lets go of what was reserved. It cannot be undone: the customer has to pay anew.',
  related: ['payment get', 'payment refund'],
}
