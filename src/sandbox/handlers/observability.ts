import { externalPayment } from '../../api/models/external-payment.ts'
import type { ExternalPayment } from '../../api/models/external-payment.ts'
import { createExternalPayment, updateExternalPayment } from '../../api/operations/observability.ts'
import { PROCESSORS } from '../domain/accounts.ts'
import { isSameInstant, toExternalDate } from '../domain/datetime.ts'
import { withBody } from '../request/endpoint.ts'
import { mergeDeep } from '../domain/merge-deep.ts'
import { invalid, Problem, refuseEmpty } from '../problem.ts'
import { matchesSchema } from '../request/validation.ts'

export const observabilityPush = withBody(createExternalPayment, ({ body }, { store }) => {
  const createdAt = toExternalDate(body.createdAt)
  if (createdAt === undefined)
    throw invalid([{ path: '$.createdAt', description: 'is not a day in the calendar' }])
  refuseEmpty({ paymentId: body.paymentId })
  const record = { ...body, createdAt }
  if (!store.externalPayments.insert(body.paymentId, record)) {
    throw new Problem('EntityAlreadyExists', `A record of payment ${body.paymentId} already exists.`, {
      recoverySuggestion: 'Change it with PATCH /observability/payments/{paymentId}.',
    })
  }
  return showRecord(record)
})

export const observabilityUpdate = withBody(updateExternalPayment, ({ params, body }, { store }) => {
  const paymentId = params['paymentId'] ?? ''
  if (body.paymentId !== undefined && body.paymentId !== paymentId)
    throw invalid([{ path: '$.paymentId', description: "doesn't match the paymentId in the URL" }])
  const before = store.externalPayments.find(paymentId)
  if (before === undefined) throw new Problem('EntityNotFound', `There is no record of payment ${paymentId}.`)
  const { createdAt, ...changes } = body
  if (createdAt !== undefined && !isSameInstant(createdAt, before.createdAt ?? ''))
    throw invalid([{ path: '$.createdAt', description: 'cannot be changed' }])
  const record = mergeDeep(before, changes)
  if (!matchesSchema(externalPayment, record))
    throw new Error(`The record of ${paymentId} doesn't match its schema after the update`)
  store.externalPayments.save(paymentId, record)
  return showRecord(record)
})

/** For processors that the sandbox doesn't know. */
const MERCHANT = { merchantId: 'external-1', countryCode: 'US' } as const

/**
 * A record as responses show it. The service adds the merchant account and the order's country if the request leaves them
 * out (spec 2.7).
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
