import { externalPayment } from '../../api/models/external-payment.ts'
import {
  createExternalPayment,
  updateExternalPayment,
  getPaymentRecord,
  listPaymentRecords,
} from '../../api/operations/observability.ts'
import { isSameInstant, toExternalDate } from '../domain/datetime.ts'
import { mergeDeep } from '../../json/fields.ts'
import { withBody, plain, withQuery } from '../request/endpoint.ts'
import { invalid, Problem } from '../problem.ts'
import { matchesSchema } from '../request/validation.ts'
import { showWritten, recordOfPayment, showWhole } from '../answers/record-view.ts'
import type { updateExternalPaymentRequest, PaymentRecord } from '../../api/models/external-payment.ts'
import type { Shape } from '../../api/schema.ts'
import { isRecord } from '../../json/is-record.ts'
import { listPage, readListQuery } from './lists.ts'
import type { Store } from '../database/store.ts'
import type { StoredPayment } from '../domain/stored.ts'

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

export const recordGet = plain(getPaymentRecord, ({ paymentId = '' }, { store }) => {
  const payment = store.payments.find(paymentId)
  if (payment !== undefined) return recordOfPayment(payment, store.records.addition(paymentId))
  const record = store.externalPayments.find(paymentId)
  if (record === undefined) throw new Problem('EntityNotFound', `There is no record of payment ${paymentId}.`)
  return showWhole({ source: 'external', record })
})

export const recordList = withQuery(listPaymentRecords, (query, { store }) =>
  listPage('records', readListQuery(query, 'records'), store.records, showWhole),
)

/** The fields that only the payment sets; a change to its record can't contradict them. */
const PAYMENT_FIELDS = ['currencyCode', 'amount', 'status', 'statusReason', 'processor', 'order'] as const

type Changes = Shape<typeof updateExternalPaymentRequest>

/**
 * Adds to the record of a payment made in the sandbox.
 * @throws {Problem} 422 for a field that the payment owns
 */
function addToRecord(payment: StoredPayment, changes: Changes, { records }: Store): PaymentRecord {
  const previous = records.addition(payment.id)
  const record = recordOfPayment(payment, previous)
  const { createdAt, paymentId: _id, ...given } = changes
  if (createdAt !== undefined && !isSameInstant(createdAt, record.createdAt ?? ''))
    throw invalid([{ path: '$.createdAt', description: 'cannot be changed' }])
  const projection = recordOfPayment(payment, undefined)
  const owned = [
    ...PAYMENT_FIELDS.filter((name) => given[name] !== undefined).map((name) => `$.${name}`),
    ...contradictions(projection.paymentMethod, given.paymentMethod, '$.paymentMethod'),
    ...contradictions(projection.paymentType, given.paymentType, '$.paymentType'),
  ]
  if (owned.length > 0)
    throw invalid(
      owned.map((path) => ({
        path,
        description: `belongs to payment ${payment.id} and can't be changed on its record`,
      })),
    )
  const addition = mergeDeep(previous ?? {}, given)
  if (!isRecord(addition)) throw new Error(`The record of ${payment.id} is not an object`)
  records.saveAddition(payment.id, addition)
  return recordOfPayment(payment, addition)
}

/** The paths where the changes contradict the record. */
function contradictions(known: unknown, given: unknown, path: string): readonly string[] {
  if (known === undefined || given === undefined) return []
  if (isRecord(known) && isRecord(given))
    return Object.entries(given).flatMap(([name, value]) =>
      contradictions(known[name], value, `${path}.${name}`),
    )
  return known === given ? [] : [path]
}
