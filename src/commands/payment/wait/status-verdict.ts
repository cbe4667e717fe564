import { refundStateOf } from '../../../api/payment-states.ts'
import { PAYMENT_STATUSES } from '../../../api/sets.ts'
import { inCanonicalCase } from '../../../cli/parse/choices.ts'
import { textFlag } from '../../../cli/command/input.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { UsageError } from '../../../errors.ts'
import { didYouMean } from '../../../text/suggest.ts'
import { formatField } from '../../../views/format-fields.ts'

/**
 * What a status means for a wait. `unknown`: the processor never responded to the service, so the money may have moved.
 * `unreachable`: the status is final, but is not one to wait for.
 */
export type Verdict = 'reached' | 'declined' | 'unknown' | 'unreachable'

/** The statuses to wait for; undefined for any status in which nothing is in progress. */
export type TargetStatuses = readonly string[] | undefined

const IN_PROGRESS: readonly string[] = ['PENDING', 'SETTLING']
const UNSUCCESSFUL: readonly string[] = ['DECLINED', 'FAILED']
const FINAL: readonly string[] = ['SETTLED', 'CANCELLED']

interface State {
  readonly status: string | undefined
  readonly reasonType: string | undefined
}

/** The verdict on a payment's status; undefined while it may still change. */
export function verdictOf({ status, reasonType }: State, until: TargetStatuses): Verdict | undefined {
  if (status === undefined) return undefined
  if (isTimedOut({ status, reasonType })) return 'unknown'
  if (UNSUCCESSFUL.includes(status)) return 'declined'
  if (until === undefined) return IN_PROGRESS.includes(status) ? undefined : 'reached'
  if (until.includes(status)) return 'reached'
  return FINAL.includes(status) ? 'unreachable' : undefined
}

/** The verdict on the status of a refund's transaction. Only SETTLED means that the money was returned. */
export function verdictOfRefund({ status, reasonType }: State, until: TargetStatuses): Verdict | undefined {
  if (status === undefined) return undefined
  if (isTimedOut({ status, reasonType })) return 'unknown'
  const state = refundStateOf(status)
  if (state === 'failed') return 'declined'
  if (until === undefined ? state === 'done' : until.includes(status)) return 'reached'
  return state === 'done' ? 'unreachable' : undefined
}

/** Whether the processor never responded to the service: the money may have moved. */
const isTimedOut = ({ status, reasonType }: State): boolean =>
  status === 'FAILED' && reasonType === 'GATEWAY_TIMEOUT'

/**
 * Reads `--until`. Warns about an unknown status, which the service may have added later.
 * @throws {UsageError} for a status that looks mistyped
 */
export async function readTargetStatuses({
  input,
  warn,
  cleanText: cleanWords,
}: Invocation): Promise<TargetStatuses> {
  const text = textFlag(input, 'until')
  if (text === undefined) return undefined
  const statuses = inCanonicalCase(text, PAYMENT_STATUSES)
    .split(',')
    .map((word) => word.trim())
  for (const status of statuses) {
    if (PAYMENT_STATUSES.some((known) => known === status)) continue
    const suggestion = didYouMean(status, PAYMENT_STATUSES)
    if (status === '' || suggestion !== undefined)
      throw new UsageError(`--until takes statuses such as SETTLED, not "${formatField(status)}"`, {
        code: 'bad_value',
        hint: suggestion ?? PAYMENT_STATUSES.join(', '),
      })
    const refund = /refund/i.test(status) ? ' To wait for a refund, use --refund.' : ''
    await warn(
      `Warning: --until ${cleanWords(status)} is not a known status; waiting for it anyway.${refund}`,
    )
  }
  return statuses
}
