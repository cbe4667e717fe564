import { getPayment } from '../../../api/operations/payment.ts'
import { PAYMENT_STATUSES } from '../../../api/sets.ts'
import type { Payment, Transaction } from '../../../api/models/payment.ts'
import { startDraft, completeDraft } from '../../../cli/request/build-draft.ts'
import { fieldAt, textAt } from '../../../json/fields.ts'
import { switchFlag } from '../../../cli/command/input.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import { operate } from '../../../cli/operate.ts'
import type { Result } from '../../../cli/command/result.ts'
import type { CommandSpec, CommandRun } from '../../../cli/command/spec.ts'
import { watchPayment } from '../../../cli/watch.ts'
import { EXIT, PayError } from '../../../errors.ts'
import { refundsOf } from '../../../views/payment/refunds.ts'
import { formatStatus } from '../../../views/status.ts'
import { ORDER_FLAG, paymentArgument } from '../payment-argument.ts'
import { readTargetStatuses, verdictOf } from './status-verdict.ts'
import type { TargetStatuses } from './status-verdict.ts'
import { watchRefunds } from './refund-watch.ts'
import type { StatusWatch } from './refund-watch.ts'
import { WAIT_TIMEOUT_FLAG, readWaitTimeout } from './wait-timeout.ts'
import { waitResult } from './wait-result.ts'
import { matchEachRefund, pendingOrLatest } from './match-refunds.ts'
import { showPayment } from '../show-payment.ts'

export const command: CommandSpec = {
  path: ['payment', 'wait'],
  summary: 'Wait until a payment or its refund is final',
  details:
    'Reads the payment repeatedly until it has left PENDING and SETTLING, or until it reaches a status given with --until. Exit code 0: it did. 13: the payment (with --refund, the refund) was declined or failed. 8: the time ran out, or the payment reached another final status. Prints the payment in every case.\nThe sandbox settles payments by its own clock. To advance it, run pay sandbox clock advance 1h in another terminal.',
  examples: [
    { purpose: 'wait for a capture to settle', line: 'pay payment wait "$ID"' },
    {
      purpose: 'wait up to 10 minutes for pending refunds',
      line: 'pay payment wait "$ID" --refund --for 10m',
    },
    {
      purpose: 'print only the status, for a script',
      line: 'pay payment wait "$ID" --until SETTLED,CANCELLED --query status -o id',
    },
  ],
  args: [paymentArgument()],
  flags: {
    ...ORDER_FLAG,
    until: {
      kind: 'text',
      value: 'STATUS,…',
      suggestions: PAYMENT_STATUSES,
      help: 'Wait for one of these statuses, such as SETTLED; with --refund, statuses of the refund',
    },
    refund: {
      kind: 'switch',
      help: "Wait for the payment's refunds that are not final; if all are, check the latest",
    },
    for: WAIT_TIMEOUT_FLAG,
  },
  operation: getPayment,
  present: showPayment,
  exitCodes: [EXIT.conflict, EXIT.notFinished, EXIT.outcomeUnknown, EXIT.declined],
  related: ['payment explain', 'payment get'],
  run,
}

async function run(invocation: CommandRun, input: CommandInput): Promise<Result> {
  const until = await readTargetStatuses(invocation)
  const timeout = readWaitTimeout(invocation)
  await invocation.account()
  const draft = await completeDraft(invocation, await startDraft(invocation))
  if (invocation.settings.mode !== 'send') return operate(invocation, getPayment, draft)
  const id = draft.params['id'] ?? ''
  invocation.target.id = id
  const what = switchFlag(input, 'refund') ? 'refund' : 'payment'
  const watch = what === 'refund' ? refundStatusWatch(until) : paymentStatusWatch(until)
  const end = await watchPayment(invocation, { id, forMs: timeout.forMs, ...watch })
  return waitResult(invocation, {
    end,
    what,
    until,
    timeout: timeout.text,
    describe: watch.describe,
    present: showPayment,
  })
}

const paymentStatusWatch = (until: TargetStatuses): StatusWatch => ({
  evaluate: (answer) =>
    verdictOf(
      { status: textAt(answer, 'status'), reasonType: textAt(fieldAt(answer, ['statusReason']), 'type') },
      until,
    ),
  describe: (answer) => formatStatus(textAt(answer, 'status')),
})

const refundStatusWatch = (until: TargetStatuses): StatusWatch =>
  watchRefunds(matchEachRefund(refundsToWatch), until)

function refundsToWatch(payment: Payment): readonly Transaction[] {
  // If the response lists transactions and none is a refund, there is nothing to wait for.
  if (payment.transactions !== undefined && refundsOf(payment).length === 0)
    throw new PayError('no_refund', EXIT.conflict, 'The payment has no refund to wait for', {
      operation: getPayment.id,
      outcome: 'none',
    })
  return pendingOrLatest(payment)
}
