import { PAYMENT_STATUSES } from '../../api/sets.ts'
import { CURRENCY_CODES, exponentOf } from '../../money/currencies.ts'
import type {
  RecordFilter,
  RecordPlace,
  RecordSearch,
  RecordSource,
  RecordWindow,
} from '../domain/records.ts'
import { fieldReader, MAX_VALUES, refuseTooMany, wholeNumber } from '../request/field-reader.ts'
import type { ControlInput } from './control.ts'
import { A_TIME, timeIn } from './view-inputs.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 500
const MAX_SEARCH_LENGTH = 200
const SOURCES = ['payments', 'external'] as const

/**
 * The query of `GET /sandbox/records`. Lists are separated by commas.
 * @throws {Problem} with every problem in the query
 */
export function readRecordQuery(
  given: ControlInput['query'],
  now: Date,
): { readonly filter: RecordFilter; readonly window: RecordWindow } {
  const query = Object.entries(given).filter(([, text]) => text !== '')
  const { read, finish } = fieldReader(Object.fromEntries(query))
  const filter: RecordFilter = {
    search: read('search', searchIn, `must have at most ${MAX_SEARCH_LENGTH} characters`)?.one,
    source: read('source', sourceIn, oneOf(SOURCES))?.one,
    status: read('status', listOf(PAYMENT_STATUSES), oneOf(PAYMENT_STATUSES)),
    wasAuthorized: read('authorized', (text) => (text === 'yes' ? true : undefined), 'must be yes'),
    currencyCode: read('currency', listOf(CURRENCY_CODES), 'must be an ISO 4217 code such as EUR'),
    methodType: read('method', listOf()),
    processor: read('processor', listOf()),
    countryCode: read('country', listOf()),
    reason: read('reason', listOf()),
    customerId: read('customer', oneOrNone),
    orderId: read('order', oneOrNone),
    fromDate: read('from', (text) => timeIn(text, 'first', now), A_TIME),
    toDate: read('to', (text) => timeIn(text, 'last', now), A_TIME),
  }
  const window: RecordWindow = {
    offset: read('offset', ...wholeNumber(0, Number.MAX_SAFE_INTEGER)) ?? 0,
    limit: read('limit', ...wholeNumber(0, MAX_LIMIT)) ?? DEFAULT_LIMIT,
    start: read('start', readStart, 'is not a start from this list'),
  }
  finish()
  return { filter, window }
}

const oneOf = (values: readonly string[]) => `must be one of ${values.join(', ')}`

/** Also matches records without a value. */
const NONE = 'none'

const listOf = (allowed?: readonly string[]) => (text: string) => {
  const values = refuseTooMany(text.split(UNESCAPED_COMMA, MAX_VALUES + 1)).map((value) =>
    value.replaceAll(ESCAPED, '$1'),
  )
  if (allowed !== undefined && !values.every((value) => value === NONE || allowed.includes(value)))
    return undefined
  return values.includes(NONE) ? [...values, null] : values
}

const oneOrNone = (text: string) => (text === NONE ? [text, null] : [text])

/** A value can contain a comma or a backslash: each is written with a backslash before it. */
const UNESCAPED_COMMA = /,(?<=(?:^|[^\\])(?:\\\\)*,)/
const ESCAPED = /\\([\\,])/g

function searchIn(given: string): { readonly one: RecordSearch | undefined } | undefined {
  if (given.length > MAX_SEARCH_LENGTH) return undefined
  const text = given.trim()
  return { one: text === '' ? undefined : { text, amounts: amountsIn(text) } }
}

/** `49.90`, `49,90`, `€12,360.27` or `500 JPY`: the amount in each currency that has as many decimals. */
const AMOUNT =
  /^(?:(?<before>[a-z]{3}) ?|[€$£¥] ?)?(?<whole>\d{1,3}(?:,\d{3}){1,4}|\d{1,13})(?:[.,](?<decimals>\d{1,4}))?(?: ?(?<after>[a-z]{3}))?$/i

function amountsIn(text: string): RecordSearch['amounts'] {
  const { whole, decimals = '', before, after } = AMOUNT.exec(text)?.groups ?? {}
  if (whole === undefined) return []
  const named = (before ?? after)?.toUpperCase()
  return (named === undefined ? CURRENCY_CODES : [named]).flatMap((currencyCode) => {
    const exponent = exponentOf(currencyCode)
    if (exponent === undefined || decimals.length > exponent) return []
    const digits = whole.replaceAll(',', '') + decimals.padEnd(exponent, '0')
    return [{ amountMinor: Number(digits), currencyCode }]
  })
}

/** Both sources are all records. */
function sourceIn(text: string): { readonly one: RecordSource | undefined } | undefined {
  const sources = new Set(text.split(',').map((name) => SOURCES.find((source) => source === name)))
  if (sources.has(undefined)) return undefined
  return { one: sources.size === 1 ? [...sources][0] : undefined }
}

/** `2026-01-31T09:30:00.000000 7` */
export const writeStart = ({ time, seq }: RecordPlace): string => `${time} ${seq}`

function readStart(text: string): RecordPlace | undefined {
  const [, time, seq] = /^([\dT:.-]{26}) (\d{1,15})$/.exec(text) ?? []
  return time === undefined ? undefined : { time, seq: Number(seq) }
}
