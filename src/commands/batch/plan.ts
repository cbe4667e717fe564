import { BATCH_OPERATIONS } from '../../rows/batch/plan.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { EXIT } from '../../errors.ts'
import { PACE_FLAGS } from '../file-flags.ts'
import { TABLE_FLAGS } from '../table-flags.ts'
import { runPlan } from './plan/run.ts'

export const command: CommandSpec = {
  path: ['batch', 'plan'],
  summary: 'Plan many refunds, captures or cancellations from a file, without sending any',
  details: [
    'Reads every payment, gives every row a verdict, and writes a plan for pay batch apply, which carries out only the ready rows. A row names its payment by paymentId or by orderId. The amount all takes all that is left; a row without an amount is a bad_row unless you add --empty-amount all. A cancellation has no amount.',
    'Of several captures of one payment, the last releases the rest of the authorization; the plan says how much. Keep it with --no-final, or with false in the column final of that row.',
    'Columns: paymentId, orderId, amount (700, 7.00 EUR, or all), currencyCode, reason, ticket, final. A row that repeats an earlier write is a possible_duplicate, unless it has an unused ticket or you accept every repeat with --again.',
  ].join('\n\n'),
  examples: [
    { purpose: 'plan refunds', line: 'pay --sandbox batch plan refund refunds.csv' },
    {
      purpose: 'name the plan, and find payments by your order IDs',
      line: 'pay --sandbox batch plan refund orders.csv --map orderId=Order --map amount=Total --amounts major --const currencyCode=EUR --out incident.plan.ndjson',
    },
    {
      purpose: 'refund all that is left of every payment in a list of orders',
      line: 'pay --sandbox batch plan refund orders.csv --map orderId=Order --empty-amount all --out all.plan.ndjson',
    },
    {
      purpose: 'accept every repeat of an earlier refund',
      line: 'pay --sandbox batch plan refund refunds.csv --again',
    },
  ],
  args: [
    {
      name: 'OPERATION',
      choices: BATCH_OPERATIONS,
      help: 'refund, capture or cancel',
    },
    { name: 'FILE', from: 'file', help: 'CSV or NDJSON, plain or gzip; - for stdin' },
  ],
  flags: {
    out: {
      kind: 'text',
      value: 'PLAN',
      from: 'file',
      help: 'The plan file; default: FILE with .plan.ndjson in place of its extension',
    },
    rejects: {
      kind: 'text',
      value: 'FILE',
      from: 'file',
      help: 'Write the rows that are not ready with the reason, to correct and plan again',
    },
    ...TABLE_FLAGS,
    amounts: {
      ...TABLE_FLAGS.amounts,
      help: 'Every amount is in minor (700) or major units (7.00); default: 700, or 7.00 EUR',
    },
    'empty-amount': {
      kind: 'text',
      value: 'all',
      choices: ['all'],
      help: 'A row without an amount takes all that is left',
    },
    'no-final': { kind: 'switch', help: 'No capture releases the rest of its authorization' },
    ...PACE_FLAGS,
    key: {
      kind: 'text',
      value: 'FILE',
      from: 'file',
      help: 'Sign the plan as its planner: your private SSH key, or the public key of one in your agent',
    },
    principal: {
      kind: 'text',
      value: 'NAME',
      help: "Your name in the team's allowed_signers file (default: the one that lists your key)",
    },
  },
  takesAgain: true,
  run: runPlan,
  exitCodes: [
    EXIT.auth,
    EXIT.conflict,
    EXIT.rateLimited,
    EXIT.notConnected,
    EXIT.serverFault,
    EXIT.bulk,
    EXIT.interrupted,
  ],
  related: ['batch show', 'batch apply', 'payment refund', 'payment explain'],
}
