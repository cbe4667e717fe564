import type { ShownRecord } from '../answers/shown-record.ts'
import type { FoundRecords, RecordSearch, RecordWindow } from '../domain/store/record-store.ts'
import type { Fault, NewFault } from '../faults/fault.ts'
import type { RequestLog } from '../log/logged-request.ts'

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
    clear(): Promise<void>
  }
  readonly records: {
    /** Searches payments and external records. */
    find(search: RecordSearch, window: RecordWindow): Promise<FoundRecords>
    /** One of them, as the service shows it; undefined if there is none with this ID. */
    get(id: string): Promise<ShownRecord | undefined>
  }
  /** Empties the sandbox. An unreadable database is kept beside the new one. */
  reset(): Promise<void>
}
