import { earlierSandboxTest } from '../../cli/command/sandbox-identity.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import { switchFlag, textFlag } from '../../cli/command/input.ts'
import { readChoices } from '../../cli/parse/choices.ts'
import { longListOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { warnAboutDamage } from '../../cli/report/ledger-damage.ts'
import { UsageError } from '../../errors.ts'
import type { RecordFilter } from '../../client/ledger/listing.ts'
import { STATES } from '../../client/ledger/record.ts'
import { operationsView } from '../../views/ops/list.ts'
import { periodFlags, readPeriod } from '../period.ts'
import { openLedger, readProfileFilter } from './record-arguments.ts'

export const command: CommandSpec = {
  path: ['ops', 'list'],
  summary: 'List the writes in the ledger, newest first',
  details:
    "Reads the records on this machine; needs no account and no network. --profile and --sandbox list only what was sent with that profile. A profile with a team's ledger lists what the team sent for its account. The other ops commands accept the beginning of an ID.",
  examples: [
    { purpose: 'list writes in doubt', line: 'pay ops list --state in-doubt' },
    { purpose: 'list all writes to one payment', line: 'pay ops list --target "$ID"' },
    {
      purpose: "export a month's refunds for a spreadsheet",
      line: 'pay ops list --operation payment.refund --from 2026-01-01 --to 2026-01-31 -o csv',
    },
  ],
  flags: {
    ...periodFlags('Started'),
    operation: {
      kind: 'text',
      value: 'OPERATION,…',
      from: 'write-operation',
      help: 'Such as payment.refund',
    },
    mine: { kind: 'switch', help: "Of a team's ledger, only what you began on this machine" },
    state: { kind: 'text', value: 'STATE,…', choices: STATES, help: STATES.join(', ') },
    target: {
      kind: 'text',
      value: 'TARGET',
      from: 'payment',
      help: 'What the write acted on: a payment ID, an orderId for a new payment, a paymentId, a token',
    },
  },
  run: async (invocation, input) => {
    const { program, now } = invocation.context
    const by = switchFlag(input, 'mine') ? { user: program.user(), host: program.machine } : undefined
    const filter = { ...(await readFilter(input, now())), by }
    const ledger = await openLedger(invocation)
    const listing = await ledger.lines(
      { ...filter, checksEnded: true },
      await earlierSandboxTest(invocation.context),
    )
    await warnAboutDamage(invocation, listing)
    return longListOf(listing.records, operationsView)
  },
  related: ['ops show', 'ops resolve'],
}

/** The time as the ledger stores it, which compares times as text. */
export const storedForm = (time: string | undefined): string | undefined =>
  time === undefined ? undefined : new Date(time).toISOString()

async function readFilter(input: CommandInput, now: Date): Promise<RecordFilter> {
  const { from, to } = readPeriod(input, now)
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
