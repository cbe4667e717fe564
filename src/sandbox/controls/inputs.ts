import { REFUND_FILTERS } from '../../api/payment-states.ts'
import { lazySchema, looseObject, optionalText, z, oneOf } from '../../api/schema.ts'
import { parseDuration } from '../../text/duration.ts'
import { UsageError } from '../../errors.ts'
import { notOfSession, refuseFurtherFields } from '../domain/checkout/checkout-access.ts'
import type { NewFault } from '../faults/fault.ts'
import { readFault } from '../faults/read-fault.ts'
import { readLogView } from '../log/log-view.ts'
import type { LogView } from '../log/log-view.ts'
import { invalid } from '../problem.ts'
import {
  asGiven,
  readFields,
  required,
  textField,
  wholeNumber,
  MAX_VALUES,
  refuseTooMany,
} from '../request/fields.ts'
import { acceptBody } from '../request/validation.ts'
import { isRecord } from '../../json/is-record.ts'
import type { ControlInput } from './control.ts'
import type { ChallengeAnswer, MethodToTokenize } from './customer.ts'
import type { Shape } from '../../api/schema.ts'
import type { CheckoutSettings } from '../../api/checkout-settings.ts'
import { CHECKOUT_METHODS, checkoutMethod } from '../domain/scenarios/checkout-methods.ts'
import { GROUPINGS } from '../../views/insights/insights.ts'
import type { InsightsQuery } from '../../views/insights/insights.ts'
import type { Query } from '../../views/search/query.ts'
import { readWords } from '../../views/search/words.ts'
import { CURRENCY_CODES } from '../../money/currencies.ts'
import { toFilterDate, toServiceDate } from '../domain/datetime.ts'
import type { ListPage } from '../domain/stored.ts'
import { PAYMENT_STATUSES } from '../../api/sets.ts'
import type { RecordFilter, RecordPlace, RecordSource, RecordWindow } from '../domain/records.ts'

/** Reads the input of the controls over HTTP. Each function throws a problem that names everything wrong. */

const methodToTokenize = lazySchema(() =>
  looseObject({
    card: optionalText(),
    savedMethod: optionalText(),
    method: optionalText(),
    clientToken: optionalText(),
  }),
)

/** Reads a method. `sessionToken` authenticated the request; undefined for API keys. */
export function readMethodToTokenize(given: unknown, sessionToken: string | undefined): MethodToTokenize {
  if (sessionToken !== undefined) refuseOtherSession(given, sessionToken)
  const { card, savedMethod, method, clientToken } = acceptBody({ request: methodToTokenize }, given).body
  const ways = Object.entries({ card, savedMethod, method }).filter(([, value]) => value !== undefined)
  if (ways.length === 0) throw invalid([{ path: '$.card', description: 'is required' }])
  if (ways.length > 1)
    throw invalid(
      ways.map(([name]) => ({ path: `$.${name}`, description: 'cannot be given with another method' })),
    )
  const isCheckout = sessionToken !== undefined
  return { card, savedMethod, method, clientToken: sessionToken ?? clientToken, isCheckout }
}

function refuseOtherSession(given: unknown, sessionToken: string): void {
  if (!isRecord(given)) return
  refuseFurtherFields(given, ['card', 'savedMethod', 'method', 'clientToken'])
  const { clientToken } = given
  if (clientToken !== undefined && clientToken !== sessionToken) throw notOfSession('client session')
}

const outcome = () => z.enum(['pass', 'fail'], 'must be pass or fail')
const answerByToken = lazySchema(() => looseObject({ clientToken: z.string(), outcome: outcome() }))
const answerByPayment = lazySchema(() => looseObject({ paymentId: z.string(), outcome: outcome() }))

/** Reads an answer to a challenge. The client token of a session answers by payment ID only. */
export function readChallenge(given: unknown, sessionToken: string | undefined): ChallengeAnswer {
  if (sessionToken !== undefined && isRecord(given)) refuseFurtherFields(given, ['paymentId', 'outcome'])
  if (sessionToken !== undefined || (isRecord(given) && given['paymentId'] !== undefined)) {
    return { ...acceptBody({ request: answerByPayment }, given).body, sessionToken }
  }
  return acceptBody({ request: answerByToken }, given).body
}

const clockAdvance = lazySchema(() =>
  looseObject({ duration: optionalText(), ms: z.optional(z.int().check(z.minimum(0))) }).check(
    z.refine(
      ({ duration, ms }) => (duration === undefined) !== (ms === undefined),
      'needs either a duration such as "2h" or ms, not both',
    ),
  ),
)

/** Reads how far to move the clock, in milliseconds. */
export function readAdvance(given: unknown): number {
  const { duration, ms = 0 } = acceptBody({ request: clockAdvance }, given).body
  if (duration === undefined) return ms
  try {
    return parseDuration(duration, 'It')
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw invalid([{ path: '$.duration', description: 'must be a duration such as 90m, 2h or 1h30m' }])
  }
}

export function readNewFault(given: unknown, random: () => number): NewFault {
  if (given !== undefined && !isRecord(given))
    throw invalid([{ path: '$', description: 'must be an object' }])
  return readFault(given ?? {}, random)
}

const LOG_LIMIT = 100

export const readLogQuery = (query: ControlInput['query']): LogView => readLogView(query, LOG_LIMIT)

const changesQuery = lazySchema(() => z.strictObject({ after: textField(asGiven) }))
export const readChangesQuery = (query: ControlInput['query']) => readFields(changesQuery, query)

const recordId = lazySchema(() => z.strictObject({ id: required(String) }))
export const readRecordId = (query: ControlInput['query']): string => readFields(recordId, query).id

