import { externalPayment } from '../../api/models/external-payment.ts'
import { updateExternalPayment } from '../../api/operations/observability.ts'
import { show } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { externalPaymentView } from '../../views/import/external-payment.ts'
import { RECORD_FLAGS } from './record-flags.ts'

export const command: CommandSpec = {
  path: ['observability', 'update'],
  summary: 'Change the record of a payment that was made elsewhere',
  details:
    'Only what is given changes, nested fields too. createdAt cannot be changed: you may send the time that the record has; the service refuses any other.',
  examples: [
    { says: 'it was settled', line: 'pay observability update ext-1 --status SETTLED' },
    {
      says: 'it was declined, and why',
      line: "pay observability update ext-1 --status DECLINED --status-reason 'type=ISSUER_DECLINED,code=INSUFFICIENT_FUNDS'",
    },
    { says: 'another processor, nothing else', line: 'pay observability update ext-1 --processor ACME' },
  ],
  args: [
    {
      name: 'PAYMENT_ID',
      param: 'paymentId',
      ask: 'Payment ID',
      from: 'record',
      help: 'Your unique id of the payment',
    },
  ],
  flags: {
    ...RECORD_FLAGS,
    'created-at': {
      kind: 'datetime',
      value: 'TIME',
      field: 'createdAt',
      help: 'The time that the record has, with Z or an offset; any other is refused',
    },
  },
  operation: updateExternalPayment,
  present: show(externalPayment, externalPaymentView),
  effect: 'Changes a record for the dashboards; moves no money. The values before are not kept.',
  related: ['observability push', 'observability import'],
}
