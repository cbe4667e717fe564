import { PAYMENT_STATUSES } from '../../api/sets.ts'
import { CURRENCY_CODES, exponentOf } from '../../money/currencies.ts'
import type {
  RecordFilter,
  RecordPlace,
  RecordSearch,
  RecordSource,
  RecordWindow,
} from '../domain/records.ts'
import { lazySchema, z } from '../../api/schema.ts'
import { MAX_VALUES, readFields, refuseTooMany, textField, wholeNumber } from '../request/fields.ts'
import type { ControlInput } from './control.ts'
import { timeField } from './view-inputs.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 500
const MAX_SEARCH_LENGTH = 200
const SOURCES = ['payments', 'external'] as const

const recordQuery = lazySchema(() =>
  z.strictObject({
    search: textField(searchIn, `must have at most ${MAX_SEARCH_LENGTH} characters`),
    source: textField(sourceIn, oneOf(SOURCES)),
    status: textField(listOf(PAYMENT_STATUSES), oneOf(PAYMENT_STATUSES)),
    authorized: textField((given) => given === 'yes' || undefined, 'must be yes'),
    currency: textField(listOf(CURRENCY_CODES), 'must be an ISO 4217 code such as EUR'),
    method: textField(listOf()),
    processor: textField(listOf()),
    country: textField(listOf()),
    reason: textField(listOf()),
    customer: textField(oneOrNone),
    order: textField(oneOrNone),
    from: timeField('first'),
    to: timeField('last'),
    offset: wholeNumber(0, Number.MAX_SAFE_INTEGER),
    limit: wholeNumber(0, MAX_LIMIT),
    start: textField(readStart, 'is not a start from this list'),
  }),
)

/**
 * The query of `GET /sandbox/records`. Lists are separated by commas.
 * @throws {Problem} with every problem in the query
 */
export function readRecordQuery(
  query: ControlInput['query'],
  now: Date,
): { readonly filter: RecordFilter; readonly window: RecordWindow } {
  const given = readFields(
    recordQuery,
    Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '')),
  )
  const filter: RecordFilter = {
    search: given.search ?? undefined,
    source: given.source ?? undefined,
    status: given.status,
    wasAuthorized: given.authorized,
    currencyCode: given.currency,
    methodType: given.method,
    processor: given.processor,
    countryCode: given.country,
    reason: given.reason,
    customerId: given.customer,
    orderId: given.order,
    fromDate: given.from?.(now),
    toDate: given.to?.(now),
  }
  const { offset = 0, limit = DEFAULT_LIMIT, start } = given
  return { filter, window: { offset, limit, start } }
}

const oneOf = (values: readonly string[]) => `must be one of ${values.join(', ')}`

/** Also matches records without a value. */
const NONE = 'none'

const listOf =
  (allowed?: readonly string[]) =>
  (given: string): readonly (string | null)[] | undefined => {
    const values = refuseTooMany(given.split(UNESCAPED_COMMA, MAX_VALUES + 1)).map((value) =>
      value.replaceAll(ESCAPED, '$1'),
    )
    if (allowed !== undefined && !values.every((value) => value === NONE || allowed.includes(value)))
      return undefined
    return values.includes(NONE) ? [...values, null] : values
  }

const oneOrNone = (given: string): readonly (string | null)[] => (given === NONE ? [given, null] : [given])

/** A value can contain a comma or a backslash: each is written with a backslash before it. */
const UNESCAPED_COMMA = /,(?<=(?:^|[^\\])(?:\\\\)*,)/
const ESCAPED = /\\([\\,])/g

/** Blanks alone search for nothing. */
function searchIn(given: string): RecordSearch | null | undefined {
  if (given.length > MAX_SEARCH_LENGTH) return undefined
  const words = given.trim()
  return words === '' ? null : { text: words, amounts: amountsIn(words) }
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
function sourceIn(given: string): RecordSource | null | undefined {
  const sources = new Set(given.split(',').map((name) => SOURCES.find((source) => source === name)))
  if (sources.has(undefined)) return undefined
  return sources.size === 1 ? [...sources][0] : null
}

/** `2026-01-31T09:30:00.000000 7` */
export const writeStart = ({ time, seq }: RecordPlace): string => `${time} ${seq}`

function readStart(given: string): RecordPlace | undefined {
  const [, time, seq] = /^([\dT:.-]{26}) (\d{1,15})$/.exec(given) ?? []
  return time === undefined ? undefined : { time, seq: Number(seq) }
}
