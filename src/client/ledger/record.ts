import { factsOf } from '../../api/facts.ts'
import type { Moment } from './moment.ts'
import type { DoneWrite, EndedBy, PlanOfWrite, Settlement, Timing, Write } from './port.ts'
import type { Owner } from './owner.ts'

export const STATES = ['sending', 'in-doubt', 'confirmed', 'rejected', 'abandoned'] as const
export type State = (typeof STATES)[number]

/** One write, as `pay ops` shows it. Fields without a value are null. */
export interface OperationRecord {
  readonly id: string
  readonly operation: string
  readonly profile: string | null
  /** The id in the path, or an identifying field of the body; tokens as `sha256:…`. */
  readonly target: string | null
  /** Minor units, or points; below zero for points that were returned. */
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
  /** The program's version. */
  readonly version: string
  /** The merchant's order that the payment belongs to. Records of earlier versions lack it. */
  readonly orderId?: string | null
  /** Only in lists: whether it was sent to a sandbox whose data are gone. */
  readonly earlierSandbox?: true
}

/** What a team's records have besides. */
interface TeamFields {
  readonly account: string
  /** Who has begun it, and where: `user@host`. */
  readonly owner: string
  /** Until when its process may be sending it, ISO 8601; null once no process works on it. */
  readonly leaseUntil: string | null
}

/** A record as stored: what `pay ops` shows, and what is needed to recognize equal writes and to resolve this one. */
export interface StoredRecord extends OperationRecord {
  readonly baseUrl: string
  /** The same as `apiKeyId` in this machine's ledger; in a team's, the name that its members joined. */
  readonly account: string
  readonly apiKeyId: string
  readonly mode: 'test' | 'live'
  readonly apiVersion: string
  readonly targetKind: string | null
  /** The intent's fingerprint: equal for two writes that would do the same to their target. */
  readonly likeness: string
  readonly isRepeatable: boolean
  /** The id of what the call created. */
  readonly resource: string | null
  readonly plan?: PlanOfWrite
  /** What it moved, if the request left the amount to the service. */
  readonly movedAmount?: number
  readonly note: string | null
  /** As in {@link TeamFields}; never stored, and only where a team's ledger is listed. */
  readonly leaseUntil?: string | null
  /** Only while it is open. */
  readonly request?: Write['request']
  readonly before?: Write['before']
  /** Right before its first attempt. Records of earlier versions lack it. */
  readonly first?: Moment
  /** Right before its last attempt, if that is a later one. */
  readonly last?: Moment
  /** When it ended. */
  readonly end?: Moment
  /** How long an attempt may take. */
  readonly timeoutMs?: number
  /** When other writes with its key were first sent. */
  readonly keySince?: readonly Moment[]
  /** The date of its effect, as the payment has it. */
  readonly effectAt?: string
  readonly endedBy?: EndedBy
  /** When it was last in flight, in records of earlier versions. */
  readonly underWayAt?: string
  readonly lastAttemptAt?: string
}

/** The payment that the write has created or acts on; null if none is known. */
export const paymentOf = ({
  operation,
  resource,
  targetKind,
  target,
}: Pick<StoredRecord, 'operation' | 'resource' | 'targetKind' | 'target'>): string | null =>
  factsOf(operation)?.creates === 'payment' ? resource : targetKind === 'payment' ? target : null

export function newRecord(
  intent: Write,
  facts: {
    readonly id: string
    readonly now: Date
    readonly user: string
    readonly version: string
    readonly owner: Owner
    readonly account: string
    readonly moment: Moment
    readonly timeoutMs: number
  },
): StoredRecord {
  const at = facts.now.toISOString()
  return {
    id: facts.id,
    operation: intent.operation,
    profile: intent.profile ?? null,
    target: intent.target?.name ?? null,
    // In an unchecked body the amount may be anything; the stored request has it as written.
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
    orderId: intent.orderId ?? null,
    baseUrl: intent.baseUrl,
    account: facts.account,
    apiKeyId: intent.apiKeyId,
    mode: intent.mode,
    apiVersion: intent.apiVersion,
    targetKind: intent.target?.kind ?? null,
    likeness: intent.fingerprint,
    isRepeatable: intent.isRepeatable,
    resource: null,
    note: null,
    ...(intent.plan === undefined ? {} : { plan: intent.plan }),
    ...(intent.request === undefined ? {} : { request: intent.request }),
    ...(intent.before === undefined ? {} : { before: intent.before }),
    first: facts.moment,
    timeoutMs: facts.timeoutMs,
    ...(intent.keySince === undefined ? {} : { keySince: intent.keySince }),
  }
}

export interface Ending extends Omit<Settlement, 'state'> {
  readonly state: Settlement['state'] | 'abandoned'
}

