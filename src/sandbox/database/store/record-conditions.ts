import { PAYMENT_STATES } from '../../../api/payment-states.ts'
import type { RecordFilter, RecordPosition, RecordSearch } from '../../domain/store/record-store.ts'
import type { SqlValue } from '../../../store/sqlite.ts'
import { anyContains, patternOf } from './contains.ts'

/** SQL conditions that must all hold, and the values for their parameters. */
export interface Conditions {
  readonly conditions: readonly string[]
  readonly values: readonly SqlValue[]
}

/** Selects the records that match. */
export function conditionsOf(filter: RecordFilter): Conditions {
  const conditions: string[] = []
  const values: SqlValue[] = []
  const add = (condition: string, ...bound: readonly SqlValue[]): void => {
    conditions.push(condition)
    values.push(...bound)
  }
  const addBound = (condition: string, value: SqlValue | undefined): void => {
    if (value !== undefined) add(condition, value)
  }
  /** Binds a list as one JSON value: otherwise every list length would prepare and cache its own statement. */
  const addAnyOf = (column: string, wanted: readonly (string | null)[] | undefined): void => {
    if (wanted === undefined) return
    const orNone = wanted.includes(null) ? ` OR ${column} IS NULL` : ''
    add(`(${column} IN (SELECT value FROM json_each(?))${orNone})`, JSON.stringify(wanted))
  }
  // Not a parameter, so that SQLite can use the indexes of payments.
  if (filter.source !== undefined) add(`source = '${filter.source}'`)
  addBound('time >= ?', filter.fromDate)
  addBound('time <= ?', filter.toDate)
  addAnyOf('order_id', filter.orderId)
  addAnyOf('customer_id', filter.customerId)
  addAnyOf('status', filter.status)
  if (filter.wasAuthorized === true) add(WAS_AUTHORIZED, JSON.stringify(AUTHORIZED))
  addAnyOf('reason', filter.reason)
  addAnyOf('currency', filter.currencyCode)
  addAnyOf('method', filter.methodType)
  addAnyOf('last4', filter.last4Digits)
  addAnyOf('processor', filter.processor)
  addAnyOf('merchant', filter.merchantId)
  addAnyOf('country', filter.countryCode)
  const addEmails = (addresses: RecordFilter['customerEmail']): void =>
    addAnyOf(
      'email',
      addresses?.map((address) => address?.toLowerCase() ?? null),
    )
  addEmails(filter.customerEmail)
  // The payer's address at PayPal or Klarna, which is the customer's here.
  for (const [method, addresses] of [
    ['PAYPAL', filter.paypalEmail],
    ['KLARNA', filter.klarnaEmail],
  ] as const)
    if (addresses !== undefined) {
      add('method = ?', method)
      addEmails(addresses)
    }
  addBound('amount >= ?', filter.minAmount)
  addBound('amount <= ?', filter.maxAmount)
  if (filter.search !== undefined) add(...searchCondition(filter.search))
  return { conditions, values }
}

const AUTHORIZED = Object.entries(PAYMENT_STATES).flatMap(([status, { authorized }]) =>
  authorized === 'yes' ? [status] : [],
)

/** As `wasAuthorized` of insights. An external record has no authorized amount. */
const WAS_AUTHORIZED =
  "(status IN (SELECT value FROM json_each(?)) OR status = 'CANCELLED' AND coalesce(authorized, 1) <> 0)"

const SEARCHED = ['id', 'order_id', 'customer_id', 'email'] as const

function searchCondition({ text, amounts }: RecordSearch): readonly [string, ...SqlValue[]] {
  const [pattern, last4] = [patternOf(text), /^\d{4}$/.test(text) ? [text] : []]
  const currencies = amounts.map(({ amountMinor, currencyCode }) => `${currencyCode} ${amountMinor}`)
  return [
    `(${[
      anyContains(SEARCHED),
      ...last4.map(() => 'last4 = ?'),
      ...(amounts.length === 0 ? [] : [`(amount IN ${LISTED} AND currency || ' ' || amount IN ${LISTED})`]),
    ].join(' OR ')})`,
    ...SEARCHED.map(() => pattern),
    ...last4,
    ...(amounts.length === 0
      ? []
      : [JSON.stringify(amounts.map(({ amountMinor }) => amountMinor)), JSON.stringify(currencies)]),
  ]
}

const LISTED = '(SELECT value FROM json_each(?))'

/** Selects the records beyond a position of the list. */
export const beyond = ({ direction, place }: RecordPosition): Conditions => ({
  conditions: [`(time, seq) ${direction === 'newer' ? '>' : '<'} (?, ?)`],
  values: [place.time, place.seq],
})

/** The WHERE clause of all conditions, and their values. */
export function joinConditions(...parts: readonly (Conditions | undefined)[]): {
  where: string
  values: readonly SqlValue[]
} {
  const conditions = parts.flatMap((part) => part?.conditions ?? [])
  return {
    where: conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`,
    values: parts.flatMap((part) => part?.values ?? []),
  }
}
