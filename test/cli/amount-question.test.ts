import { describe, expect, test } from 'vitest'
import { amountQuestion, readAmount } from '../../src/cli/amount-question.ts'
import type { AmountFacts } from '../../src/cli/amount-question.ts'

const REFUND: AmountFacts = {
  label: 'Amount',
  currencyCode: 'EUR',
  isOfPayment: true,
  allowZero: false,
  whole: { amountMinor: 1250 },
}
const UNREADABLE: AmountFacts = { ...REFUND, currencyCode: undefined, whole: { amountMinor: undefined } }
const RECORD: AmountFacts = { label: 'Amount', currencyCode: undefined, allowZero: true }

describe('what is typed is read back while it is typed', () => {
  test.each([
    ['12.50 EUR', '12.50 EUR = 1250'],
    ['12.50', '12.50 EUR = 1250'],
    ['1250', '12.50 EUR = 1250'],
    ['12', '0.12 EUR = 12'],
    ['7', '0.07 EUR = 7'],
    ['', undefined],
    ['12.', undefined],
    ['12.50 E', undefined],
    ['12.50 USD', undefined],
    ['nonsense', undefined],
  ])('%j of a payment in EUR: %s', (typed, meaning) => {
    expect(amountQuestion(REFUND).meaning?.(typed)).toBe(meaning)
  })

  test.each([
    ['700', '700 minor units'],
    ['7.00', undefined],
    ['7.001 KWD', '7.001 KWD = 7001'],
    ['700 JPY', '700 JPY = 700'],
  ])('%j without a currency: %s', (typed, meaning) => {
    expect(amountQuestion(RECORD).meaning?.(typed)).toBe(meaning)
  })
})

describe('an answer', () => {
  test.each([
    ['2.50', 250],
    [' 250 ', 250],
    ['12.50 EUR', 1250],
    ['', 1250],
  ])('%j is %i', (typed, amountMinor) => {
    expect(amountQuestion(REFUND).check?.(typed)).toBeUndefined()
    expect(readAmount(REFUND, typed)).toBe(amountMinor)
  })

  test.each([
    ['0', 'Amount is zero.'],
    ['-5', 'has a sign'],
    ['12,50', 'has a comma'],
    ['1.234', 'too many decimals'],
    ['2.50 USD', 'the currency is EUR'],
    ['12.51', 'That is more than the 12.50 EUR that is left'],
  ])('%j is refused: %s', (typed, problem) => {
    expect(amountQuestion(REFUND).check?.(typed)).toContain(problem)
    expect(() => readAmount(REFUND, typed)).toThrow()
  })

  test('of a payment whose currency nobody knows names none: it could not be checked', () => {
    expect(amountQuestion(UNREADABLE).check?.('2.50 EUR')).toContain('an unknown currency, not in EUR')
    expect(amountQuestion(UNREADABLE).check?.('2.50')).toContain('needs a currency')
    expect(readAmount(UNREADABLE, '250')).toBe(250)
    expect(readAmount(UNREADABLE, '')).toBeUndefined()
  })

  test('that is empty is none where all of it means nothing', () => {
    expect(amountQuestion({ ...REFUND, whole: undefined }).check?.('')).toContain('is empty')
  })
})
