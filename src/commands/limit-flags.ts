import type { FlagSpec } from '../cli/command/flags.ts'
import type { CommandInput } from '../cli/command/input.ts'
import { listFlag, textFlag } from '../cli/command/input.ts'
import { parseCount } from '../cli/parse/count.ts'
import type { LimitsInTime } from '../client/ledger/port.ts'
import { UsageError } from '../errors.ts'
import { parseAmount } from '../money/parse.ts'
import { parseDuration } from '../text/duration.ts'

/** The limits over time of a profile, or of a team's account. */
export const LIMIT_FLAGS = {
  'max-total': {
    kind: 'texts',
    value: 'AMOUNT/SPAN',
    help: 'Maximum sum of refunds in a span of time, such as "2000 EUR/24h"; repeatable, once per currency; none lifts it',
  },
  'max-count': {
    kind: 'text',
    value: 'N/SPAN',
    help: 'Maximum number of writes that move money in a span of time, such as 50/1h; none lifts it',
  },
} as const satisfies Record<string, FlagSpec>

export const LIFTED = 'none'

/** What the flags say of each limit: its value, `lifted`, or undefined where it isn't given. */
export interface LimitChange {
  readonly maxTotal?: LimitsInTime['maxTotal'] | typeof LIFTED
  readonly maxCount?: LimitsInTime['maxCount'] | typeof LIFTED
}

export function readLimitFlags(input: CommandInput): LimitChange {
  const totals = listFlag(input, 'max-total')
  const count = textFlag(input, 'max-count')
  if (totals.length > 1 && totals.includes(LIFTED))
    throw new UsageError('Use --max-total none alone', { code: 'given_twice' })
  return {
    ...(totals.length === 0 ? {} : { maxTotal: totals[0] === LIFTED ? LIFTED : readTotals(totals) }),
    ...(count === undefined ? {} : { maxCount: count === LIFTED ? LIFTED : readCount(count) }),
  }
}

function readTotals(texts: readonly string[]): NonNullable<LimitsInTime['maxTotal']> {
  const totals: Record<string, { readonly amount: number; readonly spanMs: number }> = {}
  for (const text of texts) {
    const [amount, spanMs] = splitSpan(text, '--max-total', '2000 EUR/24h')
    const { amountMinor, currencyCode } = parseAmount(amount, { what: '--max-total', allowZero: true })
    if (currencyCode === undefined)
      throw new UsageError(`--max-total "${text}" needs a currency`, {
        code: 'amount_needs_currency',
        hint: 'Write it like "2000 EUR/24h".',
      })
    if (Object.hasOwn(totals, currencyCode))
      throw new UsageError(`--max-total names ${currencyCode} twice`, { code: 'given_twice' })
    totals[currencyCode] = { amount: amountMinor, spanMs }
  }
  return totals
}

function readCount(text: string): NonNullable<LimitsInTime['maxCount']> {
  const [count, spanMs] = splitSpan(text, '--max-count', '50/1h')
  return { count: parseCount(count, '--max-count'), spanMs }
}

function splitSpan(text: string, flag: string, example: string): readonly [string, number] {
  const at = text.lastIndexOf('/')
  if (at < 0)
    throw new UsageError(`${flag} "${text}" needs a span of time`, {
      code: 'bad_value',
      hint: `Write it like "${example}".`,
    })
  return [text.slice(0, at).trim(), parseDuration(text.slice(at + 1).trim(), `The span of ${flag}`)]
}
