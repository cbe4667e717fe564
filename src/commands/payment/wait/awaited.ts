import { PAYMENT_STATUSES } from '../../../api/sets.ts'
import { inCanonicalCase } from '../../../cli/parse/choices.ts'
import { textFlag } from '../../../cli/command/input.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { UsageError } from '../../../errors.ts'
import { didYouMean } from '../../../suggest.ts'
import { formatField } from '../../../views/format-fields.ts'

/** What a status says to somebody who waits. `stays`: it changes no more by itself, and is not what was waited for. */
export type Verdict = 'reached' | 'declined' | 'doubtful' | 'stays'

/** The statuses that are waited for; undefined is any in which nothing is under way. */
export type Until = readonly string[] | undefined

const UNDER_WAY: readonly string[] = ['PENDING', 'SETTLING']
const BAD: readonly string[] = ['DECLINED', 'FAILED']
const FINAL: readonly string[] = ['SETTLED', 'CANCELLED']

/** A refund that has one of these gives nothing back. */
const NOT_REFUNDED: readonly string[] = [...BAD, 'CANCELLED', 'REJECTED']

interface State {
  readonly status: string | undefined
  readonly reasonType: string | undefined
}

/** The end that a payment's status means; undefined while there is one to come. */
export function verdictOf({ status, reasonType }: State, until: Until): Verdict | undefined {
  if (status === undefined) return undefined
  if (isTimedOut({ status, reasonType })) return 'doubtful'
  if (BAD.includes(status)) return 'declined'
  if (until === undefined) return UNDER_WAY.includes(status) ? undefined : 'reached'
  if (until.includes(status)) return 'reached'
  return FINAL.includes(status) ? 'stays' : undefined
}

/** The end that the status of a refund's transaction means: SETTLED alone is that it was made. */
export function verdictOfRefund({ status, reasonType }: State, until: Until): Verdict | undefined {
  if (status === undefined) return undefined
  if (isTimedOut({ status, reasonType })) return 'doubtful'
  if (NOT_REFUNDED.includes(status)) return 'declined'
  if ((until ?? ['SETTLED']).includes(status)) return 'reached'
  return FINAL.includes(status) ? 'stays' : undefined
}

/** The processor never answered the service: it may have been done. */
const isTimedOut = ({ status, reasonType }: State): boolean =>
  status === 'FAILED' && reasonType === 'GATEWAY_TIMEOUT'

/** A mistyped status is refused; one that nobody here knows may be a newer one of the service. */
export async function readUntil({ input, warn, cleanWords }: Invocation): Promise<Until> {
  const text = textFlag(input, 'until')
  if (text === undefined) return undefined
  const statuses = inCanonicalCase(text, PAYMENT_STATUSES)
    .split(',')
    .map((word) => word.trim())
  for (const status of statuses) {
    if (PAYMENT_STATUSES.some((known) => known === status)) continue
    const meant = didYouMean(status, PAYMENT_STATUSES)
    if (status === '' || meant !== undefined)
      throw new UsageError(`--until takes statuses such as SETTLED, not "${formatField(status)}"`, {
        code: 'bad_value',
        hint: meant ?? PAYMENT_STATUSES.join(', '),
      })
    await warn(`Warning: --until ${cleanWords(status)} is no status that is known here; it is waited for.`)
  }
  return statuses
}
