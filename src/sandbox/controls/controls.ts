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

/** What the sandbox lets tests do that no real service allows. */
export interface Controls {
  tokenize(input: {
    readonly card: string
    readonly clientToken?: string | undefined
  }): Promise<{ readonly paymentMethodToken: string }>
  challenge(input: {
    readonly clientToken: string
    readonly outcome: 'pass' | 'fail'
  }): Promise<{ readonly resumeToken: string }>
  readonly clock: {
    show(): Promise<VirtualTime>
    advance(ms: number): Promise<VirtualTime>
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
  /** Empties the sandbox. An unreadable database is kept beside the new one. */
  reset(): Promise<void>
}
