import { externalPayment } from '../../api/models/external-payment.ts'
import { createExternalPayment } from '../../api/operations/observability.ts'
import { textFlag } from '../../cli/command/input.ts'
import { runOperation } from '../../cli/operate.ts'
import { show } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { externalPaymentView } from '../../views/import/external-payment.ts'
import { RECORD_FLAGS } from './record-flags.ts'

export const command: CommandSpec = {
  path: ['observability', 'push'],
  summary: 'Record a payment that was made elsewhere',
  details:
    'The paymentId must be new: a record that exists is changed with pay observability update. With --data - and several records on stdin, one JSON value on each line, each is recorded; flags and --set hold for all of them, and the summary is that of pay observability import; -o id prints the paymentIds of those that were recorded.',
  examples: [
    {
      says: 'one record',
      line: "pay observability push --payment-id ext-1 --amount '25.00 EUR' --processor ACME --created-at 2026-01-31T09:30:00Z --order-id A-9 --payment-method-type PAYMENT_CARD",
    },
    { says: 'from a file', line: 'pay observability push --data @record.json' },
    { says: 'many, one on each line', line: 'pay observability push --data - < records.ndjson' },
  ],
  flags: {
    'payment-id': { kind: 'text', value: 'ID', field: 'paymentId', help: 'Your unique id of the payment' },
    ...RECORD_FLAGS,
    // The service names only the objects around them.
    processor: { ...RECORD_FLAGS.processor, required: true },
    'order-id': { ...RECORD_FLAGS['order-id'], required: true },
    'payment-method-type': { ...RECORD_FLAGS['payment-method-type'], required: true },
    'created-at': {
      kind: 'datetime',
      value: 'TIME',
      field: 'createdAt',
      help: 'When it was made: ISO 8601 with Z or an offset',
    },
  },
  operation: createExternalPayment,
  present: show(externalPayment, externalPaymentView),
  run: async (invocation, input) => {
    if (!['-', '@-'].includes(textFlag(input, 'data') ?? '')) return runOperation(invocation)
    const { pushFromStdin } = await import('./push-records.ts')
    return pushFromStdin(invocation)
  },
  effect: 'Makes a record for the dashboards; moves no money. It can be changed, and not removed.',
  related: ['observability update', 'observability import'],
}
