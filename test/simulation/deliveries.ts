import type { FailureReason } from '../../src/http/transport-port.ts'

/** What becomes of one request. */
export interface Fate {
  readonly words: string
  /**
   * When the service gets it: never; at once; a while later, its sender waiting; when its sender has given up, up to ten
   * seconds later; or at once and once more, as by a gateway that does not wait for long.
   */
  readonly arrives: 'never' | 'at once' | 'slowly' | 'late' | 'twice'
  /** What its sender meets: the service's answer, another one, or none. */
  readonly meets:
    | { readonly kind: 'the answer' }
    | {
        readonly kind: 'status'
        readonly status: number
        readonly headers?: Readonly<Record<string, string>>
        /** A gateway's when it is left out: without a word of the service. */
        readonly errorId?: string
      }
    | { readonly kind: 'failure'; readonly reason: FailureReason; readonly sent: boolean }
}

const fate = (arrives: Fate['arrives'], meets: Fate['meets'], words: string): Fate => ({
  arrives,
  meets,
  words,
})
const status = (code: number, headers = {}) => ({ kind: 'status', status: code, headers }) as const
const fault = (code: number) => ({ kind: 'status', status: code, errorId: 'InternalServerError' }) as const
const failure = (reason: FailureReason, sent = true) => ({ kind: 'failure', reason, sent }) as const

export const WELL = fate('at once', { kind: 'the answer' }, 'and is answered')
export const SLOWLY = fate('slowly', { kind: 'the answer' }, 'and is slow on its way')

/** Each is a way to go wrong. */
export const MISHAPS: readonly [Fate, ...Fate[]] = [
  SLOWLY,
  fate('never', failure('refused', false), 'and the connection is refused'),
  fate('never', failure('cut'), 'and is cut on its way'),
  fate('at once', failure('cut'), 'and arrives, and its answer is cut'),
  fate('late', failure('cut'), 'and is cut, and arrives later all the same'),
  fate('twice', { kind: 'the answer' }, 'and is answered, and arrives once more'),
  fate('at once', failure('timeout'), 'and arrives, and no answer comes'),
  fate('never', failure('timeout'), 'and does not arrive, and no answer comes'),
  fate('late', failure('timeout'), 'and no answer comes, and it arrives after that'),
  fate('never', status(503), 'and is answered 503 without being done'),
  fate('at once', status(503), 'and is done and answered 503'),
  fate('never', fault(500), 'and is answered 500 without being done'),
  fate('at once', status(502), 'and is done, and a gateway answers 502'),
  fate('late', status(504), 'and a gateway answers 504, and it arrives after that'),
  fate('late', status(503), 'and a gateway answers 503, and it arrives after that'),
  fate('never', status(429, { 'retry-after': '2' }), 'and is answered 429'),
]
