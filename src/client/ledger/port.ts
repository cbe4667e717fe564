import type { Moment } from './moment.ts'

/** The types that `calls` and the ledger share; neither imports the other. */

/**
 * How long the service can be relied on to recognize an idempotency key, in milliseconds. The API doesn't document the real
 * lifetime. Checked before each attempt, because the machine may have slept.
 */
export const KEY_LIFETIME_MS = 23 * 60 * 60 * 1000

/** How long an equal write counts as the same one, made twice. */
export const REPEAT_MS = 10 * 60 * 1000

/** Which resource a write acts on. Two writes with the same target never run at the same time. */
export interface Target {
  /** The kind of name: ids of different kinds may be equal. */
  readonly kind: string
  /** The id, or for a secret its hash (`sha256:…`). */
  readonly name: string
}

/** A payment before it was changed: enough to tell whether it is unchanged, without its contents. */
export interface Snapshot {
  /** Hash of the response's exact text, in hexadecimal. */
  readonly sha256: string
  readonly status: string | undefined
  /** Minor units; undefined where the payment doesn't show it. */
  readonly captured?: number | undefined
  readonly refunded?: number | undefined
}

/** What is needed to send the same request again. Stored only if it contains no secret and no personal data. */
interface StoredRequest {
  readonly params: Readonly<Record<string, string>>
  /** The exact text; undefined for none. */
  readonly body: string | undefined
}

/** What a write is about to do: its intent, recorded before anything is sent. */
export interface Write {
  readonly operation: string
  readonly baseUrl: string
  /** Hash that tells API keys apart without revealing them: the service may remember idempotency keys per API key. */
  readonly apiKeyId: string
  readonly profile: string | undefined
  readonly mode: 'test' | 'live'
  readonly apiVersion: string
  /** undefined when the request names none; such a write blocks no other. */
  readonly target: Target | undefined
  /** Minor units, points for loyalty (below zero: returned); undefined when the request leaves it to the service. */
  readonly amount: number | undefined
  readonly currencyCode: string | undefined
  /** The merchant's order that the payment belongs to. */
  readonly orderId?: string | undefined
  /** For a row of a batch. */
  readonly plan?: PlanOfWrite | undefined
  readonly idempotencyKey: string | undefined
  /** The user's reason. */
  readonly reason: string | undefined
  /** Equal for two writes that would do the same to their target. Called `likeness` on disk. */
  readonly fingerprint: string
  /** Whether sending it twice has the same effect as once. */
  readonly isRepeatable: boolean
  readonly request: StoredRequest | undefined
  readonly before: Snapshot | undefined
  /** For a write that is sent again under its key: when others with this key were first sent. */
  readonly keySince?: readonly Moment[] | undefined
}

/** The plan of a batch, and who signed it. */
export interface PlanOfWrite {
  readonly id: string
  readonly plannedBy: string
  /** The approvers whose signatures counted when the plan was applied. */
  readonly approvedBy: readonly string[]
}

/** What an account may do within spans of time, by this ledger's records. */
export interface LimitsInTime {
  /** The highest sum of refunds, by currency, in minor units. */
  readonly maxTotal?:
    | Readonly<Record<string, { readonly amount: number; readonly spanMs: number }>>
    | undefined
  /** The highest number of writes that move money. */
  readonly maxCount?: { readonly count: number; readonly spanMs: number } | undefined
}

export interface BeginOptions {
  /** The limits of the profile. A team's ledger may have others besides. */
  readonly limits?: LimitsInTime | undefined
  /** Whether to allow a write equal to one of the last ten minutes. */
  readonly mayRepeat: boolean
  /** Whether the key is derived from a ticket: a write confirmed with that key is never sent again, however old it is. */
  readonly isTicket: boolean
  /** What {@link Ledger.endedOn} gave before the intent's `before` was read: another ended write makes it stale. */
  readonly knownEnded?: readonly string[]
  /** How long an attempt may take: the write is its process's own for a little longer. */
  readonly timeoutMs: number
  /** The service's clock, as far as this process has seen it. */
  readonly serviceMs?: number | undefined
  /** The equal refunds that the payment shows of late. One that this ledger doesn't know makes the write a repeat. */
  readonly shown?: ShownEffects | undefined
}

