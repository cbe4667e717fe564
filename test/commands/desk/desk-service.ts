import type { HttpRequest, HttpResponse } from '../../../src/client/http/transport-port.ts'
import { envelope } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import type { RunResult } from '../../support/run-pay.ts'

export const paymentOf = (id: string, orderId: string, status = 'SETTLED') => ({
  id,
  status,
  orderId,
  customerId: 'c1',
  customer: { emailAddress: 'c1@example.com' },
  currencyCode: 'EUR',
  amount: 5_000,
  date: '2026-03-01T11:58:00.000000',
  processor: { amountCaptured: status === 'SETTLED' ? 5_000 : 0, amountRefunded: 0 },
})
const PAYMENTS = [
  paymentOf('p1aaaaaaa', 'A-1'),
  paymentOf('p2bbbbbbb', 'A-2'),
  paymentOf('p3ccccccc', 'A-3', 'AUTHORIZED'),
]

type Answering = (request: HttpRequest) => HttpResponse | undefined

/** Lists the payments, which a test may move, and does every write. */
export function serviceOf(
  payments: readonly ReturnType<typeof paymentOf>[] = PAYMENTS,
  first: Answering = () => undefined,
) {
  const rows = payments.map((payment) => ({ ...payment }))
  const service = (request: HttpRequest): HttpResponse => {
    const answer = first(request)
    if (answer !== undefined) return answer
    const url = new URL(request.url)
    const id = /\/payments\/([^/?]+)/.exec(url.pathname)?.[1]
    const [order, customer] = [url.searchParams.get('order_id'), url.searchParams.get('customer_id')]
    if (id === undefined)
      return jsonAnswer(200, {
        data: rows
          .filter(
            ({ orderId, customerId }) =>
              (order === null || orderId === order) && (customer === null || customerId === customer),
          )
          // As in the API, a list's row has no transactions.
          .map((row) => ({ ...row, transactions: undefined })),
      })
    const found = rows.find((row) => row.id === id)
    if (found !== undefined && url.pathname.endsWith('/cancel')) found.status = 'CANCELLED'
    return found === undefined ? jsonAnswer(404, envelope('NotFound')) : jsonAnswer(200, found)
  }
  return { listed: rows, service }
}

/** The bodies of the writes that were sent. */
export const writesIn = ({ requests }: Pick<RunResult, 'requests'>): readonly (string | undefined)[] =>
  requests.filter(({ method }) => method !== 'GET').map(({ body }) => body?.toString())
