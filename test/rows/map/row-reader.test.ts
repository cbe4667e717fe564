import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createExternalPayment } from '../../../src/api/operations/observability.ts'
import type { CellOptions } from '../../../src/rows/map/cell.ts'
import { planColumns } from '../../../src/rows/map/mapping.ts'
import { createRowReader } from '../../../src/rows/map/row-reader.ts'
import { createRowWarnings } from '../../../src/rows/map/row-warnings.ts'
import { checkBody } from '../../../src/cli/request/validate.ts'
import { RECORD, RECORD_FIELDS, REQUIRED_FIELDS } from '../../../src/rows/import/record-fields.ts'
import { scaledRuns } from '../../support/test-effort.ts'

const OPTIONS: CellOptions = { amounts: 'minor', assumesUtc: false }
const NO_MAPPING = { columns: new Map<string, string>(), constants: new Map<string, string>() }
const GOOD = ['ext-1', 'EUR', 'ACME', '700', '2026-01-31T09:30:00Z', 'A-1', 'PAYMENT_CARD']

const readerOf = (
  header: readonly string[],
  options = OPTIONS,
  constants: Readonly<Record<string, string>> = {},
) => {
  const rowWarnings = createRowWarnings()
  const mapping = { ...NO_MAPPING, constants: new Map(Object.entries(constants)) }
  const plan = planColumns(RECORD, header, mapping, options)
  return { read: createRowReader(RECORD, plan, options, rowWarnings), rowWarnings }
}
const bodyOf = (result: ReturnType<ReturnType<typeof readerOf>['read']>): unknown =>
  'body' in result ? result.body : result

