import { describe, expect, test } from 'vitest'
import { planColumns } from '../../../src/rows/map/mapping.ts'
import { PayError } from '../../../src/errors.ts'
import { RECORD, REQUIRED_FIELDS } from '../../../src/rows/import/record-fields.ts'

type Pairs = Readonly<Record<string, string>>
const plan = (
  header: readonly string[],
  { map = {}, constants = {} }: { map?: Pairs; constants?: Pairs } = {},
) =>
  planColumns(
    RECORD,
    header,
    { columns: new Map(Object.entries(map)), constants: new Map(Object.entries(constants)) },
    { amounts: 'minor', assumesUtc: false },
  )

/** Every problem as `path: description`. */
function faultsOf(...[header, words]: Parameters<typeof plan>): readonly string[] {
  try {
    plan(header, words)
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    expect(error).toMatchObject({ code: 'unusable_header', exitCode: 2, details: { outcome: 'none' } })
    return (error.details.validationErrors ?? []).map(({ path, description }) => `${path}: ${description}`)
  }
  return []
}

describe('columns', () => {
  test('with the name of a field become that field', () => {
    const { fields, ignored } = plan([...REQUIRED_FIELDS, 'metadata.a'])
    expect(fields.map(({ path, column }) => [path, column])).toEqual(
      [...REQUIRED_FIELDS, 'metadata.a'].map((path, column) => [path, column]),
    )
    expect(ignored).toEqual([])
  })

  test('become the fields that they are mapped to, and the others are ignored', () => {
    const header = REQUIRED_FIELDS.map((path) => (path === 'amount' ? 'total' : path))
    const { fields, ignored } = plan([...header, 'notes', 'notes', ''], { map: { amount: 'total' } })
    expect(fields.find(({ path }) => path === 'amount')).toMatchObject({ column: header.indexOf('total') })
    expect(ignored).toEqual(['notes', 'notes', 'column 10 (no name)'])
  })

  test('with codes of another system need their exact name beside mapped ones', () => {
    const header = [...REQUIRED_FIELDS.map((path) => (path === 'amount' ? 'total' : path)), 'Status']
    const words = { map: { amount: 'total' } }
    expect(plan(header, words).ignored).toEqual(['Status'])
    expect(plan([...header.slice(0, -1), 'status'], words).ignored).toEqual([])
    expect(plan([...REQUIRED_FIELDS, 'Status']).ignored).toEqual([])
  })

  test('can become two fields', () => {
    const header = REQUIRED_FIELDS.filter((path) => path !== 'order.id')
    const { fields } = plan(header, { map: { paymentId: 'paymentId', 'order.id': 'paymentId' } })
    expect(fields.filter(({ column }) => column === 0).map(({ path }) => path)).toEqual([
      'paymentId',
      'order.id',
    ])
  })

  test('are ignored if their field is mapped or constant', () => {
    const words = { map: { amount: 'total' }, constants: { currencyCode: 'EUR' } }
    expect(plan([...REQUIRED_FIELDS, 'total'], words).ignored).toEqual(['currencyCode', 'amount'])
  })

  test('with the reasons of rejects are ignored without a problem', () =>
    expect(plan([...REQUIRED_FIELDS, 'reason']).ignored).toEqual(['reason']))
})

describe('reports all at once', () => {
  test.each<
    readonly [
      what: string,
      header: readonly string[],
      words: Parameters<typeof plan>[1],
      faults: readonly string[],
    ]
  >([
    [
      'names that are not fields',
      [...REQUIRED_FIELDS, 'Statuses', 'metadata', '', '__proto__', 'constructor'],
      {},
      [
        'Statuses: is not a field of a record; did you mean "status"?',
        'metadata: is not a field of a record; did you mean "metadata.KEY"?',
        'column 10: has no name',
        '__proto__: is not a field of a record',
        'constructor: is not a field of a record',
      ],
    ],
    [
      'missing fields',
      ['paymentId', 'amount', 'createdAt', 'order.id', 'processor.name'],
      {},
      [
        'currencyCode: is required, but no column or constant provides it',
        'paymentMethod.paymentMethodType: is required, but no column or constant provides it',
      ],
    ],
    [
      'a field with two columns',
      [...REQUIRED_FIELDS, 'amount'],
      {},
      ['amount: is the name of several columns: choose one, as --map "amount=amount#1" or "amount=amount#2"'],
    ],
    [
      'a mapped column that occurs twice',
      [...REQUIRED_FIELDS, 'x', 'x'],
      { map: { 'metadata.x': 'x' } },
      ['x: is the name of several columns: name one of them, as "x#1" or "x#2"'],
    ],
    [
      'mappings that fit nothing',
      REQUIRED_FIELDS,
      { map: { amount: 'amuont', amont: 'amount' }, constants: { statsu: 'SETTLED', amount: '1' } },
      [
        'amount: there is no column "amuont"; did you mean "amount"?',
        'amont: is not a field of a record; did you mean "amount"?',
        'amount: has both a column and a constant',
        'statsu: is not a field of a record; did you mean "status"?',
      ],
    ],
    [
      'constants that are not valid',
      REQUIRED_FIELDS,
      {
        constants: {
          paymentId: 'x',
          currencyCode: 'EURO',
          amount: '12,50',
          createdAt: '31/01/2026',
          'order.id': '',
          paymentType: 'ECOM',
        },
      },
      [
        'paymentId: identifies the record, so it cannot be a constant',
        'currencyCode: its constant is not an ISO 4217 currency code; Did you mean EUR?',
        'amount: its constant has a comma; Use a decimal point and no thousands separators: 1234.50. If commas separate decimals, add --amounts major --decimal-comma',
        'createdAt: its constant does not show which number is the month; Use ISO 8601 with a zone, such as 2026-01-31T09:30:00Z, or name the format with --date-format',
        'order.id: has no value',
        'paymentType: its constant is not one of FIRST_PAYMENT, ECOMMERCE, SUBSCRIPTION, UNSCHEDULED, MOTO, IN_STORE',
      ],
    ],
  ])('%s', (_, header, words, faults) => expect(faultsOf(header, words)).toEqual(faults))

  test('puts a single problem into the message', () =>
    expect(() => plan([...REQUIRED_FIELDS, 'statsu'])).toThrow(
      'The header does not match the fields of a record: statsu: is not a field of a record; did you mean "status"?',
    ))

  test('lists only the first of ten thousand unknown columns', () => {
    const faults = faultsOf(Array.from({ length: 10_000 }, (_, index) => `c${index}`))
    expect(faults).toHaveLength(21)
    expect(faults.at(-1)).toBe('…: and 9987 more')
  })
})
