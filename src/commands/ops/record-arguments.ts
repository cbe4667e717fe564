import { SANDBOX } from '../../config/profile.ts'
import type { Invocation } from '../../cli/invocation.ts'
import { EXIT, PayError, UsageError } from '../../errors.ts'
import type { FileLedger } from '../../ledger/ledger.ts'
import type { DamagedFile, Found } from '../../ledger/listing.ts'

/** The id as it was typed, or as a person gives it now. */
export async function readOperationId(invocation: Invocation): Promise<string> {
  const given = invocation.input.args['ID']
  if (given !== undefined) return given.trim()
  if (invocation.isInteractive)
    return (await invocation.ask({ label: 'ID', hint: 'of the operation' })).trim()
  throw new UsageError('Missing: ID', { code: 'missing_input', next: ['pay ops list'] })
}

export const ID_ARGUMENT = {
  name: 'ID',
  from: 'write',
  help: "The operation's id, or a beginning of it",
} as const

/** The record of that id; one that cannot be read has nothing that could be shown or cleared up. */
export async function findReadableRecord(
  ledger: FileLedger,
  id: string,
): Promise<Extract<Found, { kind: 'record' }>> {
  const found = await ledger.find(id)
  if (found.kind === 'damaged') throw unreadable(found)
  return found
}

const unreadable = ({ name, path }: DamagedFile): PayError =>
  new PayError('ledger_damaged', EXIT.conflict, `The record is damaged: ${path}`, {
    outcome: 'unknown',
    retryable: false,
    hint: 'Its content does not match its checksum, or has none. That write may have been done: look at the service. Then pay ops abandon sets the file aside.',
    next: [`pay ops abandon ${name}`],
  })

/** Only what is typed now: the profile that is in use hides none of what was sent with others. */
export function readProfileFilter(profile: string | undefined, isSandbox: boolean): string | undefined {
  if (isSandbox && profile !== undefined && profile !== SANDBOX)
    throw new UsageError('--sandbox and --profile name two accounts', { code: 'account_conflict' })
  return isSandbox ? SANDBOX : profile
}
