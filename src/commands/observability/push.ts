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
  summary: 'Record a payment made elsewhere',
  details:
    'The paymentId must be new; to change a record, use pay observability update. With --data -, records as many payments as stdin has, one JSON value per line. Flags and --set apply to all of them. The summary is the same as for pay observability import; -o id prints the paymentIds of the new records.',
  examples: [
    {
      purpose: 'one record',
      line: 'pay observability push --payment-id ext-1 --amount "25.00 EUR" --processor ACME --created-at 2026-01-31T09:30:00Z --order-id A-9 --payment-method-type PAYMENT_CARD',
    },
    { purpose: 'from a file', line: 'pay observability push --data "@record.json"' },
    { purpose: 'many records, one per line', line: 'pay observability push --data - < records.ndjson' },
  ],
  flags: {
    'payment-id': { kind: 'text', value: 'ID', field: 'paymentId', help: 'Your unique ID of the payment' },
    ...RECORD_FLAGS,
    // The API's schema requires only the objects around these fields.
    processor: { ...RECORD_FLAGS.processor, required: true },
    'order-id': { ...RECORD_FLAGS['order-id'], required: true },
    'payment-method-type': { ...RECORD_FLAGS['payment-method-type'], required: true },
    'created-at': {
      kind: 'datetime',
      value: 'TIME',
      field: 'createdAt',
      help: 'Time of the payment: ISO 8601 with Z or an offset',
    },
  },
  operation: createExternalPayment,
  present: show(externalPayment, externalPaymentView),
  run: async (invocation, input) => {
    if (!['-', '@-'].includes(textFlag(input, 'data') ?? '')) return runOperation(invocation)
    const { pushFromStdin } = await import('./push-records.ts')
    return pushFromStdin(invocation)
  },
  effect: "Creates a record for the dashboards; moves no money. You can change it, but you can't remove it.",
  related: ['observability update', 'observability import'],
}
