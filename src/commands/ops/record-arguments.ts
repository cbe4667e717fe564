import { periodFlags, readPeriod } from '../period.ts'
import { readTime } from '../../views/search/times.ts'
import type { Period } from '../../views/search/times.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { RecordFilter } from '../../client/ledger/listing.ts'
import { SANDBOX } from '../../client/config/profile.ts'
import type { ArgumentSpec, Offer } from '../../cli/command/flags.ts'
import { switchFlag, textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import type { CommandRun } from '../../cli/command/spec.ts'
import { EXIT, PayError, UsageError } from '../../errors.ts'
import type { WholeLedger } from '../../client/ledger/ledger.ts'
import type { DamagedRecord } from '../../client/ledger/entry.ts'
import type { FoundEntry } from '../../client/ledger/listing.ts'
import { OPEN_STATES } from '../../client/ledger/record.ts'
import { accountInUse } from '../../cli/account/account.ts'
import { shellWord } from '../../files/shell.ts'

export const ID_ARGUMENT = {
  name: 'ID',
  from: 'write',
  help: 'Operation ID, or its first 4 or more characters',
  offer: offerOpenWrites,
} as const satisfies ArgumentSpec

/** The writes whose outcome is unknown, which is what people look for. */
async function offerOpenWrites(invocation: Invocation): Promise<Offer> {
  const { context, input } = invocation
  const profile = readProfileFilter(textFlag(input, 'profile'), switchFlag(input, 'sandbox'))
  const ledger = await openLedger(invocation)
  const { records } = await ledger.list({ states: OPEN_STATES, profile })
  const { operationChoices } = await import('../../views/ops/list.ts')
  const options = { width: context.stderr.columns, timeZone: context.timeZone() }
  return { ...operationChoices(records, options), freeText: { what: 'another ID' } }
}

/** The ID given on the command line, where it is optional, or asked for on a terminal. Undefined in a script. */
export async function askOperationId(invocation: CommandRun): Promise<string | undefined> {
  const given = invocation.input.args['ID']
  if (given !== undefined || !invocation.isInteractive) return given
  const { askValue } = await import('../../cli/request/ask-missing.ts')
  return askValue(invocation, 'ID', ID_ARGUMENT)
}

/** The ledger of the account in use. */
export const openLedger = (invocation: Pick<Invocation, 'context' | 'input'>): Promise<WholeLedger> =>
  invocation.context.ledger(accountInUse(invocation))

/**
 * Finds the record whose ID begins with `id`.
 * @throws {PayError} if the record is damaged: there is nothing to show or resolve
 */
export async function findReadableRecord(
  ledger: WholeLedger,
  id: string,
): Promise<Extract<FoundEntry, { kind: 'record' }>> {
  const found = await ledger.find(id)
  if (found.kind === 'damaged') throw unreadableError(found)
  return found
}

const unreadableError = ({ id }: DamagedRecord): PayError =>
  new PayError('ledger_damaged', EXIT.conflict, `The record is damaged: ${id}`, {
    outcome: 'unknown',
    retryable: false,
    hint: "It doesn't match its checksum. The write may have been done: check the service, then set the record aside with pay ops abandon.",
    next: [`pay ops abandon ${shellWord(id)}`],
  })

/** Filters only by `--profile` or `--sandbox`: the default profile doesn't hide what was sent with others. */
export function readProfileFilter(profile: string | undefined, isSandbox: boolean): string | undefined {
  if (isSandbox && profile !== undefined && profile !== SANDBOX)
    throw new UsageError('--sandbox and --profile name different accounts', { code: 'account_conflict' })
  return isSandbox ? SANDBOX : profile
}

/** The period and its other name. */
export const LEDGER_PERIOD_FLAGS = {
  ...periodFlags('Started'),
  since: { kind: 'text', value: 'TIME', help: 'The same as --from' },
} as const

export const MINE_FLAG = {
  kind: 'switch',
  help: "Of a team's ledger, only what you began on this machine",
} as const

/** The period that `--from` or `--since`, and `--to`, name. */
export function readLedgerPeriod(input: CommandInput, now: Date, defaultFrom?: string): Period {
  const [from, since] = [textFlag(input, 'from'), textFlag(input, 'since')]
  if (from !== undefined && since !== undefined)
    throw new UsageError('Use either --from or --since, not both', { code: 'given_twice' })
  // The flag that was typed is the one that an error names.
  if (since !== undefined) readTime(since, '--since', now)
  const start = from ?? since ?? defaultFrom
  return readPeriod(start === undefined ? input : { ...input, flags: { ...input.flags, from: start } }, now)
}

export const readMine = ({ context: { program } }: Invocation, input: CommandInput): RecordFilter['by'] =>
  switchFlag(input, 'mine') ? { user: program.user(), host: program.machine } : undefined

/** The time as the ledger stores it, which compares times as text. */
export const storedForm = (time: string | undefined): string | undefined =>
  time === undefined ? undefined : new Date(time).toISOString()
