import { safeText } from '../../output/safe-text.ts'
import type { Reached, Search } from './search-payments.ts'
import { needsTransactions } from '../../views/search/query.ts'
import type { Query } from '../../views/search/query.ts'
import { describe } from '../../views/search/words.ts'
import { formatMinute } from '../../views/format-time.ts'
import { pluralize } from '../../text/words.ts'

export interface SearchReport {
  /** `2 found by the service (last four 4242, from today)`. */
  readonly summary: string
  /** What the search could not tell, and how far it got. */
  readonly limits: readonly string[]
}

/** Reports what was found, how, and how much was searched for it. */
export function reportSearch(
  query: Query,
  search: Search,
  { timeZone }: { readonly timeZone: string | undefined },
): SearchReport {
  const { rows, sent, ignored, checked, reached, near } = search
  const isById = sent.length === 0 && reached === undefined
  const how = isById ? 'by ID' : ignored.length > 0 || reached !== undefined ? 'here' : 'by the service'
  const what = describe(query)
  const about = what === '' ? '' : ` (${safeText(what)})`
  const back = formatMinute(search.back, timeZone)
  const since = back === undefined ? '' : `, back to ${back}`
  const searched = [
    ...(near === undefined
      ? []
      : [safeText(`No payment of ${near.typed}; similar: ${near.emails.join(', ')}`)]),
    ...(reached === undefined ? [] : [`Searched ${describeReached(reached, ignored)}${since}`]),
    ...readInFullLines(query, search),
  ]
  return {
    summary:
      rows.length > 0
        ? `${rows.length} found ${how}${about}`
        : reached === undefined
          ? `Nothing found by the service${about}, which listed ${pluralize(checked, 'payment', 'payments')}`
          : `Nothing found${about}`,
    limits: [
      ...(ignored.length === 0
        ? []
        : [
            `The service ignored ${ignored.join(', ')}: ${pluralize(checked, 'payment was', 'payments were')} checked here${since}`,
          ]),
      ...searched,
    ],
  }
}

/** `the newest 1000 payments that the service lists by status`. */
function describeReached({ rows, by, end }: Reached, ignored: readonly string[]): string {
  const filters = by.filter((name) => !ignored.includes(name))
  const which = filters.length === 0 ? '' : ` that the service lists by ${filters.join(', ')}`
  const payments = pluralize(rows, 'payment', 'payments')
  return `${end === 'all' ? 'all' : 'the newest'} ${payments}${which}${ENDS[end]}`
}

const ENDS = {
  all: '',
  rows: '',
  time: ', until the time was up',
  refused: ', until the service had too many requests (429)',
  limit: ', until enough were found',
} as const

function readInFullLines({ words }: Query, { readInFull, unread }: Search): readonly string[] {
  if (readInFull + unread === 0) return []
  const what = words.some(({ meanings }) => meanings.some(needsTransactions))
    ? 'e-mails, names and refunds'
    : 'e-mails and names'
  if (readInFull === 0)
    return [`${pluralize(unread, 'payment was', 'payments were')} not read in full, for ${what}`]
  const rest = unread === 0 ? '' : `; ${unread} more were not`
  return [`${pluralize(readInFull, 'payment was', 'payments were')} read in full, for ${what}${rest}`]
}
