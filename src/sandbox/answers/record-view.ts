import type { ExternalPayment, PaymentRecord } from '../../api/models/external-payment.ts'
import { PROCESSORS } from '../domain/accounts.ts'
import { mergeDeep } from '../../json/fields.ts'
import { authorizedAmount } from '../domain/stored.ts'
import type { StoredPayment } from '../domain/stored.ts'
import type { RecordAddition, WholeRecord } from '../domain/records.ts'
import { showPaymentMethod } from './payment-view.ts'

/** A record with its source, as the sandbox's read operations return it. */
export const showWhole = (whole: WholeRecord): PaymentRecord =>
  whole.source === 'payments'
    ? recordOfPayment(whole.payment, whole.addition)
    : { ...showRecord(whole.record), source: 'external' }

/** The record of a payment made in the sandbox (spec 1.4): derived from the payment, so never out of date, plus what a PATCH added. */
export function recordOfPayment(payment: StoredPayment, addition: RecordAddition | undefined): PaymentRecord {
  const projection: PaymentRecord = {
    paymentId: payment.id,
    source: 'payments',
    currencyCode: payment.currencyCode,
    amount: payment.amount,
    amountAuthorized: authorizedAmount(payment),
    amountCaptured: payment.amountCaptured,
    amountRefunded: payment.amountRefunded,
    createdAt: `${payment.date}Z`,
    status: payment.status,
    statusReason: payment.statusReason,
    processor: { name: payment.processor.name, merchantId: payment.processor.processorMerchantId },
    order: { id: payment.orderId, countryCode: payment.order?.countryCode },
    paymentMethod: methodOf(payment),
    paymentType: payment.method.paymentType,
    descriptor: payment.method.descriptor,
    metadata: payment.metadata === undefined ? undefined : { ...payment.metadata },
  }
  return addition === undefined ? projection : { ...projection, ...mergeAddition(projection, addition) }
}

/** Merges without checks: `addToRecord` accepts only fields that the payment doesn't set. */
function mergeAddition(projection: PaymentRecord, addition: RecordAddition): Partial<PaymentRecord> {
  return Object.fromEntries(
    Object.entries(addition).map(([name, value]) => [
      name,
      mergeDeep(Object.entries(projection).find(([known]) => known === name)?.[1], value),
    ]),
  )
}

function methodOf(payment: StoredPayment): PaymentRecord['paymentMethod'] {
  const { paymentMethodType, paymentMethodData, threeDSecureAuthentication } = showPaymentMethod(payment)
  const data =
    paymentMethodData === undefined
      ? undefined
      : { binData: paymentMethodData.binData, first6Digits: paymentMethodData.first6Digits }
  return { paymentMethodType, data, threeDSecureAuthentication }
}

/** The merchant account at a processor that the sandbox doesn't know. */
const UNKNOWN_MERCHANT = 'external-1'
/** The country of an order if nothing says one. */
const DEFAULT_COUNTRY = 'US'

/** A record as it is read. The service adds the merchant account if the record has none (spec 2.7). */
export function showRecord(record: ExternalPayment): ExternalPayment {
  const { processor } = record
  const account = PROCESSORS.find(({ name }) => name === processor?.name)
  return {
    ...record,
    processor: {
      ...processor,
      merchantId: processor?.merchantId ?? account?.processorMerchantId ?? UNKNOWN_MERCHANT,
    },
  }
}

/** A record as the response to a write shows it, with a country (spec 2.7). Figures count only the country of a record. */
export function showWritten(record: ExternalPayment): ExternalPayment {
  const { order, paymentMethod } = record
  const issuerCountry = paymentMethod?.data?.binData?.issuerCountryCode
  return {
    ...showRecord(record),
    order: { ...order, countryCode: order?.countryCode ?? issuerCountry ?? DEFAULT_COUNTRY },
  }
}
