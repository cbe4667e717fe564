import type { ExternalPayment } from '../../../api/models/external-payment.ts'
import type { LoyaltyTransaction } from '../../../api/models/loyalty.ts'
import type { CheckoutSettings } from '../../../api/checkout-settings.ts'
import type { ClockSettings } from '../clock.ts'
import type { RecordStore } from './record-store.ts'
import type { SingleUseToken } from './single-use-token.ts'
import type { StoredInstrument } from './stored-instrument.ts'
import type { StoredPayment } from './stored-payment.ts'
import type { StoredSession } from './stored-session.ts'

/** What the domain and the handlers need from the database. */
export interface Store {
  readonly settings: SettingsStore
  readonly sessions: SessionStore
  readonly payments: PaymentStore
  readonly singleUseTokens: SingleUseTokenStore
  readonly instruments: InstrumentStore
  readonly externalPayments: ExternalPaymentStore
  readonly records: RecordStore
  readonly loyalty: LoyaltyStore
  readonly idempotencyKeys: IdempotencyKeyStore
}

/** Values that apply to the whole folder. */
export interface SettingsStore extends ClockSettings {
  /** Signs client tokens; created on first use, at random unless told how. */
  secret(make?: () => string): string
  checkout(): CheckoutSettings
  saveCheckout(settings: CheckoutSettings): void
  /** Differs after each change that isn't a logged request; undefined before the first one. */
  changeMark(): string | undefined
  /** Call it after such a change, so that listeners notice. */
  markChange(): void
  /** Tells these data from those of other sandboxes, and from what was here before a reset; undefined in data of earlier versions. */
  identity(): string | undefined
  makeIdentity(): void
  /** Differs for each made-up history; undefined if the store was emptied since. */
  seedMark(): string | undefined
  markSeed(): string
}

/** Stores a hash of each session id, never the client token itself. */
export interface SessionStore {
  find(id: string): StoredSession | undefined
  findByHash(idHash: string): StoredSession | undefined
  save(id: string, session: StoredSession): void
  /** The one that expires last first. Searches orders and customers. */
  list(page: ListPage): ListOf<{ readonly idHash: string; readonly session: StoredSession }>
}

/** Which part of a list to show. */
export interface ListPage {
  readonly offset: number
  readonly limit: number
  /** Text that an entry must contain, in upper or lower case. */
  readonly search: string
}

export interface ListOf<Entry> {
  /** Of all pages. */
  readonly total: number
  readonly data: readonly Entry[]
}

export interface PaymentStore {
  find(id: string): StoredPayment | undefined
  /** @throws {Error} if the amounts don't add up */
  insert(payment: StoredPayment): void
  /** @throws {Error} if the amounts don't add up, or if there is no such payment */
  save(payment: StoredPayment): void
  /** Payments with an event due at or before this time. */
  due(nowMs: number): readonly StoredPayment[]
  /** Payments with an event still to come, the next one first. */
  upcoming(limit: number): readonly StoredPayment[]
  /** The payment of a client session: one that isn't DECLINED or FAILED, otherwise the latest. */
  findOfSession(sessionIdHash: string): StoredPayment | undefined
  /** How many calls on the payment were refused. */
  failures(id: string): number
  countFailure(id: string): void
}

export interface SingleUseTokenStore {
  find(token: string): SingleUseToken | undefined
  save(token: SingleUseToken): void
}

export interface InstrumentStore {
  find(token: string): StoredInstrument | undefined
  insert(instrument: StoredInstrument): void
  save(instrument: StoredInstrument): void
  /** Newest first, including deleted ones. */
  ofCustomer(customerId: string): readonly StoredInstrument[]
  /** Those that aren't deleted, by customer, newest first. Searches customers. */
  list(page: ListPage): ListOf<StoredInstrument>
}

export interface ExternalPaymentStore {
  find(paymentId: string): ExternalPayment | undefined
  /** False if the id is taken, by another record or by a payment. */
  insert(paymentId: string, record: ExternalPayment): boolean
  save(paymentId: string, record: ExternalPayment): void
}

export interface LoyaltyStore {
  /** Undefined for a customer who hasn't used the connection yet. */
  balance(connectionId: string, customerId: string): number | undefined
  setBalance(connectionId: string, customerId: string, balance: number): void
  insert(id: string, transaction: LoyaltyTransaction): void
}

/** A key that a processed call has used. */
export interface UsedKey {
  readonly operation: string
  readonly paymentId: string
  /** Covers operation, target and body; missing for keys that an older program stored. */
  readonly requestHash: string | undefined
  /** The payment as the call left it. */
  readonly payment: StoredPayment | undefined
}

export interface IdempotencyKeyStore {
  find(key: string): UsedKey | undefined
  /** Stores the payment's current state with the key. */
  insert(key: string, used: Omit<UsedKey, 'payment'>): void
}
