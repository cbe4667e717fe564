import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createExternalPayment } from '../../../src/api/operations/observability.ts'
import { planOf } from '../../../src/bulk/map/mapping.ts'
import type { CellOptions } from '../../../src/bulk/map/cell.ts'
import { put, rowReader } from '../../../src/bulk/map/prepare.ts'
import { RECORD_FIELDS, REQUIRED_FIELDS } from '../../../src/bulk/map/record-fields.ts'
import { createRowWarnings } from '../../../src/bulk/map/row-warnings.ts'
import { checkBody } from '../../../src/cli/request/validate.ts'
import { scaledRuns } from '../../support/test-effort.ts'

const OPTIONS: CellOptions = { amounts: 'minor', assumesUtc: false }
const NO_WORDS = { columns: new Map<string, string>(), constants: new Map<string, string>() }
const GOOD = ['ext-1', 'EUR', 'ACME', '700', '2026-01-31T09:30:00Z', 'A-1', 'PAYMENT_CARD']

const readerOf = (
  header: readonly string[],
  options = OPTIONS,
  constants: Readonly<Record<string, string>> = {},
) => {
  const rowWarnings = createRowWarnings()
  const words = { ...NO_WORDS, constants: new Map(Object.entries(constants)) }
  return { read: rowReader(planOf(header, words, options), options, rowWarnings), rowWarnings }
}
const bodyOf = (made: ReturnType<ReturnType<typeof readerOf>['read']>): unknown =>
  'body' in made ? made.body : made

