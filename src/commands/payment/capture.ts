import { capturePayment } from '../../api/operations/payment.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { MONEY_FLAGS } from '../body-flags.ts'
import { moneyOf } from './money.ts'
import { releasedRest } from './next-actions.ts'
import { ORDER_FLAG, paymentOrOrder } from './payment-or-order.ts'
import { showPayment } from './shown-payment.ts'

export const command: CommandSpec = {
  path: ['payment', 'capture'],
  summary: 'Capture an authorized payment, in full or in part',
  details:
    'Without --amount all that is left of the authorization is captured. A capture of a part is final unless --no-final: the rest of the authorization is released, and nothing more can be captured.',
  examples: [
    { says: 'all of it', line: 'pay payment capture "$ID"' },
    { says: '7.00 EUR, and release the rest', line: 'pay payment capture "$ID" --amount \'7.00 EUR\'' },
    { says: '7.00 of it, and more later', line: 'pay payment capture "$ID" --amount 700 --no-final' },
  ],
  args: [paymentOrOrder({ statuses: ['AUTHORIZED', 'PARTIALLY_SETTLED'], left: 'capture' })],
  flags: {
    ...ORDER_FLAG,
    ...MONEY_FLAGS,
    final: {
      kind: 'either',
      field: 'final',
      help: 'Whether this is the last capture; left to the service (which takes it as final) unless said',
    },
  },
  operation: capturePayment,
  money: { ...moneyOf('capture'), asksAmount: 'or all' },
  confirm: ({ args, amount }) => `Capture ${amount ?? 'all that is left'} of payment ${args['id'] ?? ''}`,
  present: showPayment,
  successNotes: releasedRest,
  effect: "Takes money from the customer. You can't undo this; pay payment refund gives it back.",
  related: ['payment explain', 'payment wait', 'payment refund', 'payment cancel'],
}
