import { intersect, isBefore, isEmptyPeriod } from './times.ts'
import type { Facts } from './match.ts'
import type { Period } from './times.ts'
import { isExact, plansOf } from './query.ts'
import type { Meaning, Query, Word } from './query.ts'

/** Query parameters of a list. */
export type ListQuery = Readonly<Record<string, string>>

/** The service's filters for these meanings. */
export const filtersOf = (plan: readonly Meaning[], period: Period): ListQuery => {
  const { from, to } = timeOf(plan, period)
  return {
    ...Object.fromEntries(plan.flatMap(filtersOfMeaning)),
    ...(from === undefined ? {} : { from_date: from }),
    ...(to === undefined ? {} : { to_date: to }),
  }
}

const timeOf = (plan: readonly Meaning[], period: Period): Period =>
  plan.reduce((all, one) => (one.kind === 'time' ? intersect(all, one) : all), period)

/** The filters of each list to ask for; none if no filter is about the words. An ID is no filter: the payment is read directly. */
export const listQueriesOf = (query: Query): readonly ListQuery[] => {
  const { words } = query
  const isAskable = words.every(isTime) || words.some(({ asks }) => asks.length > 0)
  return isAskable
    ? plansOf(query)
        .filter(
          (plan) => plan.every(({ kind }) => kind !== 'id') && !isEmptyPeriod(timeOf(plan, query.period)),
        )
        .map((plan) => filtersOf(plan, query.period))
    : []
}

const isTime = ({ meanings }: Word): boolean => meanings.every(({ kind }) => kind === 'time')

/** The filters that every payment sought passes, whatever else a word means. */
export const exactFiltersOf = ({ words, period }: Query): ListQuery =>
  filtersOf(
    words.flatMap((word) => (isExact(word) ? word.meanings : [])),
    period,
  )

/** The IDs that the words may mean. */
export const idsOf = (query: Query): readonly string[] => [
  ...new Set(
    query.words.flatMap(({ asks }) => asks.flatMap((one) => (one.kind === 'id' ? [one.value] : []))),
  ),
]

function filtersOfMeaning(meaning: Meaning): readonly (readonly [name: FilterName, value: string])[] {
  switch (meaning.kind) {
    case 'id':
    case 'time':
    case 'name':
    case 'phone':
    case 'brand':
    case 'refunds':
      return []
    case 'order':
      return [['order_id', meaning.value]]
    case 'customer':
      return [['customer_id', meaning.value]]
    case 'email':
      return [['customer_email_address', meaning.value]]
    case 'last4':
      return [['last_4_digits', meaning.value]]
    case 'currency':
      return [['currency_code', meaning.value]]
    case 'status':
      return [['status', meaning.values.join(',')]]
    case 'amount':
      return [
        ['min_amount', String(meaning.amountMinor)],
        ['max_amount', String(meaning.amountMinor)],
        ...(meaning.currencyCode === undefined ? [] : [['currency_code', meaning.currencyCode] as const]),
      ]
  }
}

/** The filters that a listed payment doesn't fit, so that the service must have ignored them. */
export const ignoredFilters = (filters: ListQuery, facts: Facts): readonly string[] =>
  Object.entries(filters).flatMap(([name, value]) =>
    isFilterName(name) && VIOLATIONS[name](value, facts) ? [name] : [],
  )

type FilterName = keyof typeof VIOLATIONS

const isFilterName = (name: string): name is FilterName => Object.hasOwn(VIOLATIONS, name)

/** What a row doesn't tell violates nothing. */
const differs = (found: string | undefined, wanted: string): boolean =>
  found !== undefined && found !== wanted

const VIOLATIONS = {
  // A service may read a comma as "or".
  order_id: (value: string, { orderId }: Facts) => !value.includes(',') && differs(orderId, value),
  customer_id: (value: string, { customerId }: Facts) => !value.includes(',') && differs(customerId, value),
  customer_email_address: (value: string, { email }: Facts) =>
    differs(email?.toLowerCase(), value.toLowerCase()),
  last_4_digits: (value: string, { last4, brands }: Facts) => brands.length > 0 && last4 !== value,
  currency_code: (value: string, { currencyCode }: Facts) => differs(currencyCode, value),
  status: (value: string, { status }: Facts) => status !== undefined && !value.split(',').includes(status),
  min_amount: (value: string, { amount }: Facts) => amount !== undefined && amount < Number(value),
  max_amount: (value: string, { amount }: Facts) => amount !== undefined && amount > Number(value),
  from_date: (value: string, { date }: Facts) => isBefore(date, value),
  to_date: (value: string, { date }: Facts) => isBefore(value, date),
} as const
