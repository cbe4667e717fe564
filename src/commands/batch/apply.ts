import type { CommandSpec } from '../../cli/command/spec.ts'
import { EXIT } from '../../errors.ts'
import { MAX_FAILURES_FLAG, MAX_WAIT_FLAG, PACE_FLAGS } from '../file-flags.ts'
import { PLAN_ARGUMENT } from './plan-argument.ts'
import { runApplyCommand } from './apply/run.ts'

export const command: CommandSpec = {
  path: ['batch', 'apply'],
  summary: 'Carry out the ready rows of a plan',
  details: [
    'Reads each payment right before its row is sent, and skips the row if the payment is not as planned. Rows for the same payment run in the order of the file. A row with a ticket uses the key of --once TICKET.',
    'To continue after an interruption or a crash, run the same command again. It does the rows that were not begun and those that failed; skipped rows stay skipped. No row is done twice, even from another machine.',
    'A live profile asks you to type the total. A script passes --yes with --expect-total for each currency and --expect-count; both cover all ready rows, done or not.',
  ].join('\n\n'),
  examples: [
    { purpose: 'see what is left', line: 'pay --sandbox batch apply refunds.plan.ndjson --dry-run' },
    {
      purpose: 'apply it, and save the outcome of each row and the rows to correct',
      line: 'pay --sandbox batch apply refunds.plan.ndjson --results results.csv --rejects rejects.csv',
    },
    {
      purpose: 'in a script, only if the plan is the one you expect',
      line: "pay --sandbox batch apply refunds.plan.ndjson --yes --expect-total '49.90 EUR' --expect-count 1",
    },
  ],
  args: [PLAN_ARGUMENT],
  flags: {
    results: { kind: 'text', value: 'FILE', from: 'file', help: 'Write the outcome of each row, as CSV' },
    rejects: {
      kind: 'text',
      value: 'FILE',
      from: 'file',
      help: 'Write the rows that are not ready or not done with the reason, to correct and plan again',
    },
    ...PACE_FLAGS,
    'max-failures': MAX_FAILURES_FLAG,
    'max-wait': MAX_WAIT_FLAG,
    restart: {
      kind: 'switch',
      help: 'Forget what earlier runs noted, and rebuild it from the ledger: rows that it has as done stay done',
    },
    'expect-total': {
      kind: 'texts',
      value: 'AMOUNT CUR',
      help: 'Refuse a plan with a different total in this currency; once per currency',
    },
    'expect-count': {
      kind: 'count',
      value: 'N',
      help: 'Refuse a plan with a different number of ready rows',
    },
  },
  supportsDryRun: true,
  resumes: true,
  run: runApplyCommand,
  risk: 'money',
  asksOnLive: true,
  effect: "Moves the money of every ready row. You can't undo a refund, a capture or a cancellation.",
  exitCodes: [
    EXIT.auth,
    EXIT.conflict,
    EXIT.rateLimited,
    EXIT.notConnected,
    EXIT.limit,
    EXIT.bulk,
    EXIT.interrupted,
  ],
  related: ['payment refund', 'ops list'],
}