describe('a row', () => {
  test('becomes a body without its empty cells', () => {
    const { read } = readerOf([...REQUIRED_FIELDS, 'status', 'descriptor', 'metadata.store', 'metadata.a.b'])
    expect(read([...GOOD, 'SETTLED', '', 'berlin', 'x'])).toEqual({
      id: 'ext-1',
      isDoubtful: false,
      body: {
        paymentId: 'ext-1',
        currencyCode: 'EUR',
        processor: { name: 'ACME' },
        amount: 700,
        createdAt: '2026-01-31T09:30:00Z',
        order: { id: 'A-1' },
        paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
        status: 'SETTLED',
        metadata: { store: 'berlin', 'a.b': 'x' },
      },
    })
  })

  test('reports all of its problems', () => {
    const { read } = readerOf(REQUIRED_FIELDS)
    expect(read(['1.23E+10', 'eux', '', '12,50', '31/01/2026', 'null', '=B2'])).toMatchObject([
      { column: 'paymentId', value: '1.23E+10', kind: 'is a number that a spreadsheet shortened' },
      { column: 'currencyCode', value: 'eux', hint: 'Did you mean EUR?' },
      { column: 'processor.name', value: '', kind: 'is empty' },
      { column: 'amount', value: '12,50', kind: 'has a comma' },
      { column: 'createdAt', value: '31/01/2026', kind: 'does not show which number is the month' },
      { column: 'order.id', value: 'null', kind: 'is a word for nothing, not an ID' },
      { column: 'paymentMethod.paymentMethodType', value: '=B2', kind: 'is a formula' },
    ])
  })

  test.each([' ', '\t', '\u00A0', '`', ' ` '])('loses %j around its cells, which is counted', (blank) => {
    const { read, rowWarnings } = readerOf(REQUIRED_FIELDS)
    const result = read(GOOD.map((cell) => `${blank}${cell}${blank}`))
    expect(bodyOf(result)).toEqual(bodyOf(readerOf(REQUIRED_FIELDS).read(GOOD)))
    expect(rowWarnings.all()).toHaveLength(REQUIRED_FIELDS.length)
    expect(rowWarnings.all()[0]?.text).toContain('blanks, tabs or backticks around the cell are left out')
  })

  test('whose ID begins with an apostrophe is warned of', () => {
    const { read, rowWarnings } = readerOf(REQUIRED_FIELDS)
    expect(bodyOf(read(GOOD.with(0, "'0012")))).toMatchObject({ paymentId: "'0012" })
    expect(rowWarnings.all()).toEqual([
      expect.objectContaining({ text: expect.stringContaining('apostrophe') }),
    ])
  })

  describe.each(['nan', 'None', 'NULL', 'n/a', '#N/A', '#REF!'])('with %s', (word) => {
    test('is bad where that is an ID', () =>
      expect(readerOf(REQUIRED_FIELDS).read(GOOD.with(0, word))).toMatchObject([{ column: 'paymentId' }]))

    test('lacks an amount, a time, and a value of a closed set', () => {
      const { read } = readerOf([...REQUIRED_FIELDS, 'paymentType'])
      expect(bodyOf(read([...GOOD, word]))).not.toHaveProperty('paymentType')
      for (const at of [REQUIRED_FIELDS.indexOf('amount'), REQUIRED_FIELDS.indexOf('createdAt')])
        expect(read([...GOOD.with(at, word), ''])).toMatchObject([{ kind: 'is empty' }])
    })

    test('has it where text is expected', () =>
      expect(bodyOf(readerOf([...REQUIRED_FIELDS, 'metadata.note']).read([...GOOD, word]))).toMatchObject({
        metadata: { note: word },
      }))
  })

  test('reads its time in the zone of its own column', () => {
    const { read } = readerOf([...REQUIRED_FIELDS, 'Zone'], { ...OPTIONS, timezoneColumn: 'zone' })
    const at = REQUIRED_FIELDS.indexOf('createdAt')
    const inZone = (zone: string) => read([...GOOD.with(at, '2026-07-01 09:30'), zone])
    expect(bodyOf(inZone('Berlin'))).toMatchObject({ createdAt: '2026-07-01T07:30:00Z' })
    expect(bodyOf(inZone('-05:00'))).toMatchObject({ createdAt: '2026-07-01T14:30:00Z' })
    expect(inZone('')).toMatchObject([{ column: 'createdAt', kind: 'has no time zone' }])
    expect(inZone('Mars')).toMatchObject([
      { column: 'Zone', kind: 'is not a time zone' },
      { column: 'createdAt' },
    ])
  })

  test.each(['Currency', 'currency_code', 'currencyCode'])('is bad if its %s is not the constant', (name) => {
    const header = ['paymentId', name, ...REQUIRED_FIELDS.slice(2)]
    const mapping = {
      columns: new Map([['order.id', 'order.id']]),
      constants: new Map([['currencyCode', 'EUR']]),
    }
    const plan = planColumns(RECORD, header, mapping, OPTIONS)
    const read = createRowReader(RECORD, plan, OPTIONS, createRowWarnings())
    expect(read(GOOD.with(1, 'GBP'))).toMatchObject([{ kind: 'is another currency than the constant EUR' }])
    for (const same of ['EUR', 'eur', '', 'n/a']) expect('body' in read(GOOD.with(1, same))).toBe(true)
  })

  test.each([
    ['1969-07-20T20:17:40Z', 'before the year 2000'],
    ['2030-01-01T00:00:00Z', 'in the future'],
  ])('is warned of if its time is %s: %s', (time, words) => {
    const { read, rowWarnings } = readerOf(REQUIRED_FIELDS, { ...OPTIONS, latest: '2026-03-03' })
    expect('body' in read(GOOD.with(REQUIRED_FIELDS.indexOf('createdAt'), time))).toBe(true)
    expect(rowWarnings.all()[0]?.text).toContain(words)
  })

  test.each([
    [GOOD.slice(1), 'has 6 cells, but the header has 7'],
    [[...GOOD, ''], 'has 8 cells, but the header has 7'],
    [['x'], 'has 1 cell, but the header has 7'],
  ])('is rejected if it has another length: %#', (cells, kind) =>
    expect(readerOf(REQUIRED_FIELDS).read(cells)).toMatchObject([{ column: undefined, kind }]),
  )

  test('reports a single problem if it is empty', () =>
    expect(readerOf(REQUIRED_FIELDS).read(GOOD.map(() => ''))).toMatchObject([
      { column: undefined, kind: 'is empty' },
    ]))

  test('gets the constants', () => {
    const { read } = readerOf(
      REQUIRED_FIELDS.filter((field) => field !== 'currencyCode'),
      { ...OPTIONS, amounts: 'major' },
      { currencyCode: 'KWD', 'metadata.batch': '7' },
    )
    const result = read(GOOD.filter((cell) => cell !== 'EUR').with(2, '1.234'))
    expect(bodyOf(result)).toMatchObject({ currencyCode: 'KWD', amount: 1234, metadata: { batch: '7' } })
  })

  test('reports only the currency if it does not exist', () => {
    const { read } = readerOf(REQUIRED_FIELDS, { ...OPTIONS, amounts: 'major' })
    expect(read(GOOD.with(1, 'EURO').with(3, '7.00'))).toMatchObject([{ column: 'currencyCode' }])
  })
})

