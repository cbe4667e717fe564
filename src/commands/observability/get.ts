import { paymentRecord } from '../../api/models/external-payment.ts'
import { getPaymentRecord } from '../../api/operations/observability.ts'
import { show } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { runOperation } from '../../cli/operate.ts'
import { recordView } from '../../views/import/external-payment.ts'
import { withoutReads } from '../record-reads.ts'

export const command: CommandSpec = {
  path: ['observability', 'get'],
  summary: 'Show the record of a payment',
  details:
    'Payments made through the service are recorded automatically: their record shows the current payment, plus what an update added. source is payments for these, and external for payments made elsewhere.',
  examples: [
    { says: 'show a payment made elsewhere', line: 'pay observability get ext-1' },
    { says: 'print where it was made, for a script', line: 'pay observability get ext-1 --query source' },
  ],
  args: [
    {
      name: 'PAYMENT_ID',
      param: 'paymentId',
      ask: 'Payment ID',
      from: 'record',
      help: 'The ID of the payment, or of its external record',
    },
  ],
  operation: getPaymentRecord,
  present: show(paymentRecord, recordView),
  run: (invocation) =>
    runOperation(invocation).catch((error: unknown) => {
      throw withoutReads(error)
    }),
  related: ['observability list', 'observability update', 'payment get'],
}
