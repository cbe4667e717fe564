import { ACTIONS } from '../../api/actions/actions.ts'
import { authorizePayment } from '../../api/operations/payment.ts'
import { fieldAt, textAt } from '../../json/fields.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { ORDER_FLAG, paymentArgument } from './payment-argument.ts'
import type { ActionFlags } from './payment-argument.ts'
import { nextActions } from './next-actions.ts'
import { showPayment } from './show-payment.ts'

export const command: CommandSpec = {
  path: ['payment', 'authorize'],
  summary: 'Authorize a payment through a specific processor',
  examples: [
    {
      purpose: 'send a PENDING, DECLINED or FAILED payment to one merchant account',
      line: 'pay payment authorize "$ID" --processor-merchant-id beta-1',
    },
    {
      purpose: 'name the processor when several share the merchant ID',
      line: 'pay payment authorize "$ID" --processor-merchant-id shared-1 --processor SANDBOX_GAMMA',
    },
  ],
  args: [paymentArgument('authorize')],
  flags: {
    ...ORDER_FLAG,
    'processor-merchant-id': {
      kind: 'text',
      value: 'ID',
      field: 'processor.processorMerchantId',
      required: true,
      ask: 'Processor merchant ID',
      help: "From your account's integrations page",
    },
    processor: {
      kind: 'text',
      value: 'NAME',
      field: 'processor.name',
      help: 'Needed when several processors share the merchant ID',
    },
  } satisfies ActionFlags<'authorize'>,
  operation: authorizePayment,
  confirm: ({ args, body }) => ACTIONS.authorize.question(args['id'] ?? '', describeProcessor(body)),
  present: showPayment,
  successNotes: nextActions,
  effect: `${ACTIONS.authorize.consequence}. To undo it, use pay payment cancel.`,
  related: ['payment capture', 'payment cancel', 'payment get'],
}

/** `SANDBOX_GAMMA (shared-1)`, or the merchant ID alone. */
function describeProcessor(body: unknown): string {
  const processor = fieldAt(body, ['processor'])
  const [name, merchantId] = [textAt(processor, 'name'), textAt(processor, 'processorMerchantId')]
  return name === undefined ? (merchantId ?? '') : `${name} (${merchantId ?? ''})`
}
