import { getPayment } from '../../../api/operations/payment.ts'
import { PAYMENT_STATUSES } from '../../../api/sets.ts'
import type { Payment, Transaction } from '../../../api/models/payment.ts'
import { startDraft } from '../../../cli/request/start-draft.ts'
import { fieldAt, textAt } from '../../../cli/parse/field-path.ts'
import { switchFlag } from '../../../cli/command/input.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import { completeDraft } from '../../../cli/request/complete-draft.ts'
import { operate } from '../../../cli/operate.ts'
import type { Result } from '../../../cli/command/result.ts'
import type { CommandSpec, CommandRun } from '../../../cli/command/spec.ts'
import { watchPayment } from '../../../cli/watch.ts'
import { EXIT, PayError } from '../../../errors.ts'
import { refundsOf } from '../../../views/payment/refunds.ts'
import { formatStatus } from '../../../views/status.ts'
import { paymentToChoose } from '../../payment-argument.ts'
import { readUntil, verdictOf } from './awaited.ts'
import type { Until } from './awaited.ts'
import { awaitedRefunds } from './awaited-refunds.ts'
import type { AwaitedRefunds } from './awaited-refunds.ts'
import { WAIT_FLAG, readPatience } from './patience.ts'
import { waitEnd } from './wait-end.ts'
import { followEach, openOrLatest } from './which-refund.ts'
import { showPayment } from '../shown-payment.ts'

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
  args: [paymentToChoose()],
  flags: {
    until: {
      kind: 'text',
      value: 'STATUS,…',
      known: PAYMENT_STATUSES,
      help: 'Wait for one of these, such as SETTLED; with --refund, of the refund',
    },
    refund: { kind: 'switch', help: 'Wait for its refunds that are not final yet, or else look at the last' },
    for: WAIT_FLAG,
  },
  operation: getPayment,
  present: showPayment,
  exitCodes: [EXIT.conflict, EXIT.notFinished, EXIT.outcomeUnknown, EXIT.declined],
  related: ['payment explain', 'payment get'],
  run,
}

async function run(invocation: CommandRun, input: CommandInput): Promise<Result> {
  const until = await readUntil(invocation)
  const patience = readPatience(invocation)
  await invocation.account()
  const draft = await completeDraft(invocation, await startDraft(invocation))
  if (invocation.settings.mode !== 'send') return operate(invocation, getPayment, draft)
  const id = draft.params['id'] ?? ''
  invocation.target.id = id
  const what = switchFlag(input, 'refund') ? 'refund' : 'payment'
  const awaited = what === 'refund' ? refundsToAwait(until) : paymentToAwait(until)
  const end = await watchPayment(invocation, { id, forMs: patience.forMs, ...awaited })
  return waitEnd(invocation, {
    end,
    what,
    until,
    waited: patience.text,
    describe: awaited.describe,
    present: showPayment,
  })
}

const paymentToAwait = (until: Until): AwaitedRefunds => ({
  evaluate: (answer) =>
    verdictOf(
      { status: textAt(answer, 'status'), reasonType: textAt(fieldAt(answer, ['statusReason']), 'type') },
      until,
    ),
  describe: (answer) => formatStatus(textAt(answer, 'status')),
})

const refundsToAwait = (until: Until): AwaitedRefunds => awaitedRefunds(followEach(refundsToFollow), until)

function refundsToFollow(paid: Payment): readonly Transaction[] {
  // Where the answer tells of transactions and no refund is among them, there is nothing to come.
  if (paid.transactions !== undefined && refundsOf(paid).length === 0)
    throw new PayError('no_refund', EXIT.conflict, 'The payment has no refund to wait for', {
      operation: getPayment.id,
      outcome: 'none',
    })
  return openOrLatest(paid)
}
