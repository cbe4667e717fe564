import { describe, expect, test } from 'vitest'
import { planColumns } from '../../../src/bulk/map/mapping.ts'
import { REQUIRED_FIELDS } from '../../../src/import/record-fields.ts'
import { PayError } from '../../../src/errors.ts'

type Pairs = Readonly<Record<string, string>>
const plan = (
  header: readonly string[],
  { map = {}, constants = {} }: { map?: Pairs; constants?: Pairs } = {},
) =>
  planColumns(
    header,
    { columns: new Map(Object.entries(map)), constants: new Map(Object.entries(constants)) },
    { amounts: 'minor', assumesUtc: false },
  )

/** `path: description` of everything that is wrong. */
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
  test('with the names of fields go there', () => {
    const { fields, ignored } = plan([...REQUIRED_FIELDS, 'metadata.a'])
    expect(fields.map(({ path, column }) => [path, column])).toEqual(
      [...REQUIRED_FIELDS, 'metadata.a'].map((path, column) => [path, column]),
    )
    expect(ignored).toEqual([])
  })

  test('go where the words send them, and the others nowhere', () => {
    const header = REQUIRED_FIELDS.map((path) => (path === 'amount' ? 'total' : path))
    const { fields, ignored } = plan([...header, 'notes', 'notes', ''], { map: { amount: 'total' } })
    expect(fields.find(({ path }) => path === 'amount')).toMatchObject({ column: header.indexOf('total') })
    expect(ignored).toEqual(['notes', 'notes', 'column 10 (no name)'])
  })

  test('may serve two fields', () => {
    const header = REQUIRED_FIELDS.filter((path) => path !== 'order.id')
    const { fields } = plan(header, { map: { paymentId: 'paymentId', 'order.id': 'paymentId' } })
    expect(fields.filter(({ column }) => column === 0).map(({ path }) => path)).toEqual([
      'paymentId',
      'order.id',
    ])
  })

  test('whose field has a word of its own go nowhere', () => {
    const words = { map: { amount: 'total' }, constants: { currencyCode: 'EUR' } }
    expect(plan([...REQUIRED_FIELDS, 'total'], words).ignored).toEqual(['currencyCode', 'amount'])
  })

  test('of reasons go nowhere without a word', () =>
    expect(plan([...REQUIRED_FIELDS, 'reason']).ignored).toEqual(['reason']))
})

describe('refused, all at once', () => {
  test.each<
    readonly [
      what: string,
      header: readonly string[],
      words: Parameters<typeof plan>[1],
      faults: readonly string[],
    ]
  >([
    [
      'names that are no fields',
      [...REQUIRED_FIELDS, 'Status', 'metadata', '', '__proto__', 'constructor'],
      {},
      [
        'Status: is not a field of a record; did you mean "status"?',
        'metadata: is not a field of a record; did you mean "metadata.KEY"?',
        'column 10: has no name',
        '__proto__: is not a field of a record',
        'constructor: is not a field of a record',
      ],
    ],
    [
      'what is missing',
      ['paymentId', 'amount', 'createdAt', 'order.id', 'processor.name'],
      {},
      [
        'currencyCode: is required and has no column',
        'paymentMethod.paymentMethodType: is required and has no column',
      ],
    ],
    ['a field twice', [...REQUIRED_FIELDS, 'amount'], {}, ['amount: names several columns']],
    [
      'a column that is named and there twice',
      [...REQUIRED_FIELDS, 'x', 'x'],
      { map: { 'metadata.x': 'x' } },
      ['x: names several columns'],
    ],
    [
      'words that fit nothing',
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
      'constants that no row could have',
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
        'amount: its constant has a comma; Use a decimal point and no thousands separators: 1234.50',
        'createdAt: its constant does not show which number is the month; Write it as ISO 8601 with a zone, such as 2026-01-31T09:30:00Z',
        'order.id: has no value',
        'paymentType: its constant is not one of FIRST_PAYMENT, ECOMMERCE, SUBSCRIPTION, UNSCHEDULED, MOTO, IN_STORE',
      ],
    ],
  ])('%s', (_, header, words, faults) => expect(faultsOf(header, words)).toEqual(faults))

  test('a single fault is the message itself', () =>
    expect(() => plan([...REQUIRED_FIELDS, 'statsu'])).toThrow(
      'The header does not fit: statsu: is not a field of a record; did you mean "status"?',
    ))

  test('ten thousand strange columns are not all told', () => {
    const faults = faultsOf(Array.from({ length: 10_000 }, (_, index) => `c${index}`))
    expect(faults).toHaveLength(21)
    expect(faults.at(-1)).toBe('…: and 9987 more')
  })
})
