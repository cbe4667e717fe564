import { parseDuration } from '../../text/duration.ts'
import { UsageError } from '../../errors.ts'
import { GROUPINGS } from '../../views/insights/insights.ts'
import type { InsightsQuery } from '../../views/insights/insights.ts'
import { CURRENCY_CODES } from '../../money/currencies.ts'
import { toFilterDate, toServiceDate } from '../domain/datetime.ts'
import type { ListPage } from '../domain/stored.ts'
import { asGiven, fieldReader, wholeNumber } from '../request/field-reader.ts'
import type { ControlInput } from './control.ts'

/** Reads the input of the controls that the dashboard reads. Each function throws a problem that names everything wrong. */

/** `from` and `to` are a time, a day, or a span back from `now` such as `7d`. */
export function readInsightsQuery(query: ControlInput['query'], now: Date): InsightsQuery {
  const { read, refuse, finish } = fieldReader(query)
  const toTime = (edge: 'first' | 'last') => (text: string) => {
    const date = timeIn(text, edge, now)
    return date === undefined ? undefined : new Date(`${date.slice(0, 23)}Z`)
  }
  const [from, to] = [read('from', toTime('first'), A_TIME), read('to', toTime('last'), A_TIME)]
  if (from !== undefined && to !== undefined && from > to) refuse('from', 'must not be after to')
  const by = read('by', groupingIn, `must be one of ${GROUPINGS.join(', ')}`)
  const currencyCode = read('currency', currencyIn, 'must be an ISO 4217 code such as EUR')
  finish()
  return { by: by ?? 'status', from, to, currencyCode }
}

const groupingIn = (text: string) => GROUPINGS.find((known) => known === text)
const currencyIn = (text: string) => CURRENCY_CODES.find((known) => known === text)

export const A_TIME = 'must be a time such as 2026-01-31T09:30:00Z, a day, or a span back from now such as 7d'

/** In the form of stored dates. */
export function timeIn(text: string, edge: 'first' | 'last', now: Date): string | undefined {
  if (!/^(?:\d+[a-z]+)+$/.test(text)) return toFilterDate(text, edge)
  try {
    return toServiceDate(new Date(now.getTime() - parseDuration(text, 'It')))
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

const MAX_LIMIT = 200
const DEFAULT_LIMIT = 50
const MAX_OFFSET = 10_000_000

export function readPage(query: ControlInput['query']): ListPage {
  const { read, finish } = fieldReader(query)
  const offset = read('offset', ...wholeNumber(0, MAX_OFFSET)) ?? 0
  const limit = read('limit', ...wholeNumber(1, MAX_LIMIT)) ?? DEFAULT_LIMIT
  const search = read('search', asGiven)?.trim() ?? ''
  finish()
  return { offset, limit, search }
}
