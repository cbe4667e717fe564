import type { Replay, Risk } from '../../api/operation.ts'
import type { FailureReason } from '../http/transport-port.ts'

/** How one attempt ended. */
export type AttemptEnd =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly retryAfterMs: number | undefined
      readonly provesDone: boolean
    }
  /** `wrong`: a whole response that can't be the one to this request. */
  | { readonly kind: 'failure'; readonly sent: boolean; readonly reason: FailureReason | 'wrong' }

type Reason = Extract<AttemptEnd, { kind: 'failure' }>['reason']

/** What the pipeline does next. */
export type Verdict =
  /** A complete 2xx. */
  | { readonly kind: 'accept' }
  /** A definite refusal, with no earlier attempt in doubt. */
  | { readonly kind: 'refused' }
  /** A refusal that proves that an earlier attempt of ours was done. */
  | { readonly kind: 'processed-before' }
  | { readonly kind: 'retry'; readonly waitMs: number; readonly inDoubt: boolean }
  /** Wait, then read the target before deciding. */
  | { readonly kind: 'check-target'; readonly waitMs: number }
  /** The write may have been done. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not-connected' }
  | { readonly kind: 'rate-limited' }
  /** The service failed; nothing was done. */
  | { readonly kind: 'server-fault' }

export interface RetryInput {
  readonly replay: Replay
  readonly risk: Risk
  /** 0 for the first attempt. */
  readonly attempt: number
  readonly maxRetries: number
  /** For one call of many that share a pace, which also makes it wait as long as the service asks. */
  readonly shared?: { readonly endsAt429: boolean } | undefined
  /** Whether an earlier attempt of this intent may have been processed. */
  readonly inDoubt: boolean
  readonly end: AttemptEnd
  /** From 0 to 1; spreads the waits. */
  readonly random: number
}

/** Gateways may send these after passing on the whole request: the service may have done it, or may still do it. */
const STATUSES_OF_GATEWAYS: readonly number[] = [303, 408, 460, 499]

export const isGatewayStatus = (status: number): boolean => STATUSES_OF_GATEWAYS.includes(status)

/** Whether a status says nothing about a write's effect, no matter who responds. A status below 200 isn't a final response. */
export const saysNothingOfEffect = (status: number): boolean =>
  status < 200 || status >= 500 || isGatewayStatus(status)

/** The longest wait of a single call before one attempt, no matter what the service asks for. */
const MAX_WAIT_MS = 60_000

/** Connection failures that would happen again on a retry. */
const NOT_WORTH_RETRYING: readonly Reason[] = ['tls', 'proxy', 'unusable']
/** Responses that a read would get again. */
const NOT_WORTH_READING_AGAIN: readonly Reason[] = ['too-large', 'wrong']

/**
 * The whole retry policy (see RFC 9110, 9.2.2, on what may be repeated).
 * Once an attempt's outcome is unknown, only a complete 2xx or proof that it was done ends the doubt.
 */
export function decide(input: RetryInput): Verdict {
  const { end, inDoubt } = input
  if (end.kind === 'failure') return afterFailure(input, end)
  if (end.status >= 200 && end.status < 300) return { kind: 'accept' }
  // With a 429 the service says that it did not process this attempt, so any operation may be sent again.
  if (end.status === 429) {
    if (input.shared !== undefined)
      return input.shared.endsAt429
        ? endedWith(inDoubt, 'rate-limited')
        : { kind: 'retry', waitMs: 0, inDoubt }
    // To try again earlier would be refused, and a command that waits for hours looks stuck.
    const isWorthWaiting = (end.retryAfterMs ?? 0) <= MAX_WAIT_MS
    const retried = isWorthWaiting ? retry(input, inDoubt, end.retryAfterMs) : undefined
    return retried ?? endedWith(inDoubt, 'rate-limited')
  }
  if (saysNothingOfEffect(end.status)) return afterDoubt(input, end.retryAfterMs)
  if (!inDoubt) return { kind: 'refused' }
  return end.provesDone ? { kind: 'processed-before' } : { kind: 'unknown' }
}

function afterFailure(input: RetryInput, end: { sent: boolean; reason: Reason }): Verdict {
  if (end.reason === 'aborted')
    return endedWith(input.inDoubt || (end.sent && input.risk !== 'read'), 'not-connected')
  if (end.sent) return afterDoubt(input, undefined, !NOT_WORTH_READING_AGAIN.includes(end.reason))
  const retried = NOT_WORTH_RETRYING.includes(end.reason) ? undefined : retry(input, input.inDoubt, undefined)
  return retried ?? endedWith(input.inDoubt, 'not-connected')
}

function afterDoubt(
  input: RetryInput,
  retryAfterMs: number | undefined,
  readIsWorthRepeating = true,
): Verdict {
  if (input.risk === 'read') {
    const retried = readIsWorthRepeating ? retry(input, false, retryAfterMs) : undefined
    return retried ?? { kind: 'server-fault' }
  }
  return BY_REPLAY[input.replay](input, retryAfterMs)
}

const BY_REPLAY: Readonly<Record<Replay, (input: RetryInput, retryAfterMs: number | undefined) => Verdict>> =
  {
    safe: (input, retryAfterMs) => retry(input, true, retryAfterMs) ?? { kind: 'unknown' },
    keyed: (input, retryAfterMs) => retry(input, true, retryAfterMs) ?? { kind: 'unknown' },
    compare: checkTarget,
    look: checkTarget,
    never: () => ({ kind: 'unknown' }),
  }

function checkTarget(input: RetryInput, retryAfterMs: number | undefined): Verdict {
  return { kind: 'check-target', waitMs: waitOf(input, retryAfterMs) }
}

const endedWith = (inDoubt: boolean, kind: 'rate-limited' | 'not-connected'): Verdict => ({
  kind: inDoubt ? 'unknown' : kind,
})

function retry(input: RetryInput, inDoubt: boolean, retryAfterMs: number | undefined): Verdict | undefined {
  if (input.attempt >= input.maxRetries) return undefined
  // In doubt, it may be sent again only while the target is unchanged.
  if (inDoubt && input.replay === 'compare') return checkTarget(input, retryAfterMs)
  return { kind: 'retry', waitMs: waitOf(input, retryAfterMs), inDoubt }
}

function waitOf({ attempt, random, shared }: RetryInput, retryAfterMs: number | undefined): number {
  if (shared !== undefined && retryAfterMs !== undefined) return 0
  return Math.min(retryAfterMs ?? backoffMs(attempt, random), MAX_WAIT_MS)
}

/** Half fixed, half random: 125 to 250 ms at first, doubling up to 8 s. */
export function backoffMs(attempt: number, random: number): number {
  const ceiling = Math.min(250 * 2 ** attempt, 8_000)
  return Math.round(ceiling / 2 + (ceiling / 2) * random)
}
