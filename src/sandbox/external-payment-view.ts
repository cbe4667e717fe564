import type { ExternalPayment } from '../api/external-payment.ts'
import { PROCESSORS } from './accounts.ts'

/** The merchant account of processors that the sandbox does not know, and the country of its merchant. */
const MERCHANT = { merchantId: 'external-1', countryCode: 'US' } as const

/**
 * A record as it is answered: with the merchant account and the country of the order, which the service adds where the
 * request leaves them out (spec 2.7).
 */
export function showRecord(record: ExternalPayment): ExternalPayment {
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
