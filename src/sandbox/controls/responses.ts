import type { FoundRecord, FoundRecords } from '../domain/records.ts'

/** The responses of controls that a page reads. Only types: a page is compiled without what Node has. */

export interface VirtualTime {
  readonly now: string
  /** How far the sandbox is ahead of the machine's clock. */
  readonly offsetMs: number
}

/** A client session in a list. Its client token isn't stored, so it can't be shown. */
export interface ListedSession {
  /** The name of the session, which opens nothing. */
  readonly id: string
  /** The state. A session is paid by a payment that isn't declined or failed. */
  readonly state: 'open' | 'paid' | 'expired'
  readonly orderId: string | undefined
  readonly customerId: string | undefined
  readonly currencyCode: string | undefined
  /** The amount, calculated from the order unless the session has its own. */
  readonly amount: number | undefined
  readonly createdAt: string
  readonly expiresAt: string
  /** The payment that the checkout made; after several tries, the one that counts. */
  readonly payment: { readonly id: string; readonly status: string } | undefined
}

/** The price for a customer who pays with a method, in minor units. */
export interface MethodPrice {
  /** The amount with the surcharge; absent if the session has no amount. */
  readonly amount?: number | undefined
  /** The surcharge; absent if there is none, or if the settings hide it. */
  readonly surcharge?: number | undefined
}

export interface MethodOnPage extends MethodPrice {
  readonly type: string
  readonly name: string
  /** Whether a payment waits for a third party. */
  readonly asynchronous: boolean
  /** Card networks with another price. */
  readonly networks?: Readonly<Record<string, MethodPrice>> | undefined
}

export interface TestCard {
  readonly number: string
  readonly network: string
  readonly outcome: string
  /** The title, in a few words. */
  readonly title: string
  readonly what: string
}

/** The content of the checkout page of a session. */
export interface CheckoutPage {
  readonly currencyCode?: string | undefined
  readonly amount?: number | undefined
  readonly missing: readonly string[]
  readonly methods: readonly MethodOnPage[]
  readonly showSurcharges: boolean
  readonly testCards: readonly TestCard[]
  readonly payment?: { readonly id: string; readonly status: string } | undefined
}

/** Payments and external records in one list, newest first. */
export interface RecordPage {
  /** How many records match, from `start` on. */
  readonly total: number
  /** How many match and are newer than `start`. */
  readonly newer: number
  /** The first record of the window: as `start`, it keeps the list still while payments arrive. */
  readonly first: string | undefined
  readonly near: FoundRecords['near']
  readonly data: readonly RecordOnPage[]
}

type RecordOnPage = Omit<FoundRecord, 'seq' | 'time' | 'amountCaptured' | 'amountRefunded'> & {
  readonly date: string
  /** The captured amount; null where the record doesn't say. */
  readonly amountCaptured: number | null
  readonly amountRefunded: number | null
}
