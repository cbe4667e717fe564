import type { Invocation } from '../../cli/command/invocation.ts'
import { readWords } from '../../views/search/words.ts'
import { searchPayments } from '../find/search-payments.ts'
import { formatMinute } from '../../views/format-time.ts'
import { renderPaymentChoices } from '../../views/payment/choices.ts'
import { reportSearch } from '../find/search-report.ts'
import type { Asked, Listed } from './list-state.ts'

const MOST_ROWS = 50
/** What the choices leave for a prompt's mark. */
const MARK_WIDTH = 6

/**
 * The newest payments that fit the words.
 * @throws {UsageError} for words that no payment can fit, and for a card number: nothing is asked then
 */
export async function readPayments(
  invocation: Invocation,
  asked: Asked,
  signal: AbortSignal,
): Promise<Listed> {
  const { context } = invocation
  const { query, problem } = readWords(asked.text.split(/\s+/), {
    now: context.now(),
    timeZone: context.timeZone(),
  })
  if (problem !== undefined) throw problem
  const search = await searchPayments({
    read: invocation.call,
    query,
    limit: MOST_ROWS,
    wide: asked.isWide,
    signal,
    now: context.now,
  })
  const { summary, limits } = reportSearch(query, search, {
    wide: asked.isWide,
    timeZone: context.timeZone(),
  })
  const found = query.words.length === 0 ? `${search.rows.length} newest` : summary
  const payments = search.rows.map((row) => ({ ...row.summary, id: row.id }))
  return {
    asked,
    rows: payments.map(({ id }) => ({ id, paymentId: id })),
    render: (columns) => {
      const options = { width: columns + MARK_WIDTH, timeZone: context.timeZone() }
      const { heading, choices } = renderPaymentChoices(payments, options)
      return { heading, lines: choices.map(({ text }) => text) }
    },
    status: [...limits, `${found} · ${readAt(invocation)}`],
  }
}

/** `read 12:04`. */
export const readAt = ({ context: { now, timeZone } }: Invocation): string =>
  `read ${formatMinute(now().toISOString(), timeZone())?.slice(-5) ?? ''}`
