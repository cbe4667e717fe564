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
  ] as const)('%s', (text, numbers, currency, amount) => {
    const found = read(text, numbers, currency)
    expect(typeof found === 'object' ? undefined : found).toBe(amount)
  })

  test.each([
    ['12,00 USD', 'is in another currency than its row'],
    ['£ 12,00', 'is in another currency than its row'],
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
  ['typed', '$ 5,00', 'has a sign of several currencies'],
] as const)('a row without a currency takes that of the cell: %s %s', (amounts, text, expected) => {
  const found = read(text, 'decimal-comma', '', amounts, 'amount-or-all')
  expect(typeof found === 'object' ? found.kind : found).toBe(expected)
})
