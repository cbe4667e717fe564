import type { paymentMethodData } from '../../api/models/payment-method.ts'
import type { Shape } from '../../api/schema.ts'
import { scenarioOfToken } from '../domain/scenarios/payment-scenarios.ts'
import type { Instrument } from '../../api/models/instrument.ts'
import type { StoredInstrument } from '../domain/stored.ts'

interface DisplayedMethod {
  readonly paymentMethodType: string
  readonly paymentMethodData: Shape<typeof paymentMethodData> | undefined
}

/** How responses show a payment method, derived from its scenario. */
export function displayedMethod(scenarioToken: string): DisplayedMethod {
  const scenario = scenarioOfToken(scenarioToken)
  const display = scenario?.display
  return {
    paymentMethodType: scenario?.paymentMethodType ?? 'PAYMENT_CARD',
    paymentMethodData:
      display === undefined
        ? undefined
        : {
            first6Digits: display.first6Digits,
            last4Digits: display.last4Digits,
            expirationMonth: '03',
            expirationYear: '2099',
            cardholderName: 'Sandbox Customer',
            network: display.network,
            isNetworkTokenized: false,
            binData: {
              network: display.network,
              issuerCountryCode: 'US',
              issuerName: 'Sandbox Bank',
              issuerCurrencyCode: 'USD',
              regionalRestriction: display.regionalRestriction ?? 'UNKNOWN',
              accountNumberType: 'PRIMARY_ACCOUNT_NUMBER',
              accountFundingType: display.accountFundingType,
              prepaidReloadableIndicator: display.prepaidReloadableIndicator ?? 'NOT_APPLICABLE',
              productUsageType: 'CONSUMER',
              productCode: display.network,
              productName: display.network,
            },
          },
  }
}

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
