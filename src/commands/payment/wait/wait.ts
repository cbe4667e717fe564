import { getPayment } from '../../../api/operations/payment.ts'
import { PAYMENT_STATUSES } from '../../../api/sets.ts'
import type { Payment, Transaction } from '../../../api/models/payment.ts'
import { startDraft } from '../../../cli/request/start-draft.ts'
import { fieldAt } from '../../../cli/request/field-path.ts'
import { switchFlag } from '../../../cli/command/input.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import type { Invocation } from '../../../cli/invocation.ts'
import { completeDraft } from '../../../cli/request/missing.ts'
import { operate } from '../../../cli/operate.ts'
import { textAt } from '../../../cli/guard/payment-reader.ts'
import type { Result } from '../../../cli/command/result.ts'
import type { CommandSpec } from '../../../cli/command/spec.ts'
import { watchPayment } from '../../../cli/watch.ts'
import { EXIT, PayError } from '../../../errors.ts'
import { refundsOf } from '../../../views/payment/money-story.ts'
import { statusText } from '../../../views/status.ts'
import { paymentArgument } from '../../payment-argument.ts'
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
  summary: 'Wait until a payment, or its refund, is settled or decided',
  details:
    'Reads the payment again and again, and ends when it is no longer PENDING or SETTLING, or has a status of --until. Exit code 0 means so; 13 that the payment is DECLINED or FAILED, or with --refund the refund itself; 8 that the time is up, or that it stays in another status. The payment is printed each time.\nThe sandbox settles by its own clock: pay sandbox clock advance 1h, in another window.',
  examples: [
    { says: 'until a capture that takes its time is settled', line: 'pay payment wait "$ID"' },
    {
      says: 'until the refunds that are under way are final',
      line: 'pay payment wait "$ID" --refund --for 10m',
    },
    {
      says: 'for a script: the status alone',
      line: 'pay payment wait "$ID" --until SETTLED,CANCELLED --query status -o id',
    },
  ],
  args: [paymentArgument()],
  flags: {
    until: {
      kind: 'text',
      value: 'STATUS,…',
      known: PAYMENT_STATUSES,
      help: 'Wait for one of these, such as SETTLED; with --refund, of the refund',
    },
    refund: { kind: 'switch', help: 'Wait for its refunds that are not final yet, or else look at the last' },
    for: WAIT_TIMEOUT_FLAG,
  },
  operation: getPayment,
  present: showPayment,
  exitCodes: [EXIT.conflict, EXIT.notFinished, EXIT.outcomeUnknown, EXIT.declined],
  related: ['payment explain', 'payment get'],
  run,
}

async function run(invocation: Invocation, input: CommandInput): Promise<Result> {
  const until = await readTargetStatuses(invocation)
  const patience = readWaitTimeout(invocation)
  await invocation.account()
  const draft = await completeDraft(invocation, await startDraft(invocation))
  if (invocation.settings.mode !== 'send') return operate(invocation, getPayment, draft)
  const id = draft.params['id'] ?? ''
  invocation.target.id = id
  const what = switchFlag(input, 'refund') ? 'refund' : 'payment'
  const awaited = what === 'refund' ? refundStatusWatch(until) : paymentStatusWatch(until)
  const end = await watchPayment(invocation, { id, forMs: patience.forMs, ...awaited })
  return waitResult(invocation, {
    end,
    what,
    until,
    waited: patience.text,
    look: awaited.look,
    present: showPayment,
  })
}

const paymentStatusWatch = (until: TargetStatuses): StatusWatch => ({
  judge: (answer) =>
    verdictOf(
      { status: textAt(answer, 'status'), reasonType: textAt(fieldAt(answer, ['statusReason']), 'type') },
      until,
    ),
  look: (answer) => statusText(textAt(answer, 'status')),
})

const refundStatusWatch = (until: TargetStatuses): StatusWatch =>
  watchRefunds(matchEachRefund(refundsToWatch), until)

function refundsToWatch(paid: Payment): readonly Transaction[] {
  // Where the answer tells of transactions and no refund is among them, there is nothing to come.
  if (paid.transactions !== undefined && refundsOf(paid).length === 0)
    throw new PayError('no_refund', EXIT.conflict, 'The payment has no refund to wait for', {
      operation: getPayment.id,
      outcome: 'none',
    })
  return pendingOrLatest(paid)
}
