import { externalPayment } from '../../api/external-payment.ts'
import { createExternalPayment, updateExternalPayment } from '../../api/operations/observability.ts'
import { isSameInstant, toExternalDate } from '../datetime.ts'
import { withBody } from '../endpoint.ts'
import { showRecord } from '../external-payment-view.ts'
import { mergeDeep } from '../merge.ts'
import { invalid, Problem, refuseEmpty } from '../problem.ts'
import { isOf } from '../validation.ts'

export const observabilityPush = withBody(createExternalPayment, ({ body }, { store }) => {
  const createdAt = toExternalDate(body.createdAt)
  if (createdAt === undefined)
    throw invalid([{ path: '$.createdAt', description: 'is not a day of the calendar' }])
  refuseEmpty({ paymentId: body.paymentId })
  const record = { ...body, createdAt }
  if (!store.externalPayments.insert(body.paymentId, record)) {
    throw new Problem('EntityAlreadyExists', `There is a record of payment ${body.paymentId} already.`, {
      recoverySuggestion: 'Change it with PATCH /observability/payments/{paymentId}.',
    })
  }
  return showRecord(record)
})

export const observabilityUpdate = withBody(updateExternalPayment, ({ params, body }, { store }) => {
  const paymentId = params['paymentId'] ?? ''
  if (body.paymentId !== undefined && body.paymentId !== paymentId)
    throw invalid([{ path: '$.paymentId', description: 'is not the paymentId of the address' }])
  const before = store.externalPayments.find(paymentId)
  if (before === undefined) throw new Problem('EntityNotFound', `There is no record of payment ${paymentId}.`)
  const { createdAt, ...changes } = body
  if (createdAt !== undefined && !isSameInstant(createdAt, before.createdAt ?? ''))
    throw invalid([{ path: '$.createdAt', description: 'cannot be changed' }])
  const record = mergeDeep(before, changes)
  if (!isOf(externalPayment, record)) throw new Error(`The record of ${paymentId} has lost its shape`)
  store.externalPayments.save(paymentId, record)
  return showRecord(record)
})