const choice = <const Values extends readonly string[]>(values: Values) =>
  z.optional(z.enum(values, `must be one of ${values.join(', ')}`))

const offeredMethod = () =>
  looseObject({
    type: z
      .string()
      .check(
        z.refine(
          (type) => checkoutMethod(type) !== undefined,
          `must be one of ${CHECKOUT_METHODS.map(({ type }) => type).join(', ')}`,
        ),
      ),
    currencies: z.optional(z.array(oneOf('currencyCode'))),
    countries: z.optional(z.array(oneOf('countryCode'))),
  })

const settingsChanges = lazySchema(() =>
  looseObject({
    methods: z.optional(z.array(offeredMethod())),
    threeDSecure: choice(['auto', 'always', 'never']),
    authorizationType: choice(['FINAL', 'ESTIMATED']),
    showSurcharges: z.optional(z.boolean()),
  }),
)

/** @throws {Problem} that names everything wrong */
export function readSettings(given: unknown): Partial<CheckoutSettings> {
  const { methods, threeDSecure, authorizationType, showSurcharges } = acceptBody(
    { request: settingsChanges },
    given,
  ).body
  if (methods !== undefined) refuseTwice(methods)
  return withoutAbsent({
    methods: methods?.map(({ type, currencies = [], countries = [] }) => ({
      type,
      currencies: [...new Set(currencies)],
      countries: [...new Set(countries)],
    })),
    threeDSecure,
    authorizationType,
    showSurcharges,
  })
}

function refuseTwice(methods: NonNullable<Shape<typeof settingsChanges>['methods']>): void {
  const repeated = methods.flatMap(({ type }, index) =>
    methods.findIndex((other) => other.type === type) < index
      ? [{ path: `$.methods[${index}].type`, description: `repeats ${type}` }]
      : [],
  )
  if (repeated.length > 0) throw invalid(repeated)
}

/** Leaves out fields that are absent, which keep their values. */
const withoutAbsent = (changes: {
  readonly [Name in keyof CheckoutSettings]: CheckoutSettings[Name] | undefined
}): Partial<CheckoutSettings> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))

const insightsQuery = lazySchema(() =>
  z.strictObject({
    from: timeField('first'),
    to: timeField('last'),
    by: textField(groupingIn, `must be one of ${GROUPINGS.join(', ')}`),
    currency: textField(currencyIn, 'must be an ISO 4217 code such as EUR'),
  }),
)

/** Reads a query of figures. `from` and `to` are a time, a day, or a span back from `now` such as `7d`. */
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

const MAX_PAGE = 200
const DEFAULT_PAGE = 50
const MAX_OFFSET = 10_000_000

const page = lazySchema(() =>
  z.strictObject({
    offset: wholeNumber(0, MAX_OFFSET),
    limit: wholeNumber(1, MAX_PAGE),
    search: textField(asGiven),
  }),
)

export function readPage(query: ControlInput['query']): ListPage {
  const { offset = 0, limit = DEFAULT_PAGE, search = '' } = readFields(page, query)
  return { offset, limit, search: search.trim() }
}

const DEFAULT_WINDOW = 100
const MAX_WINDOW = 500
const MAX_SEARCH_LENGTH = 200
const SOURCES = ['payments', 'external'] as const

const recordQuery = lazySchema(() =>
  z.strictObject({
    search: textField(wordsIn, `must have at most ${MAX_SEARCH_LENGTH} characters`),
    source: textField(sourceIn, mustBeOneOf(SOURCES)),
    status: textField(listOf(PAYMENT_STATUSES), mustBeOneOf(PAYMENT_STATUSES)),
    refunds: textField(refundsIn, mustBeOneOf(REFUND_FILTERS)),
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
    limit: wholeNumber(0, MAX_WINDOW),
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
    source: given.source ?? undefined,
    status: given.status,
    wasAuthorized: given.authorized,
    refunds: given.refunds,
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
  const { offset = 0, limit = DEFAULT_WINDOW, start } = given
  return { filter, window: { offset, limit, start, search: searchFor(given.search, now) } }
}

function searchFor(words: readonly string[] = [], now: Date): Query | undefined {
  if (words.length === 0) return undefined
  const { query, problem } = readWords(words, { now })
  if (query === undefined)
    throw invalid([{ path: '$.search', description: `can't be searched for: ${problem.message}` }])
  return query
}

const mustBeOneOf = (values: readonly string[]) => `must be one of ${values.join(', ')}`

/** The word that matches records without a value. */
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

/** A comma between values. In a value, a comma or a backslash has a backslash before it. */
const UNESCAPED_COMMA = /,(?<=(?:^|[^\\])(?:\\\\)*,)/
const ESCAPED = /\\([\\,])/g

const wordsIn = (given: string): readonly string[] | undefined =>
  given.length > MAX_SEARCH_LENGTH ? undefined : given.split(/\s+/).filter((word) => word !== '')

/** Reads the source; null for both, which are all records, and undefined for an unknown one. */
const refundsIn = (given: string) => REFUND_FILTERS.find((filter) => filter === given)

function sourceIn(given: string): RecordSource | null | undefined {
  const sources = new Set(given.split(',').map((name) => SOURCES.find((source) => source === name)))
  if (sources.has(undefined)) return undefined
  return sources.size === 1 ? [...sources][0] : null
}

/** Writes a place in the list: `2026-01-31T09:30:00.000000 7`. */
export const writeStart = ({ time, seq }: RecordPlace): string => `${time} ${seq}`

function readStart(given: string): RecordPlace | undefined {
  const [, time, seq] = /^([\dT:.-]{26}) (\d{1,15})$/.exec(given) ?? []
  return time === undefined ? undefined : { time, seq: Number(seq) }
}
