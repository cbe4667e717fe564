import { lazySchema, looseObject, optionalText } from '../../api/schema.ts'
import { parseDuration } from '../../duration.ts'
import type { ValidationProblem } from '../../errors.ts'
import { UsageError } from '../../errors.ts'
import { GROUPINGS } from '../../insights/insights.ts'
import type { Grouping, InsightsQuery } from '../../insights/insights.ts'
import { CURRENCY_CODES } from '../../money/currencies.ts'
import { toFilterDate } from '../domain/datetime.ts'
import type { ListPage } from '../domain/store/store.ts'
import { invalid } from '../problem.ts'
import { acceptQuery } from '../request/validation.ts'

/** Reads the input of the controls that the dashboard reads. Each function throws a problem that names everything wrong. */

const insightsQuery = lazySchema(() =>
  looseObject({
    from: optionalText(),
    to: optionalText(),
    by: optionalText(),
    currency: optionalText(),
  }),
)

/** `from` and `to` are a time, a day, or a span back from `now` such as `7d`. */
export function readInsightsQuery(given: unknown, now: Date): InsightsQuery {
  const { from, to, by = 'status', currency } = acceptQuery(insightsQuery, given)
  const problems: ValidationProblem[] = []
  const readTime = (name: 'from' | 'to', text: string | undefined) => {
    if (text === undefined) return undefined
    const time = toTime(text, now, name === 'from' ? 'first' : 'last')
    if (time === undefined)
      problems.push({
        path: `$.${name}`,
        description: 'must be a time such as 2026-01-31T09:30:00Z, a day, or a span back from now such as 7d',
      })
    return time
  }
  const [start, end] = [readTime('from', from), readTime('to', to)]
  if (start !== undefined && end !== undefined && start > end)
    problems.push({ path: '$.from', description: 'must not be after to' })
  if (!isGrouping(by)) problems.push({ path: '$.by', description: `must be one of ${GROUPINGS.join(', ')}` })
  if (currency !== undefined && !CURRENCY_CODES.includes(currency))
    problems.push({ path: '$.currency', description: 'must be an ISO 4217 code such as EUR' })
  if (problems.length > 0 || !isGrouping(by)) throw invalid(problems)
  return { by, from: start, to: end, currencyCode: currency }
}

const isGrouping = (by: string): by is Grouping => GROUPINGS.some((known) => known === by)

function toTime(text: string, now: Date, edge: 'first' | 'last'): Date | undefined {
  if (/^\d+(?:ms|s|m|h|d)/.test(text)) {
    try {
      return new Date(now.getTime() - parseDuration(text, 'It'))
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      return undefined
    }
  }
  const date = toFilterDate(text, edge)
  return date === undefined ? undefined : new Date(`${date.slice(0, 23)}Z`)
}

const MAX_LIMIT = 200
const DEFAULT_LIMIT = 50
const MAX_OFFSET = 10_000_000

const pageQuery = lazySchema(() =>
  looseObject({ offset: optionalText(), limit: optionalText(), search: optionalText() }),
)

export function readPage(given: unknown): ListPage {
  const { offset, limit, search = '' } = acceptQuery(pageQuery, given)
  const problems: ValidationProblem[] = []
  const readCount = (name: string, text: string | undefined, [least, most]: readonly [number, number]) => {
    const count = Number(text)
    if (text === undefined || (/^\d{1,9}$/.test(text) && count >= least && count <= most)) return count
    problems.push({ path: `$.${name}`, description: `must be a whole number from ${least} to ${most}` })
    return count
  }
  const page = {
    offset: offset === undefined ? 0 : readCount('offset', offset, [0, MAX_OFFSET]),
    limit: limit === undefined ? DEFAULT_LIMIT : readCount('limit', limit, [1, MAX_LIMIT]),
    search: search.trim(),
  }
  if (problems.length > 0) throw invalid(problems)
  return page
}
