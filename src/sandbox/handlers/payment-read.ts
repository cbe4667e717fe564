import { getPayment, listPayments } from '../../api/operations/payment.ts'
import { plain, withQuery } from '../request/endpoint.ts'
import { readCursor, readListQuery, writeCursor } from './list-query.ts'
import { unknownPayment } from '../domain/payment/payment-changes.ts'
import { showPayment, summarize } from '../answers/payment-view.ts'

export const paymentGet = plain(getPayment, ({ id = '' }, context) => {
  const payment = context.store.payments.find(id)
  if (payment === undefined) throw unknownPayment(id)
  return showPayment(payment, context)
})

export const paymentList = withQuery(listPayments, (query, { store }) => {
  const { filter, position, limit } = readListQuery(query, readCursor)
  const isNewer = position?.direction === 'newer'
  // Fetch one more than requested to see whether there is another page.
  const found = store.payments.list(filter, position, limit + 1)
  const page = found.slice(0, limit)
  if (isNewer) page.reverse()
  const [first, last] = [page[0], page.at(-1)]
  const hasMore = found.length > limit
  const hasOlder = isNewer || hasMore
  const hasNewer = isNewer ? hasMore : position !== undefined
  return {
    data: page.map(({ payment }) => summarize(payment)),
    nextCursor:
      hasOlder && last !== undefined ? writeCursor({ direction: 'older', seq: last.seq }) : undefined,
    prevCursor:
      hasNewer && first !== undefined ? writeCursor({ direction: 'newer', seq: first.seq }) : undefined,
  }
})
