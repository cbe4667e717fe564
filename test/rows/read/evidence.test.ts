import { describe, expect, test } from 'vitest'
import { namesMinorUnits, writtenAmount } from '../../../src/rows/map/amount-style.ts'
import { parseDateFormat } from '../../../src/rows/map/date-format.ts'
import type { DateFormat } from '../../../src/rows/map/date-format.ts'
import { timeZoneOf } from '../../../src/rows/map/time-zone.ts'
import {
  createAmountForms,
  idsMadeNumbers,
  otherZone,
  refuseContradictions,
} from '../../../src/rows/read/evidence.ts'
import type { SampleRow } from '../../../src/rows/read/evidence.ts'

const rowsOf = (amounts: readonly (readonly [amount: string, currencyCode: string])[]): SampleRow[] =>
  amounts.map(([amount, currencyCode], at) => ({
    row: at + 1,
    ids: [],
    amount,
    currencyCode,
    createdAt: '',
    zone: '',
  }))

describe('an amount is written', () => {
  test.each([
    ['20', 'EUR', 'plain', 'whole'],
    ['20.00', 'EUR', 'plain', 'major'],
    ['1,234.50', 'EUR', 'plain', 'major'],
    ['20 EUR', '', 'plain', 'major'],
    ['€ 20', '', 'plain', 'major'],
    ['20,-', 'EUR', 'decimal-comma', 'major'],
    ['1.234', 'EUR', 'decimal-comma', 'whole'],
    ['1.234,50', 'EUR', 'decimal-comma', 'major'],
    ['1,234', 'EUR', 'thousands-comma', 'whole'],
    ['20', 'JPY', 'plain', undefined],
    ['0', 'EUR', 'plain', undefined],
    ['20.00', 'JPY', 'plain', undefined],
    ['20,00', 'EUR', 'plain', undefined],
    ['1\u00A0009,99', 'EUR', 'decimal-comma', 'major'],
    ["1'009.95", 'CHF', 'plain', 'major'],
    ['$20.00', '', 'plain', 'major'],
    ['1,240', 'EUR', 'plain', undefined],
    ['all', 'EUR', 'plain', undefined],
    ['', 'EUR', 'plain', undefined],
    ['-5', 'EUR', 'plain', undefined],
    ['£ 20', 'EUR', 'plain', undefined],
  ] as const)('%s %s (%s): %s', (text, currencyCode, numbers, form) =>
    expect(writtenAmount(text, currencyCode, numbers)?.form).toBe(form),
  )
})

describe('amounts contradict each other', () => {
  test.each([
    [
      'with and without decimals',
      [
        ['20', 'EUR'],
        ['19.90', 'EUR'],
      ],
      [1, 2],
    ],
    [
      'with and without a currency',
      [
        ['20 EUR', ''],
        ['15', ''],
      ],
      [1, 2],
    ],
    [
      'in one of two currencies',
      [
        ['20', 'EUR'],
        ['20.00', 'USD'],
        ['5', 'USD'],
      ],
      [2, 3],
    ],
    [
      'where the first one has no currency',
      [
        ['20', ''],
        ['19.90', 'EUR'],
      ],
      [1, 2],
    ],
    [
      'where the last one has no currency',
      [
        ['20.00', 'EUR'],
        ['5', ''],
      ],
      [1, 2],
    ],
    [
      'even if the decimals are zeros',
      [
        ['20', 'EUR'],
        ['20.0', 'EUR'],
      ],
      [1, 2],
    ],
  ] as const)('%s', (_, amounts, places) => {
    const refuse = () => refuseContradictions(rowsOf(amounts), PLAIN, createAmountForms('plain'))
    expect(refuse).toThrow(new RegExp(`row ${places[0]} has .* row ${places[1]} has`))
  })

  test.each([
    [
      'all are whole',
      [
        ['20', 'EUR'],
        ['1990', 'EUR'],
      ],
    ],
    [
      'all have decimals or a currency',
      [
        ['20 EUR', ''],
        ['19.90', 'EUR'],
      ],
    ],
    [
      'they are in two currencies',
      [
        ['20', 'EUR'],
        ['19.90', 'USD'],
      ],
    ],
    [
      'one currency has no decimals',
      [
        ['20', 'JPY'],
        ['20.00', 'JPY'],
        ['19.90', 'EUR'],
      ],
    ],
  ] as const)('not if %s', (_, amounts) => {
    expect(() => refuseContradictions(rowsOf(amounts), PLAIN, createAmountForms('plain'))).not.toThrow()
  })

  test('not if the user says what they are', () =>
    expect(() =>
      refuseContradictions(
        rowsOf([
          ['20', 'EUR'],
          ['19.90', 'EUR'],
        ]),
        PLAIN,
        undefined,
      ),
    ).not.toThrow())
})

const PLAIN = { amounts: 'typed', assumesUtc: false } as const

