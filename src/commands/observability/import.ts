import type { CommandSpec } from '../../cli/spec.ts'
import { EXIT } from '../../errors.ts'
import { runImportCommand } from './run-import.ts'

export const command: CommandSpec = {
  path: ['observability', 'import'],
  summary: 'Record many payments that were made elsewhere, from CSV or NDJSON',
  details: [
    'Columns are field paths: paymentId, currencyCode, processor.name, amount, createdAt, order.id, paymentMethod.paymentMethodType, metadata.KEY and all others of a record (pay observability template prints a header). Files with other names are fitted with --map, --const or --mapping.',
    'After any kill the same command goes on where it stopped. Records that are there already are updated unless --on-exists says otherwise. --dry-run checks every row and sends nothing.',
  ].join('\n\n'),
  examples: [
    { says: 'check first', line: 'pay --sandbox observability import payments.csv --dry-run' },
    {
      says: 'with what became of each row, and the bad ones to be mended',
      line: 'pay --sandbox observability import payments.csv --results results.csv --rejects rejects.csv',
    },
    {
      says: 'a file with names of its own, in major units',
      line: 'pay --sandbox observability import orders.csv --map paymentId=id --map amount=total --const processor.name=ACME --amounts major',
    },
  ],
  args: [{ name: 'FILE', from: 'file', help: 'CSV or NDJSON, also compressed (.gz); - for stdin' }],
  flags: {
    format: {
      kind: 'text',
      value: 'FORMAT',
      choices: ['csv', 'ndjson'],
      help: 'csv or ndjson; by the name of the file unless said',
    },
    map: { kind: 'texts', value: 'FIELD=COLUMN', help: 'The column of a field; repeatable' },
    const: { kind: 'texts', value: 'FIELD=VALUE', help: 'What a field is in every row; repeatable' },
    mapping: { kind: 'text', value: 'FILE', from: 'file', help: 'Both of these from a YAML file' },
    amounts: {
      kind: 'text',
      value: 'UNITS',
      choices: ['minor', 'major'],
      help: 'minor (default: 700) or major (7.00)',
    },
    'assume-utc': { kind: 'switch', help: 'Times without a zone are UTC' },
    'on-exists': {
      kind: 'text',
      value: 'WHAT',
      choices: ['update', 'skip', 'fail'],
      help: 'update (default), skip or fail',
    },
    concurrency: { kind: 'count', value: 'N', help: 'Requests at once; found by itself unless said' },
    rate: { kind: 'text', value: 'N/s', help: 'Requests a second at most' },
    'max-failures': { kind: 'text', value: 'N|P%', help: 'Stop when more rows than that have failed' },
    canary: { kind: 'count', value: 'N', help: 'Send N rows, show what landed, and ask before the rest' },
    results: { kind: 'text', value: 'FILE', from: 'file', help: 'What became of each row, as CSV' },
    rejects: {
      kind: 'text',
      value: 'FILE',
      from: 'file',
      help: 'The rows that failed, with the reason, as CSV',
    },
    restart: { kind: 'switch', help: 'Start over: forget where an earlier run stopped' },
    shard: { kind: 'text', value: 'K/N', help: 'The K-th of N parts, for N processes at once' },
    shards: { kind: 'count', value: 'N', help: 'Parts in all; which one says JOB_COMPLETION_INDEX' },
  },
  confirm: ({ args }) =>
    `Import ${args['ROWS'] === undefined ? '' : `${args['ROWS']} from `}${args['FILE'] === '-' ? 'stdin' : args['FILE']}`,
  dryRuns: true,
  run: runImportCommand,
  risk: 'write',
  asksOnLive: true,
  effect:
    'Makes and changes records for the dashboards; moves no money. They can be changed, and not removed.',
  exitCodes: [EXIT.rejected, EXIT.auth, EXIT.notConnected, EXIT.bulk, EXIT.interrupted],
  related: ['observability template', 'observability push', 'observability update'],
}