describe('metadata', () => {
  test('can have keys of any name without reaching a prototype', () => {
    const { read } = readerOf([
      ...REQUIRED_FIELDS,
      'metadata.__proto__',
      'metadata.constructor',
      'metadata.toString',
    ])
    const body = bodyOf(read([...GOOD, 'a', 'b', 'c']))
    expect(JSON.stringify(body)).toContain('"metadata":{"__proto__":"a","constructor":"b","toString":"c"}')
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
  })

  test('can have ten thousand keys', () => {
    const keys = Array.from({ length: 10_000 }, (_, index) => `metadata.k${index}`)
    const { read } = readerOf([...REQUIRED_FIELDS, ...keys])
    const body = bodyOf(read([...GOOD, ...keys]))
    expect(body).toMatchObject({ metadata: { k0: 'metadata.k0', k9999: 'metadata.k9999' } })
  })
})

describe('a value outside its set', () => {
  test('is a warning for each column and value if the set is open', () => {
    const { read, rowWarnings } = readerOf([...REQUIRED_FIELDS, 'status', 'order.countryCode'])
    for (const status of ['SETLED', 'SETLED', 'SETTLED', 'NEW'])
      expect(read([...GOOD, status, 'DE'])).toHaveProperty('body')
    expect(read([...GOOD, 'NEW', 'DE'])).toMatchObject({ isDoubtful: true })
    for (const country of ['Germany', 'XQ', 'de']) read([...GOOD, 'SETLED', country])
    expect(rowWarnings.all().map(({ text, count }) => ({ text, count }))).toEqual([
      {
        text: 'status: "SETLED" is not a known value; it is sent unchanged (Did you mean SETTLED?)',
        count: 5,
      },
      { text: 'status: "NEW" is not a known value; it is sent unchanged', count: 2 },
      {
        text: 'order.countryCode: "Germany" is not a known value; it is sent unchanged (an ISO 3166-1 code such as DE)',
        count: 1,
      },
      {
        text: 'order.countryCode: "XQ" is not a known value; it is sent unchanged (an ISO 3166-1 code such as DE)',
        count: 1,
      },
    ])
  })

  test('is a problem if the set is closed', () => {
    const { read } = readerOf([...REQUIRED_FIELDS, 'paymentType'])
    expect(read([...GOOD, 'ECOMERCE'])).toMatchObject([
      {
        column: 'paymentType',
        kind: expect.stringContaining('is not one of FIRST_PAYMENT, '),
        hint: 'Did you mean ECOMMERCE?',
      },
    ])
    expect(read([...GOOD, 'constructor'])).toMatchObject([{ column: 'paymentType', hint: undefined }])
  })

  test('is only counted after a hundred others', () => {
    const { read, rowWarnings } = readerOf([...REQUIRED_FIELDS, 'status'])
    for (let index = 0; index < 1_000; index += 1) read([...GOOD, `S${index}`])
    expect(rowWarnings.all()).toHaveLength(101)
    expect(rowWarnings.all().at(-1)).toEqual({ text: 'other unknown values', count: 900 })
  })
})

describe('a row without problems passes the check of the client', () => {
  const header = [...Object.keys(RECORD_FIELDS), 'metadata.a', 'metadata.__proto__']
  const cell = fc.oneof(
    fc.constantFrom(
      ...GOOD,
      '',
      'SETTLED',
      'ECOMMERCE',
      'DE',
      'de',
      'VISA',
      'true',
      '0',
      '2024-02-29T24:00:00+01:00',
    ),
    fc.string({ maxLength: 8 }),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  )
  // Mostly good values, because rows with many problems are rejected too early to test anything.
  const row = fc.tuple(
    ...header.map((path) => {
      const at = REQUIRED_FIELDS.findIndex((field) => field === path)
      return fc.oneof({ weight: 20, arbitrary: fc.constant(at === -1 ? '' : (GOOD[at] ?? '')) }, cell)
    }),
  )

  test.each(['minor', 'major'] as const)('in %s units', (amounts) => {
    let accepted = 0
    fc.assert(
      fc.property(row, (cells) => {
        const { read, rowWarnings } = readerOf(header, { amounts, assumesUtc: true })
        const result = read(cells)
        if (!('body' in result)) return
        accepted += 1
        const { problems, warnings } = checkBody(createExternalPayment, result.body)
        expect(problems).toEqual([])
        const ofValues = rowWarnings.all().filter(({ text }) => text.includes('is not a known value'))
        expect(ofValues).toHaveLength(new Set(warnings).size)
      }),
      { numRuns: scaledRuns(500), seed: 1 },
    )
    expect(accepted).toBeGreaterThan(20)
  })
})
