import type { Answer, Call } from '../../../src/client/calls/call.ts'
import { EXIT, PayError } from '../../../src/errors.ts'
import { searchPayments } from '../../../src/commands/find/search-payments.ts'
import type { SearchOptions } from '../../../src/commands/find/search-payments.ts'
import { readWords } from '../../../src/views/search/words.ts'

export const NOW = new Date('2026-11-25T12:00:00.000Z')

interface Payment {
  readonly id: string
  readonly date: string
  readonly orderId: string
  readonly status: string
  readonly amount: number
  readonly currencyCode: string
  readonly customerId: string
  readonly last4: string
  readonly email: string
  readonly lastName?: string
  readonly processor?: { readonly amountCaptured: number; readonly amountRefunded: number }
  readonly transactions?: readonly object[]
}

/** The n-th newest payment: an hour older than the one before. */
export const payment = (n: number, fields: Partial<Payment> = {}): Payment => ({
  id: `p${n}`,
  date: new Date(NOW.getTime() - n * 3_600_000).toISOString(),
  orderId: `A-${n}`,
  status: 'SETTLED',
  amount: 1000 + n,
  currencyCode: 'EUR',
  customerId: `c-${n}`,
  last4: '1111',
  email: `c${n}@example.com`,
  ...fields,
})

const rowOf = ({ last4, email: _email, lastName: _lastName, transactions: _, ...row }: Payment) => ({
  ...row,
  ...(last4 === ''
    ? {}
    : { paymentMethod: { paymentMethodType: 'PAYMENT_CARD', paymentMethodData: { last4Digits: last4 } } }),
})

export const answerOf = (json: unknown): Answer => ({
  status: 200,
  text: JSON.stringify(json),
  json,
  requestId: undefined,
  exitCode: 0,
  operationId: undefined,
  idempotencyKey: undefined,
  note: undefined,
  warning: undefined,
})

/** A service that ignores all filters, or only those named. */
export function serviceWith(
  payments: readonly Payment[],
  { ignores = () => true, msPerRead = 0 }: { ignores?: (filter: string) => boolean; msPerRead?: number } = {},
) {
  const calls: string[] = []
  const clock = { now: NOW }
  const isListed = (row: Payment, [name, value]: readonly [string, unknown]): boolean => {
    if (ignores(name)) return true
    if (name === 'order_id') return row.orderId === value
    if (name === 'last_4_digits') return row.last4 === value
    if (name === 'customer_email_address') return row.email === value
    if (name === 'min_amount') return row.amount >= Number(value)
    if (name === 'max_amount') return row.amount <= Number(value)
    if (name === 'customer_id') return row.customerId === value
    if (name === 'status') return row.status === value
    if (name === 'from_date') return row.date >= String(value)
    if (name === 'to_date') return row.date <= String(value)
    return true
  }
  const read: SearchOptions['read'] = async ({ params, query = {} }: Call) => {
    clock.now = new Date(clock.now.getTime() + msPerRead)
    const id = params['id']
    const { limit, cursor, ...filters } = query
    calls.push(
      id === undefined ? `list ${JSON.stringify(filters)} ${String(cursor ?? '')}`.trim() : `get ${id}`,
    )
    const found = payments.find((row) => row.id === id)
    if (id !== undefined && found === undefined)
      throw new PayError('payment_not_found', EXIT.notFound, 'No such payment')
    const listed = payments.filter((row) => Object.entries(filters).every((filter) => isListed(row, filter)))
    const [from, end] = [Number(cursor ?? 0), Number(cursor ?? 0) + Number(limit)]
    const json =
      found === undefined
        ? {
            data: listed.slice(from, end).map(rowOf),
            ...(end < listed.length ? { nextCursor: String(end) } : {}),
          }
        : {
            ...rowOf(found),
            customer: { emailAddress: found.email, lastName: found.lastName },
            transactions: found.transactions,
          }
    return answerOf(json)
  }
  const find = async (line: string, options: Partial<SearchOptions> = {}) => {
    const { query, problem } = readWords(line.split(' '), { now: NOW })
    if (query === undefined) throw problem
    const sleep: SearchOptions['sleep'] = async (ms) => {
      clock.now = new Date(clock.now.getTime() + ms)
    }
    const search = await searchPayments({ read, query, limit: 100, now: () => clock.now, sleep, ...options })
    return { ...search, ids: search.rows.map(({ id }) => id) }
  }
  return { find, read, calls, clock }
}

export const many = (count: number) => Array.from({ length: count }, (_, n) => payment(n))
