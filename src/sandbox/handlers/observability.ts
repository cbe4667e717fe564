import { externalPayment } from '../../api/models/external-payment.ts'
import { createExternalPayment, updateExternalPayment } from '../../api/operations/observability.ts'
import { isSameInstant, toExternalDate } from '../domain/datetime.ts'
import { withBody } from '../request/endpoint.ts'
import { mergeDeep } from '../../json/fields.ts'
import { invalid, Problem } from '../problem.ts'
import { matchesSchema } from '../request/validation.ts'
import { addToRecord } from './records.ts'
import { showWritten } from '../answers/record-view.ts'

export const observabilityPush = withBody(createExternalPayment, ({ body }, { store }) => {
  const record = { ...body, createdAt: toExternalDate(body.createdAt) }
  if (!store.externalPayments.insert(body.paymentId, record)) throw alreadyExists(body.paymentId)
  return showWritten(record)
})

const alreadyExists = (paymentId: string): Problem =>
  new Problem('EntityAlreadyExists', `A record of payment ${paymentId} already exists.`, {
    recoverySuggestion: 'Update that record instead.',
  })

export const observabilityUpdate = withBody(updateExternalPayment, ({ params, body }, { store }) => {
  const paymentId = params['paymentId'] ?? ''
  if (body.paymentId !== undefined && body.paymentId !== paymentId)
    throw invalid([{ path: '$.paymentId', description: "doesn't match the paymentId in the URL" }])
  const payment = store.payments.find(paymentId)
  if (payment !== undefined) return addToRecord(payment, body, store)
  const before = store.externalPayments.find(paymentId)
  if (before === undefined) throw new Problem('EntityNotFound', `There is no record of payment ${paymentId}.`)
  const { createdAt, ...changes } = body
  if (createdAt !== undefined && !isSameInstant(createdAt, before.createdAt ?? ''))
    throw invalid([{ path: '$.createdAt', description: 'cannot be changed' }])
  const record = mergeDeep(before, changes)
  if (!matchesSchema(externalPayment, record))
    throw new Error(`The record of ${paymentId} doesn't match its schema after the update`)
  store.externalPayments.save(paymentId, record)
  return showWritten(record)
})
