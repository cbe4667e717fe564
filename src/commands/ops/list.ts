import { earlierSandboxTest } from '../../cli/command/sandbox-identity.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import { switchFlag, textFlag } from '../../cli/command/input.ts'
import { readChoices } from '../../cli/parse/choices.ts'
import { longListOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { warnAboutDamage } from '../../cli/report/ledger-damage.ts'
import { UsageError } from '../../errors.ts'
import type { RecordFilter } from '../../client/ledger/listing.ts'
import { STATES, paymentOf } from '../../client/ledger/record.ts'
import type { WholeLedger } from '../../client/ledger/ledger.ts'
import { operationsView, wideOperationsView } from '../../views/ops/list.ts'
import {
  LEDGER_PERIOD_FLAGS,
  MINE_FLAG,
  openLedger,
  readLedgerPeriod,
  readMine,
  readProfileFilter,
  storedForm,
} from './record-arguments.ts'

export const command: CommandSpec = {
  path: ['ops', 'list'],
  summary: 'List the writes in the ledger, newest first',
  details:
    "Reads the records on this machine; needs no account and no network. --profile and --sandbox list only what was sent with that profile. A profile with a team's ledger lists what the team sent for its account. The other ops commands accept the beginning of an ID.",
  examples: [
    { purpose: 'list writes in doubt', line: 'pay ops list --state in-doubt' },
    { purpose: 'list all writes to one payment', line: 'pay ops list --target "$ID"' },
    { purpose: 'see what was done for an order, with the reasons', line: 'pay ops list --order A-1 --wide' },
    {
      purpose: "export a month's refunds for a spreadsheet",
      line: 'pay ops list --operation payment.refund --from 2026-01-01 --to 2026-01-31 -o csv',
    },
  ],
  flags: {
    ...LEDGER_PERIOD_FLAGS,
    order: {
      kind: 'text',
      value: 'ORDER_ID',
      from: 'order',
      help: "Only writes on this order's payments, as far as the ledger knows them",
    },
    wide: { kind: 'switch', help: 'Show the reasons, and every column at any width' },
    operation: {
      kind: 'text',
      value: 'OPERATION,…',
      from: 'write-operation',
      help: 'Such as payment.refund',
    },
    mine: MINE_FLAG,
    state: { kind: 'text', value: 'STATE,…', choices: STATES, help: STATES.join(', ') },
    target: {
      kind: 'text',
      value: 'TARGET',
      from: 'payment',
      help: 'What the write acted on: a payment ID, an orderId for a new payment, a paymentId, a token',
    },
  },
  run: async (invocation, input) => {
    const ledger = await openLedger(invocation)
    const filter = {
      ...(await readFilter(input, invocation.context.now())),
      by: readMine(invocation, input),
      order: await readOrder(ledger, input),
    }
    const listing = await ledger.lines(
      { ...filter, checksEnded: true },
      await earlierSandboxTest(invocation.context),
    )
    await warnAboutDamage(invocation, listing)
    return longListOf(listing.records, switchFlag(input, 'wide') ? wideOperationsView : operationsView)
  },
  related: ['ops report', 'ops show', 'ops resolve'],
}

/** The order of `--order` with the payments that the ledger has for it: other records of them may lack the order. */
async function readOrder(ledger: WholeLedger, input: CommandInput): Promise<RecordFilter['order']> {
  const id = textFlag(input, 'order')
  if (id === undefined) return undefined
  if (id === '') throw new UsageError('--order is empty', { code: 'bad_value' })
  const named = await ledger.list({ order: { id, payments: new Set() } })
  return { id, payments: new Set(named.records.flatMap((record) => paymentOf(record) ?? [])) }
}

async function readFilter(input: CommandInput, now: Date): Promise<RecordFilter> {
  const { from, to } = readLedgerPeriod(input, now)
  const target = textFlag(input, 'target')
  if (target === '') throw new UsageError('--target is empty', { code: 'bad_value' })
  return {
    from: storedForm(from),
    to: storedForm(to),
    operations: readChoices(input, 'operation', await writes(input)),
    states: readChoices(input, 'state', STATES),
    targets: target === undefined ? undefined : [target],
    profile: readProfileFilter(textFlag(input, 'profile'), switchFlag(input, 'sandbox')),
  }
}

/** Loads the table of operations only when `--operation` is given. */
async function writes(input: CommandInput): Promise<readonly string[]> {
  if (textFlag(input, 'operation') === undefined) return []
  const { OPERATIONS } = await import('../../api/table.ts')
  return [...OPERATIONS.filter(({ risk }) => risk !== 'read').map(({ id }) => id), 'api']
}
