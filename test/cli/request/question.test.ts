import { describe, expect, test } from 'vitest'
import { amountQuestion, askForAmount } from '../../../src/cli/request/ask-amount.ts'
import { readAmount } from '../../../src/money/read-amount.ts'
import type { AmountFacts } from '../../../src/money/read-amount.ts'
import { scriptedPrompts } from '../../support/scripted-prompts.ts'
import type { Prompts } from '../../support/scripted-prompts.ts'

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
    ['12,50', '12.50 EUR = 1250'],
    ["'12.50 EUR'", '12.50 EUR = 1250'],
    ['half', '6.25 EUR = 625'],
    ['33.3 %', '4.16 EUR = 416'],
    ['all', '12.50 EUR = 1250'],
    ['104', '104.00 or 1.04 EUR'],
    ['0', '0.00 EUR = 0'],
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
    [' 2,50 ', 250],
    ['2,50 EUR', 250],
    ['"2.50 EUR"', 250],
    ['12 EUR', 1200],
    ['12.50 EUR', 1250],
    ['', 1250],
    ['all', 1250],
    ['half', 625],
    ['Half', 625],
    ['50%', 625],
    ['99.99%', 1249],
    ['0,08%', 1],
    ['100 %', 1250],
  ])('%j is %i', (typed, amountMinor) => {
    expect(amountQuestion(REFUND).check?.(typed)).toBeUndefined()
    expect(readAmount(REFUND, typed)).toBe(amountMinor)
  })

  test.each([
    ['0', 'Amount is zero.'],
    ['-5', 'has a sign'],
    ['12,5', 'has a comma'],
    ['1,250', 'has a separator'],
    ['1.234', 'too many decimals'],
    ['2.50 USD', 'the currency is EUR'],
    ['12.51', 'That is more than the 12.50 EUR that is left'],
    ['0%', '0% of 12.50 EUR is nothing'],
    ['0.07%', '0.07% of 12.50 EUR is nothing'],
    ['100.1%', '100.1% is more than all of it'],
    ['-50%', 'has a sign'],
    ['halve', 'is not an amount'],
    ['1251', 'That is more than the 12.50 EUR that is left'],
  ])('%j is refused: %s', (typed, problem) => {
    expect(amountQuestion(REFUND).check?.(typed)).toContain(problem)
    expect(() => readAmount(REFUND, typed)).toThrow()
  })

  test.each([
    ['2,50', 'KWD'],
    ['2,500', 'KWD'],
    ['2,50', 'JPY'],
  ])('%j of %s has no decimal comma', (typed, currencyCode) => {
    expect(amountQuestion({ ...REFUND, currencyCode }).check?.(typed)).toMatch(/comma|separator/)
  })

  test.each(['half', '50%', 'all'])('a new total is not %s', (typed) => {
    expect(amountQuestion({ ...REFUND, fullAmount: undefined }).check?.(typed)).toContain('is not an amount')
  })

  test.each(['half', '50%'])('%s of what is unknown is refused', (typed) => {
    expect(amountQuestion(UNREADABLE).check?.(typed)).toContain('How much is left is unknown')
  })

  test.each([
    ['0.05', 'EUR', 5],
    ['0.05 EUR', 'EUR', 5],
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

describe('a whole number of a currency with decimals is asked about', () => {
  async function ask(facts: AmountFacts, ...answers: readonly string[]) {
    const asked: string[] = []
    const warnings: string[] = []
    const left = [...answers]
    const text: Prompts['text'] = async ({ label, check }) => {
      for (;;) {
        const answer = left.shift() ?? expect.unreachable(`asked ${label}`)
        const problem = check?.(answer)
        asked.push(`${label} ${answer}${problem === undefined ? '' : ` – ${problem}`}`)
        if (problem === undefined) return answer
      }
    }
    const prompts = { ...scriptedPrompts({}, { questions: [], offered: {} }), text }
    const warn = async (line: string) => void warnings.push(line)
    return { amount: await askForAmount({ prompts: async () => prompts, warn }, facts), asked, warnings }
  }
  const MUCH = { ...REFUND, fullAmount: { amountMinor: 20_800 } }

  test.each([
    ['EUR', '104', '1', '104.00 EUR', '104.00 EUR or 1.04 EUR?'],
    ['EUR', '0104', '2', '1.04 EUR', '104.00 EUR or 1.04 EUR?'],
    ['EUR', '104', '104.00', '104.00 EUR', '104.00 EUR or 1.04 EUR?'],
    ['EUR', '104', ' 1.04 EUR ', '1.04 EUR', '104.00 EUR or 1.04 EUR?'],
    ['KWD', '12', '2', '0.012 KWD', '12.000 KWD or 0.012 KWD?'],
  ])('%s %s: %s is %s', async (currencyCode, typed, answer, amount, question) => {
    const told = await ask({ ...MUCH, currencyCode }, typed, answer)
    expect(told).toEqual({ amount, asked: [`Amount ${typed}`, `${question} ${answer}`], warnings: [] })
  })

  test.each(['', '3', 'y', '104', '2.00'])('and %j answers nothing', async (answer) => {
    const { amount, asked } = await ask(MUCH, '104', answer, '2')
    expect(amount).toBe('1.04 EUR')
    expect(asked[1]).toBe(`104.00 EUR or 1.04 EUR? ${answer} – Type 1 for 104.00 EUR, or 2 for 1.04 EUR`)
  })

  test('even where the larger is too much, which is then refused', async () => {
    expect(await ask(MUCH, '209', '1', '209', '2')).toEqual({
      amount: '2.09 EUR',
      asked: ['Amount 209', '209.00 EUR or 2.09 EUR? 1', 'Amount 209', '209.00 EUR or 2.09 EUR? 2'],
      warnings: ['That is more than the 208.00 EUR that is left'],
    })
  })

  test('but not where it has one reading, or none is possible', async () => {
    const { asked } = await ask({ ...MUCH, currencyCode: 'JPY' }, '104')
    expect(asked).toEqual(['Amount 104'])
    const { asked: refused } = await ask(MUCH, '20801', 'half')
    expect(refused[0]).toBe('Amount 20801 – That is more than the 208.00 EUR that is left')
  })

  test('and is not read anywhere without asking', () => {
    expect(() => readAmount(MUCH, '104')).toThrow('104.00 EUR or 1.04 EUR? Type one of them')
  })
})
