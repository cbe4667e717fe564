import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../../../../src/api/checkout-settings.ts'
import { offeredTypes } from '../../../../src/sandbox/domain/checkout/offered-methods.ts'

const offered = (
  session: Omit<Parameters<typeof offeredTypes>[1], 'expiresAtMs'>,
  settings = DEFAULT_SETTINGS,
) => offeredTypes(settings, { ...session, expiresAtMs: 0 })

test.each([
  ['EUR', ['PAYMENT_CARD', 'PAYPAL', 'KLARNA', 'IDEAL']],
  ['USD', ['PAYMENT_CARD', 'PAYPAL']],
  [undefined, ['PAYMENT_CARD', 'PAYPAL']],
])('by default, %s has %j', (currencyCode, types) => {
  expect(offered({ currencyCode })).toEqual(types)
})

const DUTCH_CARDS = {
  ...DEFAULT_SETTINGS,
  methods: [{ type: 'PAYMENT_CARD', currencies: ['EUR'], countries: ['NL'] }],
}

test.each([
  ['the country of the order', { order: { countryCode: 'NL' } }, true],
  ['the country of the billing address', { customer: { billingAddress: { countryCode: 'NL' } } }, true],
  [
    'the order before the address',
    { order: { countryCode: 'DE' }, customer: { billingAddress: { countryCode: 'NL' } } },
    false,
  ],
  ['no country', {}, false],
])('by country: %s', (_, session, isOffered) => {
  expect(offered({ currencyCode: 'EUR', ...session }, DUTCH_CARDS)).toHaveLength(isOffered ? 1 : 0)
  expect(offered({ currencyCode: 'USD', ...session }, DUTCH_CARDS)).toEqual([])
})
