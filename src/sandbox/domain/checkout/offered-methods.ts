import type { CheckoutSettings } from '../../../api/checkout-settings.ts'
import type { StoredSession } from '../stored.ts'

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
