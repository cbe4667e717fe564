import type { Insights, InsightsQuery } from '../../views/insights/insights.ts'
import type { SandboxContext } from '../domain/context.ts'

/** The input of a control. */
export interface ControlInput {
  /** Values of the parameters in its path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** The parsed JSON; undefined if there was none. */
  readonly body: unknown
  /** The client token that authenticated the request; undefined for API keys. */
  readonly sessionToken: string | undefined
}

/** Everything that a control can read and change. */
export interface ControlContext extends SandboxContext {
  /** The machine's clock. */
  readonly machineNow: () => Date
}

/** Work that needs more than one transaction. */
export interface LongWork {
  /** The figures of `pay insights` over all records. */
  insights(read: (now: Date) => InsightsQuery): Promise<Insights>
  /** Empties the sandbox. Keeps an unusable database under another name. */
  reset(): Promise<void>
}

/** An endpoint of the sandbox itself, which isn't logged and meets no faults. */
export type Control = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path, which may have parameters: `/sandbox/requests/{requestId}`. */
  readonly path: `/sandbox/${string}`
  /** The only input that the control accepts. */
  readonly reads?: 'body' | 'query'
  /** Whether a client token may use the control, for its own session. */
  readonly isForCheckout?: true
} & (
  | {
      /** Checks the input, then does the work, in one transaction. */
      readonly run: (context: ControlContext, input: ControlInput) => unknown
    }
  // Without a transaction.
  | { readonly runOutside: (work: LongWork, input: ControlInput) => Promise<unknown> }
)
