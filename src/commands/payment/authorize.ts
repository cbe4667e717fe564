import { authorizePayment } from '../../api/operations/payment.ts'
import { fieldAt, textAt } from '../../cli/parse/field-path.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { paymentToChoose } from '../payment-argument.ts'
import { nextActions } from './next-actions.ts'
import { showPayment } from './shown-payment.ts'

export const command: CommandSpec = {
  path: ['payment', 'authorize'],
  summary: 'Authorize a payment through a processor of your choice',
  examples: [
    {
      says: 'through one merchant account',
      line: 'pay payment authorize "$ID" --processor-merchant-id beta-1',
    },
    {
      says: 'when several processors share the merchant id',
      line: 'pay payment authorize "$ID" --processor-merchant-id shared-1 --processor SANDBOX_GAMMA',
    },
  ],
  args: [paymentToChoose({ statuses: ['PENDING', 'FAILED', 'DECLINED'] })],
  flags: {
    'processor-merchant-id': {
      kind: 'text',
      value: 'ID',
      field: 'processor.processorMerchantId',
      required: true,
      ask: 'Processor merchant ID',
      help: 'From the integrations page of your account',
      offer: async (invocation, draft) => {
        const { offerProcessors } = await import('./offer-processors.ts')
        return offerProcessors(invocation, draft)
      },
    },
    processor: {
      kind: 'text',
      value: 'NAME',
      field: 'processor.name',
      help: 'Needed when several processors share the merchant id',
    },
  },
  operation: authorizePayment,
  confirm: ({ args, body }) => `Authorize payment ${args['id'] ?? ''} through ${processorOf(body)}`,
  present: showPayment,
  successNotes: nextActions,
  effect:
    'Has the amount reserved through the processor that you name; nothing is taken before a capture. Undone by pay payment cancel.',
  related: ['payment capture', 'payment cancel', 'payment get'],
}

/** `SANDBOX_GAMMA (shared-1)`, or the merchant id alone. */
function processorOf(body: unknown): string {
  const processor = fieldAt(body, ['processor'])
  const [name, merchantId] = [textAt(processor, 'name'), textAt(processor, 'processorMerchantId')]
  return name === undefined ? (merchantId ?? '') : `${name} (${merchantId ?? ''})`
}
