import { ACTIONS } from '../../api/actions/actions.ts'
import { resumePayment } from '../../api/operations/payment.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { ORDER_FLAG, paymentArgument } from './payment-argument.ts'
import type { ActionFlags } from './payment-argument.ts'
import { nextActions } from './next-actions.ts'
import { showPayment } from './show-payment.ts'

export const command: CommandSpec = {
  path: ['payment', 'resume'],
  summary: 'Resume a payment that is waiting for the customer or a third party',
  details: "Exit code 8 means that the customer hasn't finished yet.",
  examples: [
    {
      purpose: 'in the sandbox, pass the 3DS challenge and resume',
      line: 'pay sandbox challenge "$CLIENT_TOKEN" --outcome pass -o id | pay --sandbox payment resume "$ID" --resume-token -',
    },
  ],
  args: [paymentArgument('resume')],
  flags: {
    ...ORDER_FLAG,
    'resume-token': {
      kind: 'text',
      value: 'TOKEN',
      field: 'resumeToken',
      required: true,
      secret: true,
      ask: 'Resume token',
      hint: 'Returned by the checkout',
      help: 'What your checkout (its SDK) gets when the customer has finished the action; in the sandbox, pay sandbox challenge prints it. - reads it from stdin',
    },
  } satisfies ActionFlags<'resume'>,
  operation: resumePayment,
  confirm: ({ args }) => ACTIONS.resume.question(args['id'] ?? ''),
  present: showPayment,
  successNotes: nextActions,
  effect: `${ACTIONS.resume.consequence}. To undo it, use pay payment cancel before a capture or pay payment refund after it.`,
  related: ['payment get', 'payment cancel', 'sandbox challenge'],
}
