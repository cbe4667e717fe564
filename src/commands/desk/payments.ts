import type { Invocation } from '../../cli/command/invocation.ts'
import { describe, readWords } from '../../search/words.ts'
import { searchPayments } from '../../search/search-payments.ts'
import type { Search } from '../../search/search-payments.ts'
import { groupThousands, joinParts } from '../../views/format-fields.ts'
import { formatMinute } from '../../views/format-time.ts'
import { renderPaymentChoices } from '../../views/payment/choices.ts'
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
  const payments = search.rows.map(({ id, summary }) => ({ ...summary, id }))
  return {
    asked,
    rows: payments.map(({ id }) => ({ id, paymentId: id })),
    render: (columns) => {
      const options = { width: columns + MARK_WIDTH, timeZone: context.timeZone() }
      const { heading, choices } = renderPaymentChoices(payments, options)
      return { heading, lines: choices.map(({ text }) => text) }
    },
    status: describeSearch(search, describe(query), readAt(invocation)),
  }
}

/** What was found, and how: the last line says when. */
export function describeSearch(search: Search, words: string, when: string): readonly string[] {
  const { rows, sent, ignored, checked, readInFull, unread, reached, back, more } = search
  const filters = [...new Set(sent.flatMap((query) => Object.keys(query)))]
  const count = groupThousands(rows.length)
  // Without a list, its ID has led to the payment.
  const isByService = ignored.length === 0 && (sent.length === 0 || filters.length > 0)
  const found =
    words === ''
      ? `${count} newest`
      : rows.length === 0
        ? `Nothing found for ${words}. Filters tried: ${filters.join(', ') || 'none'}`
        : `${count}${more ? ' or more' : ''} ${isByService ? 'by the service' : 'found here'} (${words})`
  return [
    ...(ignored.length === 0
      ? []
      : [
          `The service ignores ${ignored.join(', ')}: ${groupThousands(checked)} rows were checked here. ^O looks further.`,
        ]),
    ...(readInFull === 0
      ? []
      : [
          `Rows have no e-mail: ${readInFull} payments were read in full${unread === 0 ? '' : `, ${unread} were not`}.`,
        ]),
    ...(reached === undefined
      ? []
      : [
          `Looked at the ${groupThousands(reached.rows)} newest${back === undefined ? '' : `, back to ${formatMinute(back, 'UTC') ?? ''}`}${REACHED[reached.end]}.`,
        ]),
    joinParts([found, when], ' · '),
  ]
}

const REACHED = {
  all: ': all there are',
  rows: ': no further than 1,000',
  time: ': no longer than 10 s',
  limit: '',
} as const

/** `read 12:04`. */
export const readAt = ({ context: { now, timeZone } }: Invocation): string =>
  `read ${formatMinute(now().toISOString(), timeZone())?.slice(-5) ?? ''}`
