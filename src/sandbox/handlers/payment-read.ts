import type { PaymentSummary } from '../../api/models/payment.ts'
import { getPayment, listPayments } from '../../api/operations/payment.ts'
import { plain, withQuery } from '../request/endpoint.ts'
import { listPage, readListQuery } from './lists.ts'
import { unknownPayment } from '../domain/payment/payment-changes.ts'
import type { WholeRecord } from '../domain/records.ts'
import { showPayment, summarize } from '../answers/payment-view.ts'

export const paymentGet = plain(getPayment, ({ id = '' }, context) => {
  const payment = context.store.payments.find(id)
  if (payment === undefined) throw unknownPayment(id)
  return showPayment(payment, context)
})

export const paymentList = withQuery(listPayments, (query, { store }) => {
  const { filter, ...page } = readListQuery(query, 'payments')
  return listPage(
    'payments',
    { ...page, filter: { ...filter, source: 'payments' } },
    store.records,
    summaryOf,
  )
})

function summaryOf(whole: WholeRecord): PaymentSummary {
  if (whole.source !== 'payments') throw new Error('A list of payments has an external record')
  return summarize(whole.payment)
}
