import { expect, test } from 'vitest'
import { hidesSurcharge } from '../../../../src/pages/checkout/summary/price.ts'

const termsOf = (amount: number) => ({ amount })
const noSurcharge = (amount: number) => ({ amount, surcharge: undefined })

test('a surcharge that the settings hide is noticed', () => {
  expect(hidesSurcharge(termsOf(1000), noSurcharge(1000))).toBe(false)
  expect(hidesSurcharge(termsOf(1000), { amount: 1050, surcharge: 50 })).toBe(false)
  expect(hidesSurcharge(termsOf(1000), noSurcharge(1050))).toBe(true)
})
