import { describe, expect, test } from 'vitest'
import { amountQuestion } from '../../../src/cli/amount/question.ts'
import { readAmount } from '../../../src/money/read-amount.ts'
import type { AmountFacts } from '../../../src/money/read-amount.ts'

const REFUND: AmountFacts = {
  label: 'Amount',
  currencyCode: 'EUR',
  isOfPayment: true,
  allowZero: false,
  fullAmount: { amountMinor: 1250 },
}
const UNREADABLE: AmountFacts = { ...REFUND, currencyCode: undefined, fullAmount: { amountMinor: undefined } }
const RECORD: AmountFacts = { label: 'Amount', currencyCode: undefined, allowZero: true }

describe('an amount is read back while it is typed', () => {
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
    expect(amountQuestion(REFUND).interpret?.(typed)).toBe(meaning)
  })

  test.each([
    ['700', '700 minor units'],
    ['7.00', undefined],
    ['7.001 KWD', '7.001 KWD = 7001'],
    ['700 JPY', '700 JPY = 700'],
  ])('%j without a currency: %s', (typed, meaning) => {
    expect(amountQuestion(RECORD).interpret?.(typed)).toBe(meaning)
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

  test.each([
    ['5', 'EUR', '5 would be 0.05 EUR. Type 5.00 for 5.00 EUR, or 0.05 for 0.05 EUR.'],
    [' 99 ', 'EUR', '99 would be 0.99 EUR. Type 99.00 for 99.00 EUR, or 0.99 for 0.99 EUR.'],
    ['12', 'KWD', '12 would be 0.012 KWD. Type 12.000 for 12.000 KWD, or 0.012 for 0.012 KWD.'],
  ])('%j, below one unit of %s, is questioned: %s', (typed, currencyCode, words) => {
    const facts = { ...REFUND, currencyCode, fullAmount: { amountMinor: 1_000_000 } }
    expect(amountQuestion(facts).check?.(typed)).toBe(words)
    expect(() => readAmount(facts, typed)).toThrow(words)
  })

  test.each([
    ['0.05', 'EUR', 5],
    ['0.05 EUR', 'EUR', 5],
    ['100', 'EUR', 100],
    ['5', 'JPY', 5],
  ])('%j of %s is accepted', (typed, currencyCode, amountMinor) => {
    const facts = { ...REFUND, currencyCode }
    expect(amountQuestion(facts).check?.(typed)).toBeUndefined()
    expect(readAmount(facts, typed)).toBe(amountMinor)
  })

  test('cannot name a currency that could not be checked', () => {
    expect(amountQuestion(UNREADABLE).check?.('2.50 EUR')).toContain('an unknown currency, not in EUR')
    expect(amountQuestion(UNREADABLE).check?.('2.50')).toContain('needs a currency')
    expect(readAmount(UNREADABLE, '250')).toBe(250)
    expect(readAmount(UNREADABLE, '')).toBeUndefined()
  })

  test('that is empty is refused if there is no full amount', () => {
    expect(amountQuestion({ ...REFUND, fullAmount: undefined }).check?.('')).toContain('is empty')
  })
})