export interface ShownEffects {
  /** The date of each, as the payment has it. */
  readonly dates: readonly (string | undefined)[]
  /** How far back they were looked for, in milliseconds. */
  readonly sinceMs: number
  /** When the service showed them, by its own clock, if it says so. */
  readonly servedAt: Date | undefined
  /** How many unknown ones a person has agreed to repeat. */
  readonly agreedTo: number
}

export interface Settlement {
  readonly state: 'confirmed' | 'rejected' | 'in-doubt'
  readonly exitCode: number | undefined
  /** The currency in the response, if the request did not name it. */
  readonly currencyCode?: string | undefined
  /** The order in the response. */
  readonly orderId?: string | undefined
  /** The amount in the response, where the request left it to the service. */
  readonly movedAmount?: number | undefined
  /** The id of what the call created. */
  readonly resource?: string | undefined
  /** How the outcome is known, if not from the direct response. */
  readonly note?: string | undefined
  /** The date of the effect that the payment shows, as it has it. No other write is confirmed by that effect. */
  readonly effectAt?: string | undefined
  /** How the write was ended without a response: the payment shows an equal effect, or shows none long after it was sent. */
  readonly endedBy?: EndedBy | undefined
  readonly serviceMs?: number | undefined
}

export type EndedBy = 'effect' | 'absence'

/** When a write was sent, by every clock that was seen then. */
export interface Timing {
  /** Right before the first attempt. */
  readonly first: Moment
  /** Right before the last attempt. */
  readonly last: Moment
  /** When other writes with its key were first sent. */
  readonly keySince: readonly Moment[]
  /** How long an attempt may take. */
  readonly timeoutMs: number
}

/**
 * The state of a record that this process began or took over. `ours`: it is open, and this process's; `taken`: another
 * process has taken it over; `ended`: another process has ended it; `gone`: the ledger has no such record any more.
 */
export type Standing = 'ours' | 'taken' | 'ended' | 'gone'

/** A write that is this process's own, until it ends or another process takes it over. */
export interface HeldWrite {
  readonly id: string
  /** Where its record is: a file's path, or a database's URL. */
  readonly place: string
  /** What has become of its record. Rejects if the ledger can't be read. */
  readonly standing: () => Promise<Standing>
  /**
   * Whether the write is still `ours`. Called before it is sent again: notes the time, so that a kill leaves it behind.
   * Durable when it resolves.
   */
  readonly fence: (serviceMs?: number) => Promise<boolean>
  /** Whether this process's lease holds by its own clocks: if not, another one may be sending the write. */
  readonly isLeased: () => boolean
  /** Whether the time of the attempt was noted a moment ago. If not, `fence` notes it again. */
  readonly isFresh: () => boolean
  readonly timing: () => Timing
  /** The present moment, by the clocks of this machine and of the ledger. */
  readonly now: () => Moment
  /** Whether an earlier write was confirmed with the same idempotency key, which can happen with user-supplied keys. */
  readonly isKeyTaken: () => Promise<boolean>
}

export interface BegunWrite extends HeldWrite {
  /** An earlier attempt of the same write may have been processed. */
  readonly isInDoubt: boolean
  /** A warning to show with the result. */
  readonly warning?: string | undefined
  /** Records the outcome. Called once, before the result is shown. */
  readonly settle: (settlement: Settlement) => Promise<void>
}

/** A write whose outcome is to be found out. */
export interface DoubtfulWrite extends Write, HeldWrite {
  /** Other confirmed writes on the same target; none of them may be mistaken for this one. */
  readonly others: readonly DoneWrite[]
}

export interface DoneWrite extends Pick<Write, 'operation' | 'amount'> {
  /** Its exit code: 13 if it was processed and declined. */
  readonly exitCode: number | undefined
  /** The id of what it created. */
  readonly resource: string | undefined
  /** The date of its effect, as the payment has it; undefined if the response didn't tell. */
  readonly effectAt: string | undefined
  /** When it ended, by the service's clock. */
  readonly endedServiceMs: number | undefined
}

/** What the client needs of the ledger. */
export interface Ledger {
  /** The IDs of the writes that have ended on the intent's target, of any account. */
  readonly endedOn: (intent: Write) => Promise<readonly string[]>
  /**
   * Records the intent. Durable when it resolves; from then on no other write on that target can begin.
   * @throws {PayError} exit 6 when the target has an open intent, or an equal write was confirmed in the last ten minutes
   */
  readonly begin: (intent: Write, options: BeginOptions) => Promise<BegunWrite>
}
