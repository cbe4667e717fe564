import { SANDBOX } from '../../config/profile.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { EXIT, PayError, UsageError } from '../../errors.ts'
import type { WholeLedger } from '../../ledger/ledger.ts'
import type { DamagedRecord } from '../../ledger/entry.ts'
import type { FoundEntry } from '../../ledger/listing.ts'
import { accountInUse } from '../../cli/account/account-in-use.ts'

/** The ID given on the command line, or asked for on a terminal. */
export async function readOperationId(invocation: Invocation): Promise<string> {
  const given = invocation.input.args['ID']
  if (given !== undefined) return given.trim()
  if (invocation.isInteractive)
    return (await (await invocation.prompts()).text({ label: 'ID', hint: 'of the operation' })).trim()
  throw new UsageError('Missing: ID', { code: 'missing_input', next: ['pay ops list'] })
}

export const ID_ARGUMENT = {
  name: 'ID',
  from: 'write',
  help: 'Operation ID, or its first 4 or more characters',
} as const

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
    next: [`pay ops abandon ${id}`],
  })

/** Filters only by `--profile` or `--sandbox`: the default profile doesn't hide what was sent with others. */
export function readProfileFilter(profile: string | undefined, isSandbox: boolean): string | undefined {
  if (isSandbox && profile !== undefined && profile !== SANDBOX)
    throw new UsageError('--sandbox and --profile name different accounts', { code: 'account_conflict' })
  return isSandbox ? SANDBOX : profile
}
