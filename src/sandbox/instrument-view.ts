import type { Instrument } from '../api/instrument.ts'
import { displayedMethod } from './method-view.ts'
import type { StoredInstrument } from './store/instruments.ts'

/** A saved method as it is answered. */
export function showInstrument(instrument: StoredInstrument): Instrument {
  const { paymentMethodType, paymentMethodData } = displayedMethod(instrument.scenario)
  const { network, last4Digits } = paymentMethodData ?? {}
  return {
    createdAt: instrument.createdAt,
    deletedAt: instrument.deletedAt,
    deleted: instrument.deletedAt !== undefined,
    token: instrument.token,
    tokenType: 'MULTI_USE',
    analyticsId: instrument.analyticsId,
    paymentMethodType,
    paymentMethodData,
    customerId: instrument.customerId,
    description:
      last4Digits === undefined ? paymentMethodType : `${network ?? 'Card'} ending in ${last4Digits}`,
    default: instrument.isDefault,
    isVerified: instrument.isVerified,
  }
}