function formatOf(pattern: string): DateFormat {
  const format = parseDateFormat(pattern)
  if ('read' in format) return format
  throw new Error(format.kind)
}

describe('a date format', () => {
  const refuseDates = (pattern: string, times: readonly string[]) => () =>
    refuseContradictions(
      times.map((createdAt, at) => ({
        row: at + 1,
        ids: [],
        amount: '1',
        currencyCode: 'EUR',
        createdAt,
        zone: '',
      })),
      { ...PLAIN, dateFormat: formatOf(pattern) },
      undefined,
    )

  test.each([
    ['MM/dd/yyyy HH:mm', ['05/10/2026 10:00', '25/10/2026 10:00'], 'dd/MM/yyyy HH:mm'],
    ['dd.MM.yyyy', ['10.25.2026', '10.01.2026'], 'MM.dd.yyyy'],
    ['d/M/yyyy', ['10/25/26', '1/2/26'], 'M/d/yy'],
    ['dd/MM/yy', ['01/02/2026'], 'dd/MM/yyyy or MM/dd/yyyy'],
    ['dd.MM.yyyy HH:mm', ['28.11.2026 9:30', '5.12.2026 10:05'], 'd.M.yyyy H:mm'],
    ['dd.MM.yyyy HH:mm', ['28.11.2026 9:30', '05.12.2026 10:05'], 'dd.MM.yyyy H:mm'],
    ['dd/MM/yyyy', ['10/25/2026 10:00 PM'], 'MM/dd/yyyy hh:mm a'],
    ['yyyy-MM-dd', ['20261125', '20261201'], 'yyyyMMdd'],
    ['dd.MM.yyyy HH:mm', ['2026-11-28 09:30'], 'ISO 8601'],
  ])('%s is refused if another one fits every row', (pattern, times, better) =>
    expect(refuseDates(pattern, times)).toThrow(`${better} fits all of them`),
  )

  test.each([
    ['fits every row', 'MM/dd/yyyy', ['05/10/2026', '06/11/2026']],
    ['lacks only the zone', 'MM/dd/yyyy HH:mm', ['05/25/2026 10:00', '06/30/2026 10:00']],
    ['has no better one', 'MM/dd/yyyy', ['13/13/2026', '25/10/2026']],
    [
      'fits nearly every row',
      'MM/dd/yyyy',
      [...Array.from({ length: 20 }, () => '05/10/2026'), '25/10/2026'],
    ],
    ['has the month in words', 'dd MMM yyyy', ['10 Oct 2026', 'Oct 10 2026']],
  ])('is kept if it %s', (_, pattern, times) => expect(refuseDates(pattern, times)).not.toThrow())
})

describe('IDs that a program made numbers of', () => {
  const sampleOf = (ids: readonly (readonly string[])[]): SampleRow[] =>
    ids.map((all, at) => ({
      row: at + 1,
      ids: all,
      amount: '1',
      currencyCode: 'EUR',
      createdAt: '',
      zone: '',
    }))

  test.each([
    [
      'all end in .0',
      [
        ['450789469.0', 'A-1'],
        ['450789470.0', 'A-2'],
      ],
      [0],
    ],
    [
      'all but words for nothing',
      [
        ['450789469.0', ''],
        ['nan', ''],
      ],
      [0],
    ],
    [
      'orders too',
      [
        ['p1', '1.0'],
        ['p2', '2.0'],
      ],
      [1],
    ],
    [
      'not if one ends otherwise',
      [
        ['1.0', ''],
        ['2', ''],
      ],
      [],
    ],
    [
      'not if there are none',
      [
        ['', ''],
        ['', ''],
      ],
      [],
    ],
  ])('%s', (_, ids, places) => expect(idsMadeNumbers(sampleOf(ids))).toEqual(places))
})

test.each([
  ['Europe/Berlin', 'Europe/Berlin', undefined],
  ['Europe/Berlin', 'Berlin', undefined],
  ['Europe/Berlin', '', undefined],
  ['Europe/Berlin', 'shop 7', undefined],
  ['Europe/Berlin', 'America/New_York', 'America/New_York'],
  ['UTC', 'Eastern Time (US & Canada)', 'Eastern Time (US & Canada)'],
])('times read in %s, beside the zone %s: %s', (read, zone, other) => {
  const row = { row: 1, ids: [], amount: '1', currencyCode: 'EUR', createdAt: '', zone }
  expect(otherZone([row], { ...PLAIN, timezone: timeZoneOf(read) })?.zone).toBe(other)
})

test.each([
  ['amount_cents', true],
  ['amountCents', true],
  ['Refund amount (pence)', true],
  ['Belopp (öre)', true],
  ['AMOUNT_MINOR', true],
  ['amount', false],
  ['percent', false],
  ['Recent total', false],
  ['Amount (EUR)', false],
])('the name %s says minor units: %s', (name, isMinor) => expect(namesMinorUnits(name)).toBe(isMinor))
