import { getPayment, listPayments } from '../../api/operations/payment.ts'
import { plain, withQuery } from '../request/endpoint.ts'
import { listPage } from './list-page.ts'
import { readCursor, readListQuery, writeCursor } from './list-query.ts'
import { unknownPayment } from '../domain/payment/payment-changes.ts'
import { showPayment, summarize } from '../answers/payment-view.ts'

export const paymentGet = plain(getPayment, ({ id = '' }, context) => {
  const payment = context.store.payments.find(id)
  if (payment === undefined) throw unknownPayment(id)
  return showPayment(payment, context)
})

export const paymentList = withQuery(listPayments, (query, { store }) =>
  listPage(readListQuery(query, readCursor), {
    find: (...page) => store.payments.list(...page),
    show: ({ payment }) => summarize(payment),
    cursorFrom: ({ seq }, direction) => writeCursor({ direction, seq }),
  }),
)
