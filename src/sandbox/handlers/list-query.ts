import { PAGE_LIMIT } from '../../api/models/page-limit.ts'
import type { listPaymentsQuery } from '../../api/models/payment.ts'
import type { Shape } from '../../api/schema.ts'
import { PAYMENT_STATUSES } from '../../api/sets.ts'
import { CURRENCY_CODES } from '../../money/currencies.ts'
import { toFilterDate } from '../domain/datetime.ts'
import { fieldReader, MAX_VALUES, refuseTooMany, wholeNumber } from '../request/field-reader.ts'
import type { RecordFilter, RecordPosition } from '../domain/records.ts'

export interface ListQuery {
  readonly filter: RecordFilter
  readonly position: RecordPosition | undefined
  readonly limit: number
}

/** Names a list in its cursors: those of another list are refused. */
export type ListName = 'payments' | 'records'

/**
 * Reads the filters of `GET /payments`.
 * @throws {Problem} with every problem in them
 */
export function readListQuery(query: Shape<typeof listPaymentsQuery>, list: ListName): ListQuery {
  const texts = Object.entries(query).flatMap(([name, text]) =>
    typeof text === 'string' ? [[name, text]] : [],
  )
  const { read, finish } = fieldReader<string>(Object.fromEntries(texts))
  const filter: RecordFilter = {
    status: read('status', listOf(PAYMENT_STATUSES), `must be one of ${PAYMENT_STATUSES.join(', ')}`),
    orderId: read('order_id', idsIn),
    customerId: read('customer_id', idsIn),
    currencyCode: read('currency_code', listOf(CURRENCY_CODES), 'must be an ISO 4217 code such as EUR'),
    fromDate: read('from_date', (text) => toFilterDate(text, 'first'), 'must be a date in ISO 8601'),
    toDate: read('to_date', (text) => toFilterDate(text, 'last'), 'must be a date in ISO 8601'),
    minAmount: read('min_amount', AMOUNT, 'must be an integer in minor units'),
    maxAmount: read('max_amount', AMOUNT, 'must be an integer in minor units'),
    processor: read('processor', listOf()),
    merchantId: read('merchant_id', listOf()),
    customerEmail: read('customer_email_address', listOf()),
    paypalEmail: read('paypal_email', listOf()),
    klarnaEmail: read('klarna_email', listOf()),
    methodType: read('payment_method_type', listOf()),
    last4Digits: read('last_4_digits', listOfDigits, 'must be the last four digits of a card'),
  }
  const position = read('cursor', (text) => readCursor(list, text), 'is not a cursor from this list')
  const limit = read('limit', wholeNumber(1, PAGE_LIMIT)[0], `must be an integer from 1 to ${PAGE_LIMIT}`)
  finish()
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

const valuesIn = (text: string) => refuseTooMany(text.split(',', MAX_VALUES + 1))

const listOf = (allowed?: readonly string[]) => (text: string) => {
  const values = valuesIn(text)
  return allowed === undefined || values.every((value) => allowed.includes(value)) ? values : undefined
}

/** An ID can contain commas, so runs of adjacent pieces are candidates too. */
function idsIn(text: string): readonly string[] {
  const pieces = valuesIn(text)
  const runs = pieces.flatMap((_, from) =>
    pieces.slice(from, from + MAX_PIECES).map((__, more) => pieces.slice(from, from + more + 1).join(',')),
  )
  return [...runs, text]
}

const MAX_PIECES = 5

function listOfDigits(text: string): readonly string[] | undefined {
  const values = valuesIn(text)
  return values.every((value) => /^\d{4}$/.test(value)) ? values : undefined
}

const [AMOUNT] = wholeNumber(0, Number.MAX_SAFE_INTEGER)
