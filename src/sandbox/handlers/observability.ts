import { externalPayment } from '../../api/models/external-payment.ts'
import type { ExternalPayment } from '../../api/models/external-payment.ts'
import { createExternalPayment, updateExternalPayment } from '../../api/operations/observability.ts'
import { PROCESSORS } from '../domain/accounts.ts'
import { isSameInstant, toExternalDate } from '../domain/datetime.ts'
import { withBody } from '../request/endpoint.ts'
import { mergeDeep } from '../domain/merge.ts'
import { invalid, Problem, refuseEmpty } from '../problem.ts'
import { matchesSchema } from '../request/validation.ts'

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
  if (!matchesSchema(externalPayment, record))
    throw new Error(`The record of ${paymentId} has lost its shape`)
  store.externalPayments.save(paymentId, record)
  return showRecord(record)
})

/** The merchant account of processors that the sandbox does not know, and the country of its merchant. */
const MERCHANT = { merchantId: 'external-1', countryCode: 'US' } as const

/**
 * A record as it is answered: with the merchant account and the country of the order, which the service adds where the
 * request leaves them out (spec 2.7).
 */
function showRecord(record: ExternalPayment): ExternalPayment {
  const { processor, order, paymentMethod } = record
  const account = PROCESSORS.find(({ name }) => name === processor?.name)
  return {
    ...record,
    processor: {
      ...processor,
      merchantId: processor?.merchantId ?? account?.processorMerchantId ?? MERCHANT.merchantId,
    },
    order: {
      ...order,
      countryCode:
        order?.countryCode ?? paymentMethod?.data?.binData?.issuerCountryCode ?? MERCHANT.countryCode,
    },
  }
}
