/** The words that the pipeline (http) and the ledger share: neither imports the other. */

/**
 * How long a service is sure to know an idempotency key again. Its lifetime is not documented. A machine that slept may
 * wake after it.
 */
export const KEY_LIFE_MS = 23 * 60 * 60 * 1000

/** Which resource a write acts on. Two writes with the same target never run at once. */
export interface Target {
  /** What kind of name it is: ids of different kinds may be alike. */
  readonly kind: string
  /** The id; of a secret one its hash (`sha256:…`). */
  readonly name: string
}

/** What a payment was before it was changed: enough to know it again, without anything of it. */
export interface Snapshot {
  /** Of the answer's exact text, in hexadecimal. */
  readonly sha256: string
  readonly status: string | undefined
}

/** What is needed to send the same request again: kept only where it holds no secret and nothing personal. */
export interface StoredRequest {
  readonly params: Readonly<Record<string, string>>
  /** The exact text; undefined for none. */
  readonly body: string | undefined
}

/** What a write is about to do, before anything is sent. */
export interface Intent {
  readonly operation: string
  readonly baseUrl: string
  /** Tells accounts apart without naming them: from the API key, which it does not give away. */
  readonly account: string
  readonly profile: string | undefined
  readonly mode: 'test' | 'live'
  readonly apiVersion: string
  /** undefined when the request names none; then it blocks nothing. */
  readonly target: Target | undefined
  /** Minor units, points for loyalty; undefined when the request leaves it to the service. */
  readonly amount: number | undefined
  readonly currencyCode: string | undefined
  readonly idempotencyKey: string | undefined
  /** In the words of the person. */
  readonly reason: string | undefined
  /** The same for two writes that would do the same to their target. */
  readonly fingerprint: string
  /** Whether sending it twice ends in the same. */
  readonly isRepeatable: boolean
  readonly request: StoredRequest | undefined
  readonly before: Snapshot | undefined
}

export interface BeginOptions {
  /** Whether an equal write of the last minutes is no reason to stop. */
  readonly mayRepeat: boolean
  /** The key is made from a ticket, so that a write that was confirmed with it must not be sent again, however old. */
  readonly isTicket: boolean
  /** When the intent's `before` was asked for, ISO 8601: what was done to the target since has made it stale. */
  readonly seenAt?: string
}

export type IntentState = 'confirmed' | 'rejected' | 'in-doubt'

export interface Settlement {
  readonly state: IntentState
  readonly exitCode: number | undefined
  /** Of the answer, where the request did not name it. */
  readonly currencyCode?: string | undefined
  /** The id of what the call made. */
  readonly resource?: string | undefined
  /** How that is known, where it is not from the answer. */
  readonly note?: string | undefined
  /** When it may last have been under way, of one that stays in doubt; now, where it is left out. */
  readonly underWayAt?: Date | undefined
}

export interface OpenIntent {
  readonly id: string
  /** An earlier attempt of the same write may have been processed. */
  readonly isInDoubt: boolean
  /** What is to be told with the answer: something that is no reason to stop. */
  readonly warning?: string | undefined
  /** Whether nobody has taken this process for dead and gone on in its place; asked before it is sent once more. */
  readonly isOurs: () => Promise<boolean>
  /** Whether an earlier write was confirmed with the same idempotency key, as one that is given by hand may be. */
  readonly isKeyTaken?: () => Promise<boolean>
  /** Records how it ended. Called once, before the result is shown. */
  readonly settle: (settlement: Settlement) => Promise<void>
}

/** What the ledger knows of an intent that is to be cleared up. */
export interface StoredIntent {
  readonly id: string
  readonly operation: string
  readonly baseUrl: string
  readonly account: string
  readonly mode: 'test' | 'live'
  readonly apiVersion: string
  readonly target: Target | undefined
  readonly amount: number | undefined
  readonly currencyCode: string | undefined
  readonly idempotencyKey: string | undefined
  readonly request: StoredRequest | undefined
  readonly before: Snapshot | undefined
  readonly createdAt: Date
  /** When it may last have been under way. */
  readonly underWayAt: Date
  /** What else was done to that target from here: none of it is to be taken for this one. */
  readonly others: readonly DoneIntent[]
  /** As {@link OpenIntent.isOurs}. */
  readonly isOurs: () => Promise<boolean>
  /** As {@link OpenIntent.isKeyTaken}. */
  readonly isKeyTaken?: OpenIntent['isKeyTaken']
}

export interface DoneIntent {
  readonly operation: string
  readonly amount: number | undefined
  /** 13 for one that was processed and declined. */
  readonly exitCode: number | undefined
  /** The id of what it made. */
  readonly resource: string | undefined
  readonly endedAt: Date
}

/** The two places where a write meets the ledger: before the socket is used, and before the outcome is told. */
export interface Ledger {
  /**
   * Durable when it resolves; from then on nothing else is begun on that target.
   * @throws {PayError} exit 6 when the target has an open intent, or an equal write was confirmed just now
   */
  readonly begin: (intent: Intent, options: BeginOptions) => Promise<OpenIntent>
}
