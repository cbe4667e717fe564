import { readProfiles } from '../../client/config/read-profiles.ts'
import { SANDBOX } from '../../client/config/profile.ts'
import { paymentOf } from '../../client/ledger/record.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import { CURRENCY_CODES } from '../../money/currencies.ts'
import { formatMoney } from '../../money/format.ts'
import { containsCardNumber } from '../../output/card-number.ts'
import { withIdentity } from '../command/sandbox-identity.ts'
import { selectAccount } from '../account/account.ts'
import type { Context } from '../command/context.ts'
import type { Tree } from '../command/spec.ts'
import type { ValueSource, ValueSpec } from '../command/flags.ts'

/** A possible word at the cursor, and its description. */
export interface Candidate {
  readonly value: string
  readonly description?: string | undefined
}

export interface CompletionRequest {
  readonly tree: Tree
  readonly context: Context
  /** The values of the flags before the cursor. */
  readonly given: ReadonlyMap<string, string>
}

/** The candidates for a value: valid or known values, or names found on this machine. */
export async function valuesFor(
  { choices, suggestions, from }: ValueSpec,
  kind: string | undefined,
  request: CompletionRequest,
): Promise<readonly Candidate[] | 'files' | 'folders'> {
  const listed = choices ?? suggestions ?? (kind === 'currency' ? CURRENCY_CODES : undefined)
  if (from === 'file') return 'files'
  if (from === 'folder') return 'folders'
  return [
    ...(listed ?? []).map((value) => ({ value })),
    ...(from === undefined ? [] : await namesFrom(from, request)),
  ]
}

async function namesFrom(
  source: Exclude<ValueSource, 'file' | 'folder'>,
  request: CompletionRequest,
): Promise<readonly Candidate[]> {
  switch (source) {
    case 'profile':
      return profiles(request)
    case 'payment':
      return (await listAccountRecords(request)).flatMap((record) =>
        candidateFor(record, paymentOf(record) ?? undefined),
      )
    case 'order':
    case 'record':
      return (await listAccountRecords(request)).flatMap((record) =>
        candidateFor(record, targetOf(record, source)),
      )
    case 'write':
      return (await listRecentRecords(request))
        .toSorted((one, other) => Number(isOpen(other)) - Number(isOpen(one)))
        .flatMap((record) => candidateFor(record, record.id))
    case 'operation':
    case 'write-operation': {
      const { OPERATIONS } = await import('../../api/table.ts')
      return OPERATIONS.filter(({ risk }) => source === 'operation' || risk !== 'read').map(
        ({ id, summary }) => ({ value: id, description: summary }),
      )
    }
    case 'noun':
      return Object.entries(request.tree).map(([value, { summary }]) => ({ value, description: summary }))
  }
}

function profiles({ context }: CompletionRequest): readonly Candidate[] {
  const { profiles: stored } = readProfiles(context.configFolder, { uid: context.uid })
  return [
    ...[...stored.values()].map(({ name, mode, baseUrl }) => ({
      value: name,
      description: `${mode}, ${baseUrl}`,
    })),
    { value: SANDBOX, description: 'the embedded sandbox: no real money' },
  ]
}

/** Only the records of the selected profile: an ID of another account is not valid in this one. */
async function listAccountRecords(request: CompletionRequest): Promise<readonly StoredRecord[]> {
  const { context, given } = request
  const flags = Object.fromEntries(
    ['profile', 'base-url'].flatMap((name) => {
      const value = given.get(name)
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
  const { account: selected } = selectAccount(
    context,
    { args: {}, flags: { ...flags, ...(given.has('sandbox') ? { sandbox: true } : {}) } },
    false,
  )
  const account = await withIdentity(context, selected, { creates: false })
  const name = account.profile?.value ?? null
  return (await listRecentRecords(request)).filter(
    ({ profile, baseUrl }) => profile === name && baseUrl === account.baseUrl.value,
  )
}

/** More would slow down Tab completion. */
const MAX_RECENT = 100

const listRecentRecords = ({ context }: CompletionRequest): Promise<readonly StoredRecord[]> =>
  context.ledger(undefined).then((ledger) => ledger.recent(MAX_RECENT))

const targetOf = ({ targetKind, target }: StoredRecord, kind: string): string | undefined =>
  targetKind === kind ? (target ?? undefined) : undefined

const isOpen = ({ state }: StoredRecord): boolean => state === 'sending' || state === 'in-doubt'

function candidateFor(record: StoredRecord, value: string | undefined): readonly Candidate[] {
  if (value === undefined || containsCardNumber(value)) return []
  const { operation, amount, currencyCode, state, updatedAt } = record
  const money = amount === null ? [] : [formatMoney(amount, currencyCode ?? undefined)]
  const when = updatedAt.slice(0, 16).replace('T', ' ')
  const what = [operation, ...money].join(' ')
  return [{ value, description: `${what}, ${state}, ${when}` }]
}
