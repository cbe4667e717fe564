import { expect, test } from 'vitest'
import { PAYMENT_SCENARIOS } from '../../../../src/sandbox/domain/scenarios/payment-scenarios.ts'
import { passesLuhn } from '../../../../src/text/luhn.ts'
import { networkName, schemeOf } from '../../../../src/pages/checkout/card/scheme.ts'

test.each([
  ['4', 'VISA'],
  ['4111111111111111', 'VISA'],
  ['51', 'MASTERCARD'],
  ['55', 'MASTERCARD'],
  ['2221', 'MASTERCARD'],
  ['2720', 'MASTERCARD'],
  ['34', 'AMEX'],
  ['37', 'AMEX'],
  ['300', 'DINERS_CLUB'],
  ['36', 'DINERS_CLUB'],
  ['3528', 'JCB'],
  ['3589', 'JCB'],
  ['6011', 'DISCOVER'],
  ['644', 'DISCOVER'],
  ['65', 'DISCOVER'],
  ['62', 'UNIONPAY'],
  ['50', 'MAESTRO'],
  ['5018', 'MAESTRO'],
  ['6304', 'MAESTRO'],
] as const)('%s is %s', (digits, network) => {
  expect(schemeOf(digits)?.network).toBe(network)
})

test.each(['', '2220', '2721', '3527', '3590', '306', '1', '9', '7', '0'])(
  '%j is of no known scheme',
  (digits) => {
    expect(schemeOf(digits)).toBeUndefined()
  },
)

test('every card of the sandbox has its network, its length and its check digit', () => {
  for (const { card, display } of PAYMENT_SCENARIOS) {
    if (card === undefined) continue
    expect(schemeOf(card)?.network, card).toBe(display?.network)
    expect(schemeOf(card)?.lengths, card).toContain(card.length)
    expect(passesLuhn(card), card).toBe(true)
  }
})

test('the check digit notices every single wrong digit and every swap of neighbours but 09', () => {
  const card = '4916994064252017'
  for (let index = 0; index < card.length; index += 1) {
    for (const digit of '0123456789') {
      const typed = card.slice(0, index) + digit + card.slice(index + 1)
      expect(passesLuhn(typed), typed).toBe(typed === card)
    }
    const [one = '', two = ''] = card.slice(index, index + 2)
    const swapped = card.slice(0, index) + two + one + card.slice(index + 2)
    if (swapped !== card && !['09', '90'].includes(one + two))
      expect(passesLuhn(swapped), swapped).toBe(false)
  }
  expect(passesLuhn('')).toBe(false)
})

test('a network that the form does not know is shown as the API names it', () => {
  expect(networkName('AMEX')).toBe('American Express')
  expect(networkName('CARTES_BANCAIRES')).toBe('CARTES_BANCAIRES')
})