/** The record with its outcome. Fields that are needed only while it is open are dropped when it ends. */
export function ended(record: StoredRecord, ending: Ending, now: Date, end: Moment): StoredRecord {
  const next: StoredRecord = {
    ...record,
    state: ending.state,
    // A killed process has no exit code; resolving adds the one for the outcome.
    exitCode: ending.exitCode ?? record.exitCode,
    updatedAt: now.toISOString(),
    currencyCode: record.currencyCode ?? ending.currencyCode ?? null,
    orderId: record.orderId ?? ending.orderId ?? null,
    ...(ending.movedAmount === undefined ? {} : { movedAmount: ending.movedAmount }),
    resource: ending.resource ?? record.resource,
    note: ending.note ?? record.note,
  }
  if (ending.state === 'in-doubt') return next
  const { request, before: _before, ...closed } = next
  return {
    ...closed,
    end,
    // A person may decide to send it after all.
    ...(ending.endedBy === 'effect' && request !== undefined ? { request } : {}),
    ...(ending.endedBy === undefined ? {} : { endedBy: ending.endedBy }),
    ...(ending.effectAt === undefined ? {} : { effectAt: ending.effectAt }),
  }
}

/** The default of `--timeout`. */
export const DEFAULT_TIMEOUT_MS = 30_000

/** When it was sent. A record of an earlier version has the wall clock alone; in a team's ledger, the database's. */
export function timingOf(record: StoredRecord): Timing {
  const { createdAt, updatedAt, underWayAt, lastAttemptAt, timeoutMs = DEFAULT_TIMEOUT_MS } = record
  const ofLedger = (time: string): Moment =>
    record.account === record.apiKeyId
      ? { wallMs: Date.parse(time), machine: record.host }
      : { databaseMs: Date.parse(time) }
  const first = record.first ?? ofLedger(createdAt)
  const last = record.last ?? record.first ?? ofLedger(underWayAt ?? lastAttemptAt ?? updatedAt)
  return { first, last, keySince: record.keySince ?? [], timeoutMs }
}

/** When it ended; for a record of an earlier version, when it was last changed. */
export const endOf = (record: StoredRecord): Moment =>
  record.end ?? timingOf({ ...record, createdAt: record.updatedAt }).first

/** A write in one of these may still have an effect. */
export const OPEN_STATES: readonly State[] = ['sending', 'in-doubt']

export const isEnd = (state: string): boolean => OPEN_STATES.every((open) => open !== state)
export const hasEnded = ({ state }: StoredRecord): boolean => isEnd(state)

/** The published fields only, in their order. */
export const published = (record: StoredRecord): OperationRecord & Partial<TeamFields> => ({
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
  ...(record.orderId === undefined ? {} : { orderId: record.orderId }),
  ...(record.leaseUntil === undefined
    ? {}
    : { account: record.account, owner: `${record.user}@${record.host}`, leaseUntil: record.leaseUntil }),
})

/** The published fields of a record as stored, which begins with them. */
export const publishedJson = (json: string): string =>
  // Joined, because a mere slice would keep all of it in memory.
  [json.slice(0, json.indexOf(',"baseUrl":')), '}'].join('')

/** The base URL of a record as stored: no URL has a quote. */
export const baseUrlIn = (json: string): string => /,"baseUrl":"([^"]*)"/.exec(json)?.[1] ?? ''

/** What the record says of what its write was about to do. */
export const writeIn = (record: StoredRecord): Write => ({
  operation: record.operation,
  baseUrl: record.baseUrl,
  apiKeyId: record.apiKeyId,
  profile: record.profile ?? undefined,
  mode: record.mode,
  apiVersion: record.apiVersion,
  target:
    record.targetKind === null || record.target === null
      ? undefined
      : { kind: record.targetKind, name: record.target },
  amount: record.amount ?? undefined,
  currencyCode: record.currencyCode ?? undefined,
  orderId: record.orderId ?? undefined,
  plan: record.plan,
  idempotencyKey: record.idempotencyKey ?? undefined,
  reason: record.reason ?? undefined,
  fingerprint: record.likeness,
  isRepeatable: record.isRepeatable,
  request: record.request,
  before: record.before,
  keySince: record.keySince,
})

/** The records that may be mistaken for a write: confirmed ones on its target. */
export const othersOf = (record: StoredRecord, records: readonly StoredRecord[]): readonly DoneWrite[] =>
  oncePerKey(records.filter((other) => isOtherConfirmed(record, other))).map(doneWriteIn)

/**
 * One record for each key. The service may have answered a second write with a key without doing it, so both prove no more
 * than one effect.
 */
const oncePerKey = (records: readonly StoredRecord[]): readonly StoredRecord[] =>
  records.filter(
    ({ idempotencyKey: key, effectAt }, index) =>
      key === null ||
      records.findIndex((one) => one.idempotencyKey === key && one.effectAt === effectAt) === index,
  )

const isOtherConfirmed = (record: StoredRecord, other: StoredRecord): boolean =>
  other.id !== record.id &&
  other.state === 'confirmed' &&
  other.baseUrl === record.baseUrl &&
  other.targetKind === record.targetKind &&
  other.target === record.target

const doneWriteIn = (record: StoredRecord): DoneWrite => ({
  operation: record.operation,
  amount: record.amount ?? undefined,
  exitCode: record.exitCode ?? undefined,
  resource: record.resource ?? undefined,
  effectAt: record.effectAt,
  endedServiceMs: record.end?.serviceMs,
})
