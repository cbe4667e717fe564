import type { ShownRecord } from '../answers/shown-record.ts'
import type { CheckoutSettings } from '../domain/checkout-settings.ts'
import type { CheckoutPage } from './checkout-page.ts'
import type { FoundRecords, RecordFilter, RecordWindow } from '../domain/store/record-store.ts'
import type { UpcomingEvent } from '../domain/payment/upcoming-events.ts'
import type { Instrument } from '../../api/models/instrument.ts'
import type { Insights, InsightsQuery } from '../../insights/insights.ts'
import type { Fault, NewFault } from '../faults/fault.ts'
import type { LoggedDetails, RequestLog } from '../log/logged-request.ts'

import type { ListedSession, ListOf } from './sessions.ts'
import type { ListPage } from './view-inputs.ts'

export interface VirtualTime {
  readonly now: string
  /** How far the sandbox is ahead of the machine's clock. */
  readonly offsetMs: number
}

/** Exactly one of a test card, a saved method and the type of another method. */
export interface MethodToTokenize {
  readonly card?: string | undefined
  readonly savedMethod?: string | undefined
  readonly method?: string | undefined
  /** The session that the token is for. */
  readonly clientToken?: string | undefined
  /** Whether the client token authenticated the request, which may then use only what the checkout offers. */
  readonly isCheckout?: boolean
}

/** Names the payment by its required action's client token, or by its ID. */
export type ChallengeAnswer = { readonly outcome: 'pass' | 'fail' } & (
  | { readonly clientToken: string }
  | {
      readonly paymentId: string
      /** The client token of the session that the payment must belong to. */
      readonly sessionToken?: string | undefined
    }
)

/** What the sandbox lets tests do that no real service allows. */
export interface Controls {
  tokenize(input: MethodToTokenize): Promise<{ readonly paymentMethodToken: string }>
  challenge(answer: ChallengeAnswer): Promise<{ readonly resumeToken: string }>
  readonly checkout: {
    /** @throws {Problem} `Unauthorized` unless the token is that of an open session */
    authenticate(clientToken: string): Promise<void>
    show(clientToken: string): Promise<CheckoutPage>
  }
  readonly settings: {
    show(): Promise<CheckoutSettings>
    change(changes: Partial<CheckoutSettings>): Promise<CheckoutSettings>
  }
  readonly clock: {
    show(): Promise<VirtualTime>
    advance(ms: number): Promise<VirtualTime>
    /** What it will do next, soonest first; covers a hundred payments. */
    upcoming(): Promise<readonly UpcomingEvent[]>
  }
  readonly faults: {
    add(fault: NewFault): Promise<Fault>
    list(): Promise<readonly Fault[]>
    /** Returns how many there were. */
    clear(): Promise<number>
  }
  readonly requests: RequestLog & {
    /** With headers and bodies, if they are kept. */
    find(requestId: string): Promise<LoggedDetails | undefined>
    clear(): Promise<void>
  }
  /** The figures of `pay insights` over all records. */
  insights(query: InsightsQuery): Promise<Insights>
  sessions(page: ListPage): Promise<ListOf<ListedSession>>
  instruments(page: ListPage): Promise<ListOf<Instrument>>
  readonly records: {
    /** Searches payments and external records. */
    find(filter: RecordFilter, window: RecordWindow): Promise<FoundRecords>
    /** One of them, as the service shows it; undefined if there is none with this ID. */
    get(id: string): Promise<ShownRecord | undefined>
  }
  /** Empties the sandbox. Keeps an unusable database under another name. */
  reset(): Promise<void>
}
