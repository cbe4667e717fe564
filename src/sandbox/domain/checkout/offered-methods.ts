import type { CheckoutSettings } from '../../../api/checkout-settings.ts'
import type { StoredSession } from '../stored.ts'
import { Problem } from '../../problem.ts'
import type { PaymentScenario } from '../scenarios/payment-scenarios.ts'
import type { ClientSession } from '../context.ts'

/** The types that the settings offer for the currency and country of a session, in the order of the settings. */
export const offeredTypes = (settings: CheckoutSettings, session: StoredSession): readonly string[] =>
  settings.methods
    .filter(
      ({ currencies, countries }) =>
        includes(currencies, session.currencyCode) && includes(countries, countryOf(session)),
    )
    .map(({ type }) => type)

const includes = (wanted: readonly string[], given: string | undefined): boolean =>
  wanted.length === 0 || (given !== undefined && wanted.includes(given))

const countryOf = ({ order, customer }: StoredSession): string | undefined =>
  order?.countryCode ?? customer?.billingAddress?.countryCode

/** The scenario of a payment made with a client token, as changed by the settings. */
export function checkoutScenario(
  scenario: PaymentScenario,
  { threeDSecure }: CheckoutSettings,
): PaymentScenario {
  if (threeDSecure === 'always' && isWithoutScenario(scenario))
    return { ...scenario, onCreate: 'wait', requiredAction: '3DS_AUTHENTICATION', threeDSecure: 'challenge' }
  if (threeDSecure === 'never' && scenario.threeDSecure === 'challenge') {
    const { requiredAction: _, ...rest } = scenario
    return { ...rest, onCreate: 'approve', threeDSecure: 'skipped' }
  }
  return scenario
}

/** Whether the card leaves 3DS to the settings. */
const isWithoutScenario = ({ paymentMethodType, threeDSecure, requiredAction }: PaymentScenario): boolean =>
  paymentMethodType === 'PAYMENT_CARD' && threeDSecure === undefined && requiredAction === undefined

/** Refuses a method that isn't offered: the settings may have changed since it was tokenized. */
export function refuseUnlessOffered(
  { paymentMethodType }: PaymentScenario,
  settings: CheckoutSettings,
  { session }: ClientSession,
): void {
  if (!offeredTypes(settings, session).includes(paymentMethodType))
    throw new Problem('PaymentError', `The checkout doesn't offer ${paymentMethodType} for this session.`)
}
