import { describe, expect, test } from 'vitest'
import { readCell } from '../../../src/rows/map/cell.ts'
import type { CellOptions } from '../../../src/rows/map/cell.ts'

const read = (
  text: string,
  numbers: CellOptions['numbers'],
  currency = 'EUR',
  amounts: CellOptions['amounts'] = 'major',
  kind: 'amount' | 'amount-or-all' = 'amount',
) => readCell(kind, text, { amounts, numbers, assumesUtc: false }, currency)

describe('an amount in major units may carry its currency', () => {
  test.each([
    ['€ 12,00', 'decimal-comma', 'EUR', 1200],
    ['12,00 €', 'decimal-comma', 'EUR', 1200],
    ['12,00\u00A0EUR', 'decimal-comma', 'eur', 1200],
    ['EUR 1.234,50', 'decimal-comma', 'EUR', 123_450],
    ['1.234,50€', 'decimal-comma', 'EUR', 123_450],
    ['5,-', 'decimal-comma', 'EUR', 500],
    ['€ 5,\u2013', 'decimal-comma', 'EUR', 500],
    ['1.234,--', 'decimal-comma', 'EUR', 123_400],
    ['€ 1.234,-', 'decimal-comma', 'EUR', 123_400],
    ['1,234.-', 'thousands-comma', 'CHF', 123_400],
    ['12.34,-', 'plain', 'EUR', undefined],
    ['12,34,-', 'decimal-comma', 'EUR', undefined],
    ['$ 1,234.50', 'thousands-comma', 'CAD', 123_450],
    ['12.50 EUR', 'plain', 'EUR', 1250],
    ['¥1200', 'plain', 'JPY', 1200],
    ['¥1,200', 'plain', 'JPY', 1200],
    ['10,000円', 'plain', 'JPY', 10_000],
    ['1,200', 'plain', 'EUR', undefined],
    ['₹1,20,000.00', 'plain', 'INR', 12_000_000],
    ['1,20,000', 'plain', 'INR', undefined],
    ["CHF 1'009.95", 'plain', 'CHF', 100_995],
    ['1\u2019009.\u2013', 'plain', 'CHF', 100_900],
    ["1'009,95", 'plain', 'CHF', undefined],
    ['1.009,99 zł', 'decimal-comma', 'PLN', 100_999],
    ['R$\u00A012,00', 'decimal-comma', 'BRL', 1200],
    ['kr 99,-', 'decimal-comma', 'NOK', 9900],
    ['Kr. 99,00', 'decimal-comma', 'DKK', 9900],
    ['99,00 kr.', 'decimal-comma', 'SEK', 9900],
    ['1 009,99 Kč', 'decimal-comma', 'CZK', 100_999],
    ['1 009,99 Kc\u030C', 'decimal-comma', 'CZK', 100_999],
    ['12 000 Ft', 'decimal-comma', 'HUF', 1_200_000],
    ['5,50 TL', 'decimal-comma', 'TRY', 550],
    ['US$ 12.50', 'plain', 'USD', 1250],
    ['kr.99', 'decimal-comma', 'DKK', undefined],
    ['5,50 constructor', 'decimal-comma', 'EUR', undefined],
  ] as const)('%s', (text, numbers, currency, amount) => {
    const found = read(text, numbers, currency)
    expect(typeof found === 'object' ? undefined : found).toBe(amount)
  })

  test.each([
    ['12,00 USD', 'is in another currency than its row'],
    ['£ 12,00', 'is in another currency than its row'],
    ['12,00 zł', 'is in another currency than its row'],
    ['US$ 12,00', 'is in another currency than its row'],
    ['KR-12,00', 'has letters or a currency sign'],
    ['12,00 EURO', 'has letters or a currency sign'],
    ['€ -5,00', 'is negative'],
    ['€ 12.00', 'has a point in the wrong place'],
  ])('%s does not fit EUR with decimal commas', (text, kind) =>
    expect(read(text, 'decimal-comma')).toMatchObject({ kind }),
  )

  test('the advice fits the decimal sign', () =>
    expect(read('12x', 'decimal-comma')).not.toMatchObject({ hint: expect.stringContaining('point') }))
})

test.each([
  ['major', '€ 12,00', '12.00 EUR'],
  ['major', '12,00', 12],
  ['typed', '€ 12,00', '12.00 EUR'],
  ['typed', 'EUR 5,-', '5 EUR'],
  ['typed', '5,-', '5.00'],
  ['typed', 'R$ 5,00', '5.00 BRL'],
  ['typed', '5,00 lei', 'has a sign of several currencies'],
  ['typed', 'kr 5,00', 'has a sign of several currencies'],
  ['typed', '$ 5,00', 'has a sign of several currencies'],
] as const)('a row without a currency takes that of the cell: %s %s', (amounts, text, expected) => {
  const found = read(text, 'decimal-comma', '', amounts, 'amount-or-all')
  expect(typeof found === 'object' ? found.kind : found).toBe(expected)
})
