import type { Instrument } from '../../api/models/instrument.ts'
import type { StoredInstrument } from '../domain/stored.ts'
import { displayedMethod } from './method-view.ts'

/** A saved method as responses show it. */
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
