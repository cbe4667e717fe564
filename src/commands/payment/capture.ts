import { ACTIONS } from '../../api/actions/actions.ts'
import { capturePayment } from '../../api/operations/payment.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { MONEY_FLAGS } from '../body-flags.ts'
import { moneySpecOf } from './money-spec.ts'
import { describeReleased } from './next-actions.ts'
import { ORDER_FLAG, paymentArgument } from './payment-argument.ts'
import { showPayment } from './show-payment.ts'

export const command: CommandSpec = {
  path: ['payment', 'capture'],
  summary: 'Capture an authorized payment, in full or in part',
  details:
    "Without --amount, captures all that is left of the authorization. A partial capture is final unless you add --no-final: it releases the rest of the authorization, and you can't capture more.",
  examples: [
    { purpose: 'capture the full amount', line: 'pay payment capture "$ID"' },
    {
      purpose: 'capture 7.00 EUR and release the rest',
      line: 'pay payment capture "$ID" --amount \'7.00 EUR\'',
    },
    {
      purpose: 'capture 7.00 EUR, and more later',
      line: 'pay payment capture "$ID" --amount 700 --no-final',
    },
  ],
  args: [paymentArgument('capture')],
  flags: {
    ...ORDER_FLAG,
    ...MONEY_FLAGS,
    final: {
      kind: 'either',
      field: 'final',
      help: 'Whether this is the last capture; by default the service treats it as the last',
    },
  },
  operation: capturePayment,
  money: { ...moneySpecOf('capture'), asksAmount: 'empty-means-all' },
  confirm: ({ args, amount }) => ACTIONS.capture.question(args['id'] ?? '', amount),
  present: showPayment,
  successNotes: describeReleased,
  effect: `${ACTIONS.capture.consequence}; to return the money, use pay payment refund.`,
  related: ['payment explain', 'payment wait', 'payment refund', 'payment cancel'],
}
