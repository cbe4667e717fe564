import { getPayment } from '../../api/operations/payment.ts'
import { startDraft, completeDraft } from '../../cli/request/build-draft.ts'
import { operate } from '../../cli/operate.ts'
import { resultAsWritten } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec, CommandRun } from '../../cli/command/spec.ts'
import { stringifyJson } from '../../json/json.ts'
import { explanationView } from '../../views/payment/explanation.ts'
import type { Explanation } from '../../views/payment/explanation.ts'
import { explainPayment } from '../explain-payment.ts'
import { ORDER_FLAG, paymentArgument } from './payment-argument.ts'

export const command: CommandSpec = {
  path: ['payment', 'explain'],
  summary: 'Explain a payment: what happened, why, and what you can do next',
  details:
    "Shows what stands out, such as equal refunds or one that failed, a timeline, what a decline means and whether to try again, the amounts, what this machine's ledger records about the payment, and the commands you can run next. Changes nothing.",
  examples: [
    { purpose: 'explain what happened', line: 'pay payment explain "$ID"' },
    { purpose: 'find the payment by your order ID', line: 'pay payment explain --order A-1' },
    {
      purpose: 'print the commands you can run next, for a script',
      line: 'pay payment explain "$ID" --query "actions[].command" -o id',
    },
  ],
  args: [paymentArgument()],
  flags: ORDER_FLAG,
  operation: getPayment,
  related: ['payment get', 'payment wait', 'payment list', 'ops list'],
  run,
}

async function run(invocation: CommandRun): Promise<Result> {
  await invocation.account()
  const draft = await completeDraft(invocation, await startDraft(invocation))
  if (invocation.settings.mode !== 'send') return operate(invocation, getPayment, draft)
  const id = draft.params['id'] ?? ''
  invocation.target.id = id
  const answer = await invocation.call({ operation: getPayment, params: draft.params })
  return resultOf(answer.text, await explainPayment(invocation, id, answer.json))
}

/** The result, with the payment copied as text, so that JSON output keeps what the service wrote. */
function resultOf(paymentText: string, explanation: Explanation): Result {
  const { payment: _read, ...parts } = explanation
  return resultAsWritten(
    `{"payment":${paymentText},${stringifyJson(parts).slice(1)}`,
    explanation,
    explanationView,
  )
}
