import { PAGE_LIMIT } from '../../api/models/page-limit.ts'
import type { listPaymentsQuery } from '../../api/models/payment.ts'
import { lazySchema, z } from '../../api/schema.ts'
import type { Shape } from '../../api/schema.ts'
import { PAYMENT_STATUSES } from '../../api/sets.ts'
import { CURRENCY_CODES } from '../../money/currencies.ts'
import { toFilterDate } from '../domain/datetime.ts'
import { MAX_VALUES, readFields, refuseTooMany, textField, wholeNumber } from '../request/fields.ts'
import type { RecordFilter, RecordPosition, ReadablePlace, WholeRecord } from '../domain/records.ts'
import type { Store } from '../database/store.ts'

interface ListQuery {
  readonly filter: RecordFilter
  readonly position: RecordPosition | undefined
  readonly limit: number
}

/** The name of a list in its cursors: those of another list are refused. */
type ListName = 'payments' | 'records'

const queryOf = (list: ListName) =>
  lazySchema(() =>
    z.strictObject({
      status: textField(listOf(PAYMENT_STATUSES), `must be one of ${PAYMENT_STATUSES.join(', ')}`),
      order_id: textField(idsIn),
      customer_id: textField(idsIn),
      currency_code: textField(listOf(CURRENCY_CODES), 'must be an ISO 4217 code such as EUR'),
      from_date: date('first'),
      to_date: date('last'),
      min_amount: amount(),
      max_amount: amount(),
      processor: textField(listOf()),
      merchant_id: textField(listOf()),
      customer_email_address: textField(listOf()),
      paypal_email: textField(listOf()),
      klarna_email: textField(listOf()),
      payment_method_type: textField(listOf()),
      last_4_digits: textField(listOfDigits, 'must be the last four digits of a card'),
      cursor: textField((given) => readCursor(list, given), 'is not a cursor from this list'),
      limit: wholeNumber(1, PAGE_LIMIT, `must be an integer from 1 to ${PAGE_LIMIT}`),
    }),
  )

const QUERIES = { payments: queryOf('payments'), records: queryOf('records') }

/**
 * Reads the filters of `GET /payments`.
 * @throws {Problem} with every problem in them
 */
export function readListQuery(query: Shape<typeof listPaymentsQuery>, list: ListName): ListQuery {
  const given = readFields(QUERIES[list], query)
  const filter: RecordFilter = {
    status: given.status,
    orderId: given.order_id,
    customerId: given.customer_id,
    currencyCode: given.currency_code,
    fromDate: given.from_date,
    toDate: given.to_date,
    minAmount: given.min_amount,
    maxAmount: given.max_amount,
    processor: given.processor,
    merchantId: given.merchant_id,
    customerEmail: given.customer_email_address,
    paypalEmail: given.paypal_email,
    klarnaEmail: given.klarna_email,
    methodType: given.payment_method_type,
    last4Digits: given.last_4_digits,
  }
  return { filter, position: given.cursor, limit: given.limit ?? PAGE_LIMIT }
}

const date = (edge: 'first' | 'last') =>
  textField((given) => toFilterDate(given, edge), 'must be a date in ISO 8601')
const amount = () => wholeNumber(0, Number.MAX_SAFE_INTEGER, 'must be an integer in minor units')

const writeCursor = (list: ListName, { direction, place }: RecordPosition): string =>
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

/** The IDs that a list can mean. An ID can contain commas, so runs of adjacent pieces are candidates too. */
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

/** The stored text of a page, in bytes: a page of larger entries has fewer, so that it doesn't delay other clients. */
const MAX_PAGE_SIZE = 1024 * 1024

/** One page of a list, newest first, with the cursors of the pages around it. */
export function listPage<Shown>(
  list: ListName,
  { filter, position, limit }: ListQuery,
  records: Pick<Store['records'], 'places' | 'read'>,
  show: (whole: WholeRecord) => Shown,
) {
  const isNewer = position?.direction === 'newer'
  // One more than requested, to see whether there is another page.
  const found = records.places(filter, position, limit + 1)
  const page = found.slice(0, fitting(found.slice(0, limit)))
  const hasMore = page.length < found.length
  if (isNewer) page.reverse()
  const [first, last] = [page[0], page.at(-1)]
  const hasOlder = isNewer || hasMore
  const hasNewer = isNewer ? hasMore : position !== undefined
  const cursorFrom = (place: ReadablePlace, direction: RecordPosition['direction']) =>
    writeCursor(list, { direction, place })
  return {
    data: page.map((place) => show(records.read(place))),
    nextCursor: hasOlder && last !== undefined ? cursorFrom(last, 'older') : undefined,
    prevCursor: hasNewer && first !== undefined ? cursorFrom(first, 'newer') : undefined,
  }
}

/** How many records fit on a page; at least one. */
function fitting(places: readonly ReadablePlace[]): number {
  let total = 0
  for (const [index, { size }] of places.entries()) {
    total += size
    if (total > MAX_PAGE_SIZE) return Math.max(index, 1)
  }
  return places.length
}
