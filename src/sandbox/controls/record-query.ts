import { lazySchema, looseObject, optionalText, z } from '../../api/schema.ts'
import type { Shape } from '../../api/schema.ts'
import { PAYMENT_STATUSES } from '../../api/sets.ts'
import { parseDuration } from '../../duration.ts'
import { UsageError } from '../../errors.ts'
import { CURRENCY_CODES } from '../../money/currencies.ts'
import { scenariosShownAs } from '../answers/method-view.ts'
import { toFilterDate, toServiceDate } from '../domain/datetime.ts'
import { NO_VALUE } from '../domain/store/record-store.ts'
import type { RecordPlace, RecordSearch, RecordSource, RecordWindow } from '../domain/store/record-store.ts'
import { invalid } from '../problem.ts'
import { acceptQuery } from '../request/validation.ts'

/** The query of `GET /sandbox/records`. Lists are separated by commas. */
const recordQuery = lazySchema(() =>
  looseObject({
    offset: optionalText(),
    limit: optionalText(),
    start: optionalText(),
    search: optionalText(),
    source: optionalText(),
    status: optionalText(),
    currency: optionalText(),
    method: optionalText(),
    processor: optionalText(),
    country: optionalText(),
    reason: optionalText(),
    customer: optionalText(),
    order: optionalText(),
    from: optionalText(),
    to: optionalText(),
  }),
)

const oneRecord = lazySchema(() => looseObject({ id: z.string() }))

export const readRecordId = (given: unknown): string => acceptQuery(oneRecord, given).id

type RecordQuery = Shape<typeof recordQuery>

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 500
const MAX_SEARCH_LENGTH = 200
const SOURCES = ['payments', 'external'] as const

/** @throws {Problem} with every problem in the query */
export function readRecordQuery(
  given: unknown,
  now: Date,
): { readonly search: RecordSearch; readonly window: RecordWindow } {
  const query = acceptQuery(recordQuery, given)
  const problems: { path: string; description: string }[] = []
  const read = <T>(name: keyof RecordQuery, parse: (text: string) => T | undefined, expected: string) => {
    const text = query[name]
    if (typeof text !== 'string' || text === '') return undefined
    const value = parse(text)
    if (value === undefined) problems.push({ path: `$.${name}`, description: expected })
    return value
  }
  const methodType = read('method', listOf(), MANY)
  const search: RecordSearch = {
    text: read('search', searchText, `must have at most ${MAX_SEARCH_LENGTH} characters`) || undefined,
    source: read('source', sourcesIn, `must be one of ${SOURCES.join(', ')}`),
    status: read('status', listOf([...PAYMENT_STATUSES, NO_VALUE]), oneOf(PAYMENT_STATUSES)),
    currencyCode: read(
      'currency',
      listOf([...CURRENCY_CODES, NO_VALUE]),
      'must be an ISO 4217 code such as EUR',
    ),
    methodType,
    scenario: scenariosShownAs(methodType, undefined),
    processor: read('processor', listOf(), MANY),
    countryCode: read('country', listOf(), MANY),
    reason: read('reason', listOf(), MANY),
    customerId: read('customer', (text) => [text], ''),
    orderId: read('order', (text) => [text], ''),
    fromDate: read('from', (text) => readTime(text, 'first', now), A_TIME),
    toDate: read('to', (text) => readTime(text, 'last', now), A_TIME),
  }
  const window: RecordWindow = {
    offset: read('offset', integerUpTo(Number.MAX_SAFE_INTEGER), 'must be a whole number') ?? 0,
    limit:
      read('limit', integerUpTo(MAX_LIMIT), `must be a whole number from 0 to ${MAX_LIMIT}`) ?? DEFAULT_LIMIT,
    start: read('start', readStart, 'is not a start from this list'),
  }
  if (problems.length > 0) throw invalid(problems)
  return { search, window }
}

const MAX_VALUES = 100
const MANY = `must have at most ${MAX_VALUES} values`
const A_TIME = 'must be a time in ISO 8601, a day, or a span back from now such as 7d'
const oneOf = (values: readonly string[]) => `must be one of ${values.join(', ')}`

const listOf = (allowed?: readonly string[]) => (text: string) => {
  const values = text.split(UNESCAPED_COMMA, MAX_VALUES + 1).map((value) => value.replaceAll(ESCAPED, '$1'))
  if (values.length > MAX_VALUES) return undefined
  return allowed === undefined || values.every((value) => allowed.includes(value)) ? values : undefined
}

/** A value can contain a comma or a backslash: each is written with a backslash before it. */
const UNESCAPED_COMMA = /,(?<=(?:^|[^\\])(?:\\\\)*,)/
const ESCAPED = /\\([\\,])/g

const searchText = (text: string) => (text.length > MAX_SEARCH_LENGTH ? undefined : text.trim())

function sourcesIn(text: string): readonly RecordSource[] | undefined {
  const sources = text.split(',').map((name) => SOURCES.find((source) => source === name))
  return sources.every((source) => source !== undefined) ? sources : undefined
}

const integerUpTo = (most: number) => (text: string) => {
  const value = Number(text)
  return /^\d{1,16}$/.test(text) && value <= most ? value : undefined
}

function readTime(text: string, edge: 'first' | 'last', now: Date): string | undefined {
  if (!/^(?:\d+[a-z]+)+$/.test(text)) return toFilterDate(text, edge)
  try {
    return toServiceDate(new Date(now.getTime() - parseDuration(text, 'It')))
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

/** `2026-01-31T09:30:00.000000 payments 7` */
export const writeStart = ({ time, source, seq }: RecordPlace): string => `${time} ${source} ${seq}`

function readStart(text: string): RecordPlace | undefined {
  const [, time, source, seq] = /^([\dT:.-]{26}) (payments|external) (\d{1,15})$/.exec(text) ?? []
  if (time === undefined || (source !== 'payments' && source !== 'external')) return undefined
  return { time, source, seq: Number(seq) }
}
