import { safeText } from '../../output/safe-text.ts'
import { WIDE_MS, WIDE_ROWS, isForEmail } from './search-payments.ts'
import type { Search } from './search-payments.ts'
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

export function reportSearch(
  query: Query,
  search: Search,
  { wide = false, timeZone }: { readonly wide?: boolean; readonly timeZone: string | undefined },
): SearchReport {
  const { rows, sent, ignored, reached } = search
  const how =
    sent.length === 0 ? 'by ID' : ignored.length > 0 || reached !== undefined ? 'here' : 'by the service'
  const what = describe(query)
  const back = formatMinute(search.back, timeZone)
  const since = back === undefined ? '' : `, back to ${back}`
  return {
    summary: `${rows.length === 0 ? 'Nothing' : rows.length} found ${how}${what === '' ? '' : ` (${safeText(what)})`}`,
    limits: [
      ...(ignored.length === 0
        ? []
        : [
            `The service ignored ${ignored.join(', ')}: ${pluralize(search.checked, 'payment was', 'payments were')} checked here${since}`,
          ]),
      ...readInFullLines(search),
      ...(wide && isForEmail(query) ? ["--wide doesn't look for an e-mail: rows of lists have none"] : []),
      ...(reached === undefined ? [] : [`Looked through ${REACHES[reached.end](reached.rows)}${since}`]),
    ],
  }
}

const REACHES = {
  all: (rows: number) => `all ${rows} payments`,
  rows: (rows: number) => `the newest ${rows} payments, the most that --wide reads (${WIDE_ROWS})`,
  time: (rows: number) => `the newest ${rows} payments in ${WIDE_MS / 1000} s`,
  limit: (rows: number) => `the newest ${rows} payments, until enough were found`,
} as const

const readInFullLines = ({ readInFull, unread }: Search): readonly string[] =>
  readInFull === 0
    ? []
    : [
        `${pluralize(readInFull, 'payment was', 'payments were')} read in full${unread === 0 ? '' : `; ${unread} more were not: narrow the search`}`,
      ]
