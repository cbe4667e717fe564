import { ACTIONS } from '../../api/actions/actions.ts'
import { capturePayment } from '../../api/operations/payment.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { setField } from '../../cli/parse/field-path.ts'
import { formatMoney } from '../../money/format.ts'
import { MONEY_FLAGS } from '../body-flags.ts'
import { moneySpecOf } from './money-spec.ts'
import { warnAboutSiblings } from '../order-siblings.ts'
import { describeReleased } from './next-actions.ts'
import { ORDER_FLAG, paymentArgument } from './payment-argument.ts'
import type { ActionFlags } from './payment-argument.ts'
import { showPayment } from './show-payment.ts'
import { fieldAt, numberAt, textAt } from '../../json/fields.ts'

const CAPTURE = moneySpecOf('capture')

/** Asks of a partial capture whether the rest stays authorized. */
const askWhetherLast: CommandSpec['askMore'] = async (run, draft, payment) => {
  const [left, amount] = [CAPTURE.fullAmount(payment), numberAt(draft.body, 'amount')]
  if (left === undefined || amount === undefined || amount >= left) return draft
  if (fieldAt(draft.body, ['final']) !== undefined) return draft
  const rest = formatMoney(left - amount, textAt(payment, 'currencyCode'))
  const answer = await (
    await run.prompts()
  ).choose({
    label: 'The rest',
    choices: [
      { value: 'keep', text: `keep ${rest} to capture later (--no-final)` },
      { value: 'release', text: `release ${rest}: this is the last capture` },
    ],
  })
  return answer === 'keep' ? { ...draft, body: setField(draft.body, ['final'], false, '--final') } : draft
}

export const command: CommandSpec = {
  path: ['payment', 'capture'],
  summary: 'Capture an authorized payment, in full or in part',
  details:
    "Without --amount, captures all that is left of the authorization. A partial capture is final unless you add --no-final: it releases the rest of the authorization, and you can't capture more.",
  examples: [
    { purpose: 'capture the full amount', line: 'pay payment capture "$ID"' },
    {
      purpose: 'capture 7.00 EUR and release the rest',
      line: 'pay payment capture "$ID" --amount "7.00 EUR"',
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
  } satisfies ActionFlags<'capture'>,
  operation: capturePayment,
  money: { ...CAPTURE, asksAmount: 'empty-means-all' },
  warnMore: warnAboutSiblings,
  askMore: askWhetherLast,
  confirm: ({ args, amount }) => ACTIONS.capture.question(args['id'] ?? '', amount),
  present: showPayment,
  successNotes: describeReleased,
  effect: `${ACTIONS.capture.consequence}; to return the money, use pay payment refund.`,
  related: ['payment explain', 'payment wait', 'payment refund', 'payment cancel'],
}
