import { parseDuration } from '../../text/duration.ts'
import { UsageError } from '../../errors.ts'
import { GROUPINGS } from '../../views/insights/insights.ts'
import type { InsightsQuery } from '../../views/insights/insights.ts'
import { CURRENCY_CODES } from '../../money/currencies.ts'
import { toFilterDate, toServiceDate } from '../domain/datetime.ts'
import type { ListPage } from '../domain/stored.ts'
import { lazySchema, z } from '../../api/schema.ts'
import { asGiven, readFields, textField, wholeNumber } from '../request/fields.ts'
import { invalid } from '../problem.ts'
import type { ControlInput } from './control.ts'

/** Reads the input of the controls that the dashboard reads. Each function throws a problem that names everything wrong. */

const insightsQuery = lazySchema(() =>
  z.strictObject({
    from: timeField('first'),
    to: timeField('last'),
    by: textField(groupingIn, `must be one of ${GROUPINGS.join(', ')}`),
    currency: textField(currencyIn, 'must be an ISO 4217 code such as EUR'),
  }),
)

/** `from` and `to` are a time, a day, or a span back from `now` such as `7d`. */
export function readInsightsQuery(query: ControlInput['query'], now: Date): InsightsQuery {
  const { by = 'status', currency, ...edges } = readFields(insightsQuery, query)
  const at = (edge: ((from: Date) => string) | undefined) =>
    edge === undefined ? undefined : new Date(`${edge(now).slice(0, 23)}Z`)
  const [from, to] = [at(edges.from), at(edges.to)]
  if (from !== undefined && to !== undefined && from > to)
    throw invalid([{ path: '$.from', description: 'must not be after to' }])
  return { by, from, to, currencyCode: currency }
}

const groupingIn = (given: string) => GROUPINGS.find((known) => known === given)
const currencyIn = (given: string) => CURRENCY_CODES.find((known) => known === given)

/** A time in the form of stored dates, once it is known when now is. */
export const timeField = (edge: 'first' | 'last') =>
  textField((given): ((now: Date) => string) | undefined => {
    if (/^(?:\d+[a-z]+)+$/.test(given)) {
      const backMs = durationIn(given)
      return backMs === undefined ? undefined : (now) => toServiceDate(new Date(now.getTime() - backMs))
    }
    const date = toFilterDate(given, edge)
    return date === undefined ? undefined : () => date
  }, 'must be a time such as 2026-01-31T09:30:00Z, a day, or a span back from now such as 7d')

function durationIn(given: string): number | undefined {
  try {
    return parseDuration(given, 'It')
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

const MAX_LIMIT = 200
const DEFAULT_LIMIT = 50
const MAX_OFFSET = 10_000_000

const page = lazySchema(() =>
  z.strictObject({
    offset: wholeNumber(0, MAX_OFFSET),
    limit: wholeNumber(1, MAX_LIMIT),
    search: textField(asGiven),
  }),
)

export function readPage(query: ControlInput['query']): ListPage {
  const { offset = 0, limit = DEFAULT_LIMIT, search = '' } = readFields(page, query)
  return { offset, limit, search: search.trim() }
}
