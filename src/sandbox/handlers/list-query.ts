import { PAGE_LIMIT } from '../../api/models/page-limit.ts'
import type { listPaymentsQuery } from '../../api/models/payment.ts'
import type { Shape } from '../../api/schema.ts'
import { PAYMENT_STATUSES } from '../../api/sets.ts'
import { CURRENCY_CODES } from '../../money/currencies.ts'
import { toFilterDate } from '../domain/datetime.ts'
import { invalid } from '../problem.ts'
import type { RecordFilter, RecordPosition } from '../domain/store/record-store.ts'

export interface ListQuery {
  readonly filter: RecordFilter
  readonly position: RecordPosition | undefined
  readonly limit: number
}

/** Names a list in its cursors: those of another list are refused. */
export type ListName = 'payments' | 'records'

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
  | 'payment_method_type'
  | 'processor'
  | 'merchant_id'
  | 'customer_email_address'
  | 'last_4_digits'

/**
 * Reads the filters of `GET /payments`.
 * @throws {Problem} with every problem in them
 */
export function readListQuery(query: Shape<typeof listPaymentsQuery>, list: ListName): ListQuery {
  const problems: { path: string; description: string }[] = []

  const read = <T>(name: FilterName, parse: (text: string) => T | undefined, expected: string) => {
    const text = query[name]
    if (typeof text !== 'string') return undefined
    if (countValues(text) > MAX_VALUES) {
      problems.push({ path: `$.${name}`, description: `must have at most ${MAX_VALUES} values` })
      return undefined
    }
    const value = parse(text)
    if (value === undefined) problems.push({ path: `$.${name}`, description: expected })
    return value
  }

  const filter: RecordFilter = {
    status: read('status', listOf(PAYMENT_STATUSES), `must be one of ${PAYMENT_STATUSES.join(', ')}`),
    orderId: read('order_id', idsIn, ''),
    customerId: read('customer_id', idsIn, ''),
    currencyCode: read('currency_code', listOf(CURRENCY_CODES), 'must be an ISO 4217 code such as EUR'),
    fromDate: read('from_date', (text) => toFilterDate(text, 'first'), 'must be a date in ISO 8601'),
    toDate: read('to_date', (text) => toFilterDate(text, 'last'), 'must be a date in ISO 8601'),
    minAmount: read('min_amount', parseInteger, 'must be an integer in minor units'),
    maxAmount: read('max_amount', parseInteger, 'must be an integer in minor units'),
    processor: read('processor', listOf(), ''),
    merchantId: read('merchant_id', listOf(), ''),
    customerEmail: read('customer_email_address', listOf(), ''),
    methodType: read('payment_method_type', listOf(), ''),
    last4Digits: read('last_4_digits', listOfDigits, 'must be the last four digits of a card'),
  }
  const position = read('cursor', (text) => readCursor(list, text), 'is not a cursor from this list')
  const limit = read('limit', parseLimit, `must be an integer from 1 to ${PAGE_LIMIT}`)
  if (problems.length > 0) throw invalid(problems)
  return { filter, position, limit: limit ?? PAGE_LIMIT }
}

export const writeCursor = (list: ListName, { direction, place }: RecordPosition): string =>
  Buffer.from(`${list} ${direction} ${place.time} ${place.seq}`).toString('base64url')

function readCursor(list: ListName, text: string): RecordPosition | undefined {
  const [, name, direction, time = '', seq] =
    /^(payments|records) (older|newer) ([\dT:.-]{26}) (\d{1,15})$/.exec(
      Buffer.from(text, 'base64url').toString(),
    ) ?? []
  if (name !== list || (direction !== 'older' && direction !== 'newer')) return undefined
  return { direction, place: { time, seq: Number(seq) } }
}

/** In one filter. */
const MAX_VALUES = 100

const countValues = (text: string): number => text.split(',', MAX_VALUES + 1).length

const listOf = (allowed?: readonly string[]) => (text: string) => {
  const values = text.split(',')
  return allowed === undefined || values.every((value) => allowed.includes(value)) ? values : undefined
}

/** An ID can contain commas, so runs of adjacent pieces are candidates too. */
function idsIn(text: string): readonly string[] {
  const pieces = text.split(',')
  const runs = pieces.flatMap((_, from) =>
    pieces.slice(from, from + MAX_PIECES).map((__, more) => pieces.slice(from, from + more + 1).join(',')),
  )
  return [...runs, text]
}

const MAX_PIECES = 5

function listOfDigits(text: string): readonly string[] | undefined {
  const values = text.split(',')
  return values.every((value) => /^\d{4}$/.test(value)) ? values : undefined
}

function parseInteger(text: string): number | undefined {
  const value = Number(text)
  return /^\d+$/.test(text) && Number.isSafeInteger(value) ? value : undefined
}

function parseLimit(text: string): number | undefined {
  const value = parseInteger(text)
  return value === undefined || value < 1 || value > PAGE_LIMIT ? undefined : value
}
