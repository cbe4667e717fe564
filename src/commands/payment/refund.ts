import { ACTIONS } from '../../api/actions/actions.ts'
import { refundPayment } from '../../api/operations/payment.ts'
import { switchFlag, textFlag } from '../../cli/command/input.ts'
import { runOperation } from '../../cli/operate.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { setField } from '../../cli/parse/field-path.ts'
import { EXIT, UsageError } from '../../errors.ts'
import { MONEY_FLAGS } from '../body-flags.ts'
import { moneySpecOf } from './money-spec.ts'
import { warnAboutSiblings } from '../order-siblings.ts'
import { ORDER_FLAG, paymentArgument } from './payment-argument.ts'
import type { ActionFlags } from './payment-argument.ts'
import { WAIT_TIMEOUT_FLAG } from './wait/wait-timeout.ts'
import { showPayment } from './show-payment.ts'
import { fieldAt } from '../../json/fields.ts'

/** Asks for the reason, which the service keeps with the refund for the merchant's records. */
const askReason: CommandSpec['askMore'] = async (run, draft) => {
  if (fieldAt(draft.body, ['reason']) !== undefined) return draft
  const question = { label: 'Reason', hint: 'stored with the refund; Enter skips it', canSkip: true } as const
  const reason = (await (await run.prompts()).text(question)).trim()
  return reason === '' ? draft : { ...draft, body: setField(draft.body, ['reason'], reason, '--reason') }
}

export const command: CommandSpec = {
  path: ['payment', 'refund'],
  summary: 'Refund a captured payment, in full or in part',
  details: "Without --amount, refunds all that is left. You can't undo a refund.",
  examples: [
    {
      purpose: 'refund 5.00 EUR',
      line: 'pay payment refund "$ID" --amount "5.00 EUR" --reason "damaged in transit"',
    },
    { purpose: 'refund all that is left', line: 'pay payment refund "$ID"' },
    {
      purpose: 'find the payment by your order ID',
      line: 'pay payment refund --order A-1 --amount "5.00 EUR"',
    },
    {
      purpose: 'show the request without sending it',
      line: 'pay payment refund "$ID" --amount 500 --dry-run',
    },
  ],
  args: [paymentArgument('refund')],
  flags: {
    ...ORDER_FLAG,
    ...MONEY_FLAGS,
    'order-id': {
      kind: 'text',
      value: 'ID',
      field: 'orderId',
      help: "Your reference for this refund; default: the payment's order ID",
    },
    reason: {
      kind: 'text',
      value: 'TEXT',
      field: 'reason',
      help: 'Why, for your records; stored with the refund',
    },
    wait: {
      kind: 'switch',
      help: 'Wait until the refund is final; exit code 13 if it fails, 8 if it takes too long',
    },
    for: WAIT_TIMEOUT_FLAG,
  } satisfies ActionFlags<'refund'>,
  operation: refundPayment,
  money: { ...moneySpecOf('refund'), asksAmount: 'empty-means-all' },
  warnMore: warnAboutSiblings,
  askMore: askReason,
  confirm: ({ args, amount }) => ACTIONS.refund.question(args['id'] ?? '', amount),
  present: showPayment,
  effect: `${ACTIONS.refund.consequence}.`,
  exitCodes: [EXIT.notFinished],
  related: ['payment explain', 'payment wait', 'payment cancel', 'ops list'],
  run: async (invocation, input) => {
    if (switchFlag(input, 'wait')) {
      const { waitForRefund } = await import('./wait/wait-for-refund.ts')
      return runOperation(invocation, waitForRefund(invocation))
    }
    if (textFlag(input, 'for') !== undefined)
      throw new UsageError('--for has no effect without --wait', { code: 'bad_value', hint: 'Add --wait.' })
    return runOperation(invocation)
  },
}
