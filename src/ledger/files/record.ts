import type { BeginOptions, DoneIntent, Intent, IntentState, StoredIntent, Settlement } from '../port.ts'
import type { Owner } from './owner.ts'

export const STATES = ['sending', 'in-doubt', 'confirmed', 'rejected', 'abandoned'] as const
export type State = (typeof STATES)[number]

/** One write, as `pay ops` shows it. Fields without a value are null. */
export interface OperationRecord {
  readonly id: string
  readonly operation: string
  readonly profile: string | null
  /** The id in the path, or the body's own identity; tokens as `sha256:…`. */
  readonly target: string | null
  /** Minor units, or points. */
  readonly amount: number | null
  readonly currencyCode: string | null
  readonly idempotencyKey: string | null
  /** ISO 8601, UTC. */
  readonly createdAt: string
  readonly updatedAt: string
  readonly state: State
  readonly exitCode: number | null
  readonly reason: string | null
  readonly user: string
  readonly host: string
  /** Of the program. */
  readonly version: string
}

/** What is on the disk: the record, and what is needed to know equal writes and to clear up this one. */
export interface StoredRecord extends OperationRecord {
  readonly baseUrl: string
  readonly account: string
  readonly mode: 'test' | 'live'
  readonly apiVersion: string
  readonly targetKind: string | null
  readonly likeness: string
  readonly isRepeatable: boolean
  /** The id of what the call made. */
  readonly resource: string | null
  readonly note: string | null
  /** Only while it is open. */
  readonly request?: StoredIntent['request']
  readonly before?: StoredIntent['before']
  /** When it may last have been under way, where it was only looked at since. */
  readonly underWayAt?: string
  readonly owner?: Owner
  /** As long as it has not been sent: what had to be looked for before that. */
  readonly unasked?: BeginOptions
}

export function newRecord(
  intent: Intent,
  pendingChecks: BeginOptions,
  facts: {
    readonly id: string
    readonly now: Date
    readonly user: string
    readonly version: string
    readonly owner: Owner
  },
): StoredRecord {
  const at = facts.now.toISOString()
  return {
    id: facts.id,
    operation: intent.operation,
    profile: intent.profile ?? null,
    target: intent.target?.name ?? null,
    // What is sent unchecked may be no amount at all; the kept request has it as it is.
    amount: Number.isSafeInteger(intent.amount) ? (intent.amount ?? null) : null,
    currencyCode: intent.currencyCode ?? null,
    idempotencyKey: intent.idempotencyKey ?? null,
    createdAt: at,
    updatedAt: at,
    state: 'sending',
    exitCode: null,
    reason: intent.reason ?? null,
    user: facts.user,
    host: facts.owner.machine,
    version: facts.version,
    baseUrl: intent.baseUrl,
    account: intent.account,
    mode: intent.mode,
    apiVersion: intent.apiVersion,
    targetKind: intent.target?.kind ?? null,
    likeness: intent.fingerprint,
    isRepeatable: intent.isRepeatable,
    resource: null,
    note: null,
    ...(intent.request === undefined ? {} : { request: intent.request }),
    ...(intent.before === undefined ? {} : { before: intent.before }),
    owner: facts.owner,
    // A person's word: nothing is in the way of that.
    ...(pendingChecks.mayRepeat && !pendingChecks.isTicket && pendingChecks.seenAt === undefined
      ? {}
      : { unasked: pendingChecks }),
  }
}

export interface Ending extends Omit<Settlement, 'state'> {
  readonly state: IntentState | 'abandoned'
}

/** How it stands now. What is only needed while it is open goes, once it is not. */
export function ended(record: StoredRecord, ending: Ending, now: Date): StoredRecord {
  const { unasked: _unasked, underWayAt: _underWayAt, ...sent } = record
  const next: StoredRecord = {
    ...sent,
    state: ending.state,
    // A process that was killed has no exit code: what is told later is how it turned out.
    exitCode: ending.exitCode ?? record.exitCode,
    updatedAt: now.toISOString(),
    currencyCode: record.currencyCode ?? ending.currencyCode ?? null,
    resource: ending.resource ?? record.resource,
    note: ending.note ?? record.note,
  }
  if (ending.state === 'in-doubt')
    return ending.underWayAt === undefined ? next : { ...next, underWayAt: ending.underWayAt.toISOString() }
  const { request: _request, before: _before, owner: _owner, ...closed } = next
  return closed
}

/** What a caller is told: the published fields alone, in their order. */
export const published = (record: StoredRecord): OperationRecord => ({
  id: record.id,
  operation: record.operation,
  profile: record.profile,
  target: record.target,
  amount: record.amount,
  currencyCode: record.currencyCode,
  idempotencyKey: record.idempotencyKey,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
  state: record.state,
  exitCode: record.exitCode,
  reason: record.reason,
  user: record.user,
  host: record.host,
  version: record.version,
})

/** `wasTakenOver`: somebody died who was clearing it up, and may have sent it once more. */
export const storedIntentOf = (
  record: StoredRecord,
  others: readonly StoredRecord[],
  { now, wasTakenOver }: { readonly now: Date; readonly wasTakenOver: boolean },
): Omit<StoredIntent, 'isOurs' | 'isKeyTaken'> => ({
  id: record.id,
  operation: record.operation,
  baseUrl: record.baseUrl,
  account: record.account,
  mode: record.mode,
  apiVersion: record.apiVersion,
  target:
    record.targetKind === null || record.target === null
      ? undefined
      : { kind: record.targetKind, name: record.target },
  amount: record.amount ?? undefined,
  currencyCode: record.currencyCode ?? undefined,
  idempotencyKey: record.idempotencyKey ?? undefined,
  request: record.request,
  before: record.before,
  createdAt: new Date(record.createdAt),
  // Nobody has written down when a process was killed, and its machine may have slept for hours in the middle of it.
  underWayAt:
    record.state === 'sending' || wasTakenOver ? now : new Date(record.underWayAt ?? record.updatedAt),
  others: others.filter((other) => isDoneBeside(record, other)).map(doneOf),
})

const isDoneBeside = (record: StoredRecord, other: StoredRecord): boolean =>
  other.id !== record.id &&
  other.state === 'confirmed' &&
  other.baseUrl === record.baseUrl &&
  other.targetKind === record.targetKind &&
  other.target === record.target

const doneOf = (record: StoredRecord): DoneIntent => ({
  operation: record.operation,
  amount: record.amount ?? undefined,
  exitCode: record.exitCode ?? undefined,
  resource: record.resource ?? undefined,
  endedAt: new Date(record.updatedAt),
})
