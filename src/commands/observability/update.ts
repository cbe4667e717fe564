import { externalPayment } from '../../api/models/external-payment.ts'
import { updateExternalPayment } from '../../api/operations/observability.ts'
import { show } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { externalPaymentView } from '../../views/import/external-payment.ts'
import { RECORD_FLAGS } from './record-flags.ts'

export const command: CommandSpec = {
  path: ['observability', 'update'],
  summary: 'Change the record of a payment made elsewhere',
  details:
    "Changes only the fields that you give, including nested ones. You can't change createdAt: the service refuses any time other than the one on the record.",
  examples: [
    { purpose: 'the payment was settled', line: 'pay observability update ext-1 --status SETTLED' },
    {
      purpose: 'it was declined, with the reason',
      line: 'pay observability update ext-1 --status DECLINED --status-reason "type=ISSUER_DECLINED,code=INSUFFICIENT_FUNDS"',
    },
    { purpose: 'change only the processor', line: 'pay observability update ext-1 --processor ACME' },
  ],
  args: [
    {
      name: 'PAYMENT_ID',
      param: 'paymentId',
      ask: 'Payment ID',
      from: 'record',
      help: 'Your unique ID of the payment',
    },
  ],
  flags: {
    ...RECORD_FLAGS,
    'created-at': {
      kind: 'datetime',
      value: 'TIME',
      field: 'createdAt',
      help: "The record's own time, with Z or an offset; any other is refused",
    },
  },
  operation: updateExternalPayment,
  present: show(externalPayment, externalPaymentView),
  effect: 'Changes a record for the dashboards; moves no money. The previous values are lost.',
  related: ['observability push', 'observability import'],
}