describe('a row', () => {
  test('becomes a record; empty cells become nothing', () => {
    const { read } = readerOf([...REQUIRED_FIELDS, 'status', 'descriptor', 'metadata.store', 'metadata.a.b'])
    expect(read([...GOOD, 'SETTLED', '', 'berlin', 'x'])).toEqual({
      paymentId: 'ext-1',
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

  test('with several faults tells all of them', () => {
    const { read } = readerOf(REQUIRED_FIELDS)
    expect(read(['1.23E+10', 'eur', '', '12,50', '31/01/2026', ' A-1', '=B2'])).toMatchObject([
      { column: 'paymentId', value: '1.23E+10', kind: 'is a number that a spreadsheet shortened' },
      { column: 'currencyCode', value: 'eur', hint: 'Did you mean EUR?' },
      { column: 'processor.name', value: '', kind: 'is empty' },
      { column: 'amount', value: '12,50', kind: 'has a comma' },
      { column: 'createdAt', value: '31/01/2026', kind: 'does not show which number is the month' },
      { column: 'order.id', value: ' A-1', kind: 'has a space at its start or end' },
      { column: 'paymentMethod.paymentMethodType', value: '=B2', kind: 'is a formula' },
    ])
  })

  test.each([
    [GOOD.slice(1), 'has 6 cells where the header has 7'],
    [[...GOOD, ''], 'has 8 cells where the header has 7'],
    [['x'], 'has 1 cell where the header has 7'],
  ])('of another length is refused: %#', (cells, kind) =>
    expect(readerOf(REQUIRED_FIELDS).read(cells)).toMatchObject([{ column: undefined, kind }]),
  )

  test('with nothing in it is told once', () =>
    expect(readerOf(REQUIRED_FIELDS).read(GOOD.map(() => ''))).toMatchObject([
      { column: undefined, kind: 'is empty' },
    ]))

  test('has its constants', () => {
    const { read } = readerOf(
      REQUIRED_FIELDS.filter((field) => field !== 'currencyCode'),
      { ...OPTIONS, amounts: 'major' },
      { currencyCode: 'KWD', 'metadata.batch': '7' },
    )
    const made = read(GOOD.filter((cell) => cell !== 'EUR').with(2, '1.234'))
    expect(bodyOf(made)).toMatchObject({ currencyCode: 'KWD', amount: 1234, metadata: { batch: '7' } })
  })

  test('with a currency that there is not is told of that alone', () => {
    const { read } = readerOf(REQUIRED_FIELDS, { ...OPTIONS, amounts: 'major' })
    expect(read(GOOD.with(1, 'EURO').with(3, '7.00'))).toMatchObject([{ column: 'currencyCode' }])
  })
})

describe('metadata', () => {
  test('may have keys of any name, and none reaches a prototype', () => {
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

  test('may have ten thousand keys', () => {
    const keys = Array.from({ length: 10_000 }, (_, index) => `metadata.k${index}`)
    const { read } = readerOf([...REQUIRED_FIELDS, ...keys])
    const body = bodyOf(read([...GOOD, ...keys]))
    expect(body).toMatchObject({ metadata: { k0: 'metadata.k0', k9999: 'metadata.k9999' } })
  })
})

describe('values of sets', () => {
  test('are remarked on once for each column and value where the set is open', () => {
    const { read, rowWarnings } = readerOf([...REQUIRED_FIELDS, 'status', 'order.countryCode'])
    for (const status of ['SETLED', 'SETLED', 'SETTLED', 'NEW'])
      expect(read([...GOOD, status, 'DE'])).toHaveProperty('body')
    for (const country of ['Germany', 'XQ', 'de']) read([...GOOD, 'SETLED', country])
    expect(rowWarnings.all()).toEqual([
      {
        remark: 'status: "SETLED" is not a known value; it is sent as it is (Did you mean SETTLED?)',
        count: 5,
      },
      { remark: 'status: "NEW" is not a known value; it is sent as it is', count: 1 },
      {
        remark:
          'order.countryCode: "Germany" is not a known value; it is sent as it is (an ISO 3166-1 code such as DE)',
        count: 1,
      },
      {
        remark:
          'order.countryCode: "XQ" is not a known value; it is sent as it is (an ISO 3166-1 code such as DE)',
        count: 1,
      },
      {
        remark: 'order.countryCode: "de" is not a known value; it is sent as it is (Did you mean DE?)',
        count: 1,
      },
    ])
  })

  test('are refused where it is closed', () => {
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

  test('of which there are very many are counted', () => {
    const { read, rowWarnings } = readerOf([...REQUIRED_FIELDS, 'status'])
    for (let index = 0; index < 1_000; index += 1) read([...GOOD, `S${index}`])
    expect(rowWarnings.all()).toHaveLength(101)
    expect(rowWarnings.all().at(-1)).toEqual({ remark: 'other unknown values', count: 900 })
  })
})

test('something in the way of a field stays as it is', () => {
  const body: Record<string, unknown> = { processor: 'ACME', metadata: { a: 1 } }
  put(body, ['processor', 'name'], 'x')
  put(body, ['metadata', 'b'], 'y')
  expect(body).toEqual({ processor: 'ACME', metadata: { a: 1, b: 'y' } })
})

describe('what is taken is what the client takes', () => {
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
  // Good values for what has to be there and few others, most of the time: other rows are refused too soon to tell anything.
  const row = fc.tuple(
    ...header.map((path) => {
      const at = REQUIRED_FIELDS.findIndex((field) => field === path)
      return fc.oneof({ weight: 20, arbitrary: fc.constant(at === -1 ? '' : (GOOD[at] ?? '')) }, cell)
    }),
  )

  test.each(['minor', 'major'] as const)('in %s units', (amounts) => {
    let taken = 0
    fc.assert(
      fc.property(row, (cells) => {
        const { read, rowWarnings } = readerOf(header, { amounts, assumesUtc: true })
        const made = read(cells)
        if (!('body' in made)) return
        taken += 1
        const { problems, warnings } = checkBody(createExternalPayment, made.body)
        expect(problems).toEqual([])
        expect(rowWarnings.all()).toHaveLength(new Set(warnings).size)
      }),
      { numRuns: scaledRuns(500), seed: 1 },
    )
    expect(taken).toBeGreaterThan(20)
  })
})
