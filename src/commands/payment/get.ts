import { getPayment } from '../../api/operations/payment.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { ORDER_FLAG, paymentArgument } from './payment-argument.ts'
import { showPayment } from './show-payment.ts'

export const command: CommandSpec = {
  path: ['payment', 'get'],
  summary: 'Show a payment',
  examples: [
    { purpose: 'show status, amounts and transactions', line: 'pay payment get "$ID"' },
    { purpose: 'print one field, for a script', line: 'pay payment get "$ID" --query status' },
  ],
  args: [paymentArgument()],
  flags: ORDER_FLAG,
  operation: getPayment,
  present: showPayment,
  related: ['payment explain', 'payment list', 'ops list'],
}
