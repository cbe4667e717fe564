import { resumePayment } from '../../api/operations/payment.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { paymentToChoose } from '../payment-argument.ts'
import { nextActions } from './next-actions.ts'
import { showPayment } from './shown-payment.ts'

export const command: CommandSpec = {
  path: ['payment', 'resume'],
  summary: 'Resume a payment that waits for the customer or a third party',
  details: 'Exit code 8 means that the customer is not finished yet.',
  examples: [
    {
      says: 'in the sandbox: pass the 3DS challenge, then resume',
      line: 'pay sandbox challenge "$CLIENT_TOKEN" --outcome pass -o id | pay --sandbox payment resume "$ID" --resume-token -',
    },
  ],
  args: [paymentToChoose({ statuses: ['PENDING'] })],
  flags: {
    'resume-token': {
      kind: 'text',
      value: 'TOKEN',
      field: 'resumeToken',
      required: true,
      secret: true,
      ask: 'Resume token',
      hint: 'The token that the checkout returned',
      help: 'The token that the checkout returned, or - to read it from stdin',
    },
  },
  operation: resumePayment,
  confirm: ({ args }) => `Resume payment ${args['id'] ?? ''}`,
  present: showPayment,
  successNotes: nextActions,
  effect:
    'Lets a waiting payment go on: its amount is reserved, or taken at once. Undone by pay payment cancel before a capture, by pay payment refund after it.',
  related: ['payment get', 'payment cancel', 'sandbox challenge'],
}
