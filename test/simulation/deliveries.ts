import type { FailureReason } from '../../src/client/http/transport-port.ts'

/** How one request is delivered: when it reaches the service, and what its sender sees. */
export interface Delivery {
  /** For the trace, after "sends POST .. ". */
  readonly words: string
  /**
   * When the request reaches the service:
   * - `never`
   * - `at once`
   * - `slowly`: some time later, while its sender still waits
   * - `late`: after its sender has given up or died
   * - `twice`: at once and again later, as from a gateway that retries
   */
  readonly arrives: 'never' | 'at once' | 'slowly' | 'late' | 'twice'
  /** Whether the response takes nearly as long as its sender waits. */
  readonly isAnsweredLate?: boolean
  /** What the sender sees: the service's response, another response, or a failure. */
  readonly sees:
    | { readonly kind: 'the response' }
    | {
        readonly kind: 'status'
        readonly status: number
        readonly headers?: Readonly<Record<string, string>>
        /** The service's own error. Without it the response is a gateway's, which knows nothing of the outcome. */
        readonly errorId?: string
      }
    | { readonly kind: 'failure'; readonly reason: FailureReason; readonly sent: boolean }
}

const delivery = (arrives: Delivery['arrives'], sees: Delivery['sees'], words: string): Delivery => ({
  arrives,
  sees,
  words,
})
const status = (code: number, headers = {}) => ({ kind: 'status', status: code, headers }) as const
const serviceError = (code: number) =>
  ({ kind: 'status', status: code, errorId: 'InternalServerError' }) as const
const failure = (reason: FailureReason, sent = true) => ({ kind: 'failure', reason, sent }) as const

const BECOMES = { never: 'never arrives', 'at once': 'is performed', late: 'arrives later' } as const
/** A gateway answers in place of the service. */
const gateway = (arrives: keyof typeof BECOMES, code: number): Delivery =>
  delivery(arrives, status(code), `but gets ${code} from a gateway, and it ${BECOMES[arrives]}`)

export const DELIVERED = delivery('at once', { kind: 'the response' }, 'and gets the response')

export const DELIVERY_FAULTS: readonly [Delivery, ...Delivery[]] = [
  delivery('slowly', { kind: 'the response' }, 'slowly'),
  { ...delivery('at once', { kind: 'the response' }, 'and gets the response late'), isAnsweredLate: true },
  delivery('never', failure('refused', false), 'but the connection is refused'),
  delivery('never', failure('cut'), 'but the connection is cut before it arrives'),
  delivery('at once', failure('cut'), 'but the connection is cut before the response'),
  delivery('late', failure('cut'), 'but the connection is cut, and it arrives later'),
  delivery('twice', { kind: 'the response' }, 'and gets the response, and it arrives a second time later'),
  delivery('at once', failure('timeout'), 'but times out after it has arrived'),
  delivery('never', failure('timeout'), 'but times out, and it never arrives'),
  delivery('late', failure('timeout'), 'but times out, and it arrives later'),
  gateway('never', 503),
  gateway('at once', 503),
  delivery('never', serviceError(500), 'but gets 500 from the service, and it is not performed'),
  gateway('at once', 502),
  gateway('late', 504),
  gateway('late', 503),
  gateway('at once', 408),
  gateway('late', 408),
  gateway('at once', 499),
  gateway('at once', 460),
  gateway('late', 303),
  gateway('never', 408),
  delivery('never', status(429, { 'retry-after': '2' }), 'but gets 429'),
]
