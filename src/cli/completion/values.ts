import { readProfiles } from '../../config/read-profiles.ts'
import { SANDBOX } from '../../config/profile.ts'
import { recentRecords } from '../../ledger/recent.ts'
import { realDisk } from '../../ledger/files/real-disk.ts'
import type { StoredRecord } from '../../ledger/files/record.ts'
import { CURRENCY_CODES } from '../../money/currencies.ts'
import { formatMoney } from '../../money/format.ts'
import { containsCardNumber } from '../../output/card-number.ts'
import { accountOf } from '../account/account.ts'
import type { Context } from '../command/context.ts'
import type { Source, Tree, ValueSpec } from '../command/spec.ts'

/** A word that may stand at the cursor, and what it is. */
export interface Candidate {
  readonly value: string
  readonly about?: string | undefined
}

export interface Asked {
  readonly tree: Tree
  readonly context: Context
  /** Values of the flags before the cursor. */
  readonly given: ReadonlyMap<string, string>
}

/** What may stand for a value: its closed set, values that are known, or names of this machine. */
export async function valuesFor(
  { choices, known, from }: ValueSpec,
  kind: string | undefined,
  asked: Asked,
): Promise<readonly Candidate[] | 'files' | 'folders'> {
  const listed = choices ?? known ?? (kind === 'currency' ? CURRENCY_CODES : undefined)
  if (from === 'file') return 'files'
  if (from === 'folder') return 'folders'
  return [
    ...(listed ?? []).map((value) => ({ value })),
    ...(from === undefined ? [] : await namesFrom(from, asked)),
  ]
}

async function namesFrom(
  source: Exclude<Source, 'file' | 'folder'>,
  asked: Asked,
): Promise<readonly Candidate[]> {
  switch (source) {
    case 'profile':
      return profiles(asked)
    case 'payment':
      return (await ofProfileInUse(asked)).flatMap((record) => about(record, paymentOf(record)))
    case 'order':
      return (await ofProfileInUse(asked)).flatMap((record) => about(record, targetOf(record, 'order')))
    case 'record':
      return (await ofProfileInUse(asked)).flatMap((record) => about(record, targetOf(record, 'record')))
    case 'write':
      return (await recent(asked))
        .toSorted((one, other) => Number(isOpen(other)) - Number(isOpen(one)))
        .flatMap((record) => about(record, record.id))
    case 'operation':
    case 'write-operation': {
      const { OPERATIONS } = await import('../../api/table.ts')
      return OPERATIONS.filter(({ risk }) => source === 'operation' || risk !== 'read').map(
        ({ id, summary }) => ({ value: id, about: summary }),
      )
    }
    case 'noun':
      return Object.entries(asked.tree).map(([value, { summary }]) => ({ value, about: summary }))
  }
}

function profiles({ context }: Asked): readonly Candidate[] {
  const { profiles: stored } = readProfiles(context.configFolder, { uid: context.uid })
  return [
    ...[...stored.values()].map(({ name, mode, baseUrl }) => ({ value: name, about: `${mode}, ${baseUrl}` })),
    { value: SANDBOX, about: 'the embedded sandbox: no real money' },
  ]
}

/** No more than the profile's own: an id of another account is no payment of this one. */
async function ofProfileInUse(asked: Asked): Promise<readonly StoredRecord[]> {
  const { context, given } = asked
  const flags = Object.fromEntries(
    ['profile', 'base-url'].flatMap((name) => {
      const value = given.get(name)
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
  const { account } = accountOf(
    context,
    { args: {}, flags: { ...flags, ...(given.has('sandbox') ? { sandbox: true } : {}) } },
    false,
  )
  const name = account.profile?.value ?? null
  return (await recent(asked)).filter(
    ({ profile, baseUrl }) => profile === name && baseUrl === account.baseUrl.value,
  )
}

const recent = ({ context }: Asked): Promise<readonly StoredRecord[]> =>
  recentRecords(realDisk({ canSyncFolders: false }), `${context.stateFolder}/ledger`)

/** What it made, or what it was done to. */
function paymentOf(record: StoredRecord): string | undefined {
  return record.operation === 'payment.create' ? (record.resource ?? undefined) : targetOf(record, 'payment')
}

const targetOf = ({ targetKind, target }: StoredRecord, kind: string): string | undefined =>
  targetKind === kind ? (target ?? undefined) : undefined

const isOpen = ({ state }: StoredRecord): boolean => state === 'sending' || state === 'in-doubt'

function about(record: StoredRecord, value: string | undefined): readonly Candidate[] {
  if (value === undefined || containsCardNumber(value)) return []
  const { operation, amount, currencyCode, state, updatedAt } = record
  const money = amount === null ? [] : [formatMoney(amount, currencyCode ?? undefined)]
  const when = updatedAt.slice(0, 16).replace('T', ' ')
  const what = [operation, ...money].join(' ')
  return [{ value, about: `${what}, ${state}, ${when}` }]
}
