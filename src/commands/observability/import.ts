import type { CommandSpec } from '../../cli/command/spec.ts'
import { EXIT } from '../../errors.ts'
import { READY_MAPPINGS } from '../../rows/import/ready-mappings.ts'
import { MAX_FAILURES_FLAG, MAX_WAIT_FLAG, PACE_FLAGS } from '../file-flags.ts'
import { TABLE_FLAGS } from '../table-flags.ts'
import { runImportCommand } from './import/run.ts'

export const command: CommandSpec = {
  path: ['observability', 'import'],
  summary: 'Record many payments made elsewhere, from CSV or NDJSON',
  details: [
    'Column names are field paths: paymentId, currencyCode, processor.name, amount, createdAt, order.id, paymentMethod.paymentMethodType, metadata.KEY and the other fields of a record (pay observability template prints a header). For other column names, use --map, --const or --mapping; pay observability template FILE suggests a mapping. For exports, --mapping takes stripe-balance, stripe-payments, adyen-settlement, shopify-orders or paypal-activity.',
    'Refuses ambiguous values, such as 1.234 or a time in the hour that repeats when clocks go back.',
    'After an interruption or a crash, the same command resumes where it stopped. Existing records are updated unless --on-exists says otherwise. --dry-run checks every row, reports repeated paymentIds, writes --rejects and sends nothing.',
  ].join('\n\n'),
  examples: [
    { purpose: 'check the file first', line: 'pay --sandbox observability import payments.csv --dry-run' },
    {
      purpose: 'save the outcome of each row, and the failed rows to correct',
      line: 'pay --sandbox observability import payments.csv --results results.csv --rejects rejects.csv',
    },
    {
      purpose: 'a file with other column names, in major units',
      line: 'pay --sandbox observability import orders.csv --map paymentId=id --map amount=total --const processor.name=ACME --amounts major',
    },
    {
      purpose: 'an export of Stripe',
      line: 'pay --sandbox observability import balance.csv --mapping stripe-balance',
    },
    {
      purpose: 'a file from a German spreadsheet',
      line: "pay --sandbox observability import tabelle.csv --encoding windows-1252 --amounts major --decimal-comma --date-format 'dd.MM.yyyy HH:mm' --timezone Europe/Berlin",
    },
  ],
  args: [{ name: 'FILE', from: 'file', help: 'CSV or NDJSON, plain or gzip; - for stdin' }],
  flags: {
    ...TABLE_FLAGS,
    mapping: { ...TABLE_FLAGS.mapping, suggestions: Object.keys(READY_MAPPINGS) },
    'on-exists': {
      kind: 'text',
      value: 'WHAT',
      choices: ['update', 'skip', 'fail'],
      help: 'For existing records: update (default), skip or fail',
    },
    ...PACE_FLAGS,
    'max-failures': MAX_FAILURES_FLAG,
    'max-wait': MAX_WAIT_FLAG,
    canary: {
      kind: 'count',
      value: 'N',
      help: 'Send N rows, show their outcome, and ask before sending the rest',
    },
    results: { kind: 'text', value: 'FILE', from: 'file', help: 'Write the outcome of each row, as CSV' },
    rejects: {
      kind: 'text',
      value: 'FILE',
      from: 'file',
      help: 'Write the failed rows with the reason, to correct and import again',
    },
    restart: { kind: 'switch', help: 'Start over instead of resuming an earlier run' },
    shard: { kind: 'text', value: 'K/N', help: 'Import part K of N, for N parallel processes' },
    shards: { kind: 'count', value: 'N', help: 'Number of parts; JOB_COMPLETION_INDEX selects one' },
  },
  confirm: ({ args }) =>
    `Import ${args['ROWS'] === undefined ? '' : `${args['ROWS']} from `}${args['FILE'] === '-' ? 'stdin' : args['FILE']}`,
  supportsDryRun: true,
  resumes: true,
  run: runImportCommand,
  risk: 'write',
  asksOnLive: true,
  effect:
    "Creates and updates records for the dashboards; moves no money. You can change records, but you can't remove them.",
  exitCodes: [
    EXIT.rejected,
    EXIT.auth,
    EXIT.conflict,
    EXIT.rateLimited,
    EXIT.notConnected,
    EXIT.bulk,
    EXIT.interrupted,
  ],
  related: ['observability template', 'observability push', 'observability update'],
}
