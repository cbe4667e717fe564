import { PAGE_LIMIT } from '../api/page-limit.ts'
import type { listPaymentsQuery } from '../api/payment.ts'
import type { Shape } from '../api/schema.ts'
import { PAYMENT_STATUSES } from '../api/sets.ts'
import { CURRENCY_CODES } from '../money/currencies.ts'
import { toFilterDate } from './datetime.ts'
import { invalid } from './problem.ts'
import type { PagePosition, PaymentFilter } from './store/payments.ts'

export interface ListQuery {
  readonly filter: PaymentFilter
  readonly position: PagePosition | undefined
  readonly limit: number
}

type FilterName =
  | 'limit'
  | 'cursor'
  | 'status'
  | 'order_id'
  | 'customer_id'
  | 'currency_code'
  | 'from_date'
  | 'to_date'
  | 'min_amount'
  | 'max_amount'

/** Reads the filters of `GET /payments`; all that is wrong with them is told at once. */
export function readListQuery(query: Shape<typeof listPaymentsQuery>): ListQuery {
  const problems: { path: string; description: string }[] = []

  const read = <T>(name: FilterName, parse: (text: string) => T | undefined, words: string) => {
    const text = query[name]
    if (typeof text !== 'string') return undefined
    if (countValues(text) > MAX_VALUES) {
      problems.push({ path: `$.${name}`, description: `must have at most ${MAX_VALUES} values` })
      return undefined
    }
    const value = parse(text)
    if (value === undefined) problems.push({ path: `$.${name}`, description: words })
    return value
  }

  const filter: PaymentFilter = {
    status: read('status', listOf(PAYMENT_STATUSES), `must be one of ${PAYMENT_STATUSES.join(', ')}`),
    orderId: read('order_id', listOf(), ''),
    customerId: read('customer_id', listOf(), ''),
    currencyCode: read('currency_code', listOf(CURRENCY_CODES), 'must be an ISO 4217 code such as EUR'),
    fromDate: read('from_date', (text) => toFilterDate(text, 'first'), 'must be a date in ISO 8601'),
    toDate: read('to_date', (text) => toFilterDate(text, 'last'), 'must be a date in ISO 8601'),
    minAmount: read('min_amount', parseWhole, 'must be an integer in minor units'),
    maxAmount: read('max_amount', parseWhole, 'must be an integer in minor units'),
  }
  const position = read('cursor', readCursor, 'is not a cursor of this list')
  const limit = read('limit', parseLimit, `must be an integer from 1 to ${PAGE_LIMIT}`)
  if (problems.length > 0) throw invalid(problems)
  return { filter, position, limit: limit ?? PAGE_LIMIT }
}

export const writeCursor = ({ direction, seq }: PagePosition): string =>
  Buffer.from(`${direction}:${seq}`).toString('base64url')

function readCursor(text: string): PagePosition | undefined {
  const [, direction, seq] =
    /^(older|newer):(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (direction !== 'older' && direction !== 'newer') return undefined
  return { direction, seq: Number(seq) }
}

/** Of one filter. */
const MAX_VALUES = 100

const countValues = (text: string): number => text.split(',', MAX_VALUES + 1).length

const listOf = (allowed?: readonly string[]) => (text: string) => {
  const values = text.split(',')
  return allowed === undefined || values.every((value) => allowed.includes(value)) ? values : undefined
}

function parseWhole(text: string): number | undefined {
  const value = Number(text)
  return /^\d+$/.test(text) && Number.isSafeInteger(value) ? value : undefined
}

function parseLimit(text: string): number | undefined {
  const value = parseWhole(text)
  return value === undefined || value < 1 || value > PAGE_LIMIT ? undefined : value
}
