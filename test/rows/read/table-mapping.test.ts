import { describe, expect, test } from 'vitest'
import { parseMappingFile } from '../../../src/rows/map/mapping-file.ts'
import { createRowWarnings } from '../../../src/rows/map/row-warnings.ts'
import { firstRecords } from '../../../src/rows/read/csv.ts'
import { readTable } from '../../../src/rows/read/table.ts'
import { RECORD } from '../../../src/rows/import/record-fields.ts'

const REST = `
const: {currencyCode: EUR, processor.name: ACME, order.id: A-1, paymentMethod.paymentMethodType: PAYPAL}`

/** The rows of a CSV, read with the mapping of a YAML file. */
function rowsOf(mapping: string, csv: string) {
  const file = parseMappingFile(RECORD, mapping, 'm.yaml')
  const bytes = Buffer.from(csv)
  const rowWarnings = createRowWarnings()
  const table = readTable(RECORD, bytes, {
    mapping: {
      columns: file.map,
      constants: file.const,
      joins: file.join,
      values: file.values,
      where: file.where,
      leaveOut: file.leaveOut,
    },
    cells: { amounts: 'minor', assumesUtc: true },
    rowWarnings,
  })
  const records = firstRecords(bytes.subarray(table.start.byte), { delimiter: table.header.delimiter })
  return { ...table, rows: records.map(({ cells }) => table.rowOf(cells)), rowWarnings }
}

const faultsOf = (mapping: string, csv: string): readonly string[] => {
  try {
    rowsOf(mapping, csv)
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
  return []
}

describe('join', () => {
  const MAPPING = `map: {paymentId: id, amount: sum}\njoin: {createdAt: [day, time]}${REST}`

  test('makes one text of two columns', () =>
    expect(rowsOf(MAPPING, 'id,sum,day,time\n1,7,2026-01-31,09:30\n').rows).toMatchObject([
      { prepared: { body: { createdAt: '2026-01-31T09:30:00Z' } } },
    ]))

  test('leaves out what is empty, and names both columns', () => {
    const { rows, plan } = rowsOf(
      MAPPING,
      'id,sum,day,time,x\n1,7,2026-01-31,,x\n2,7,,,x\n3,7,2026-01-31T09:30:00Z,,x\n',
    )
    expect(rows).toMatchObject([
      {
        problems: [
          { column: 'day, time', field: 'createdAt', value: '2026-01-31', kind: 'has no time of day' },
        ],
      },
      { problems: [{ column: 'day, time', kind: 'is empty' }] },
      { problems: [] },
    ])
    expect(plan.ignored).toEqual(['x'])
  })

  test('may make the ID of a row, which is known even if the row is bad', () => {
    const mapping = `map: {amount: sum, createdAt: at}\njoin: {paymentId: [shop, nr]}${REST}`
    expect(rowsOf(mapping, 'shop,nr,sum,at\nB,1,7,2026-01-31T09:30:00Z\nB,2,x,x\n').rows).toMatchObject([
      { id: 'B 1', prepared: { id: 'B 1' } },
      { id: 'B 2', prepared: undefined },
    ])
  })

  test('needs its columns', () =>
    expect(faultsOf(MAPPING, 'id,sum,day\n')).toEqual([
      expect.stringContaining('createdAt: there is no column "time"'),
    ]))
})

describe('values', () => {
  const MAPPING = `map: {paymentId: id, amount: sum, createdAt: at, status: state}
values: {status: {Paid: settled, '': DECLINED, n/a: ''}, amount: {free: '0'}}${REST}`
  const rows = (states: string, sum = '7') =>
    rowsOf(MAPPING, `id,sum,at,state\n1,${sum},2026-01-31T09:30:00Z,${states}\n`).rows[0]

  test('that fails because of a title names the line that looks like the header', () => {
    const mapping = `map: {paymentId: ID, amount: Sum, createdAt: at}${REST}`
    const read = (text: string) => () => rowsOf(mapping, text)
    expect(read('Report\nfor May,\nid,sum,at\n')).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ hint: 'Line 3 looks like the header: add --skip-lines 2.' }),
      }),
    )
    expect(read('id,sum\nid,sum,at\n'.replace('sum,at', 'x,y'))).toThrow(
      expect.objectContaining({
        details: expect.not.objectContaining({ hint: expect.stringContaining('looks like') }),
      }),
    )
  })

  test('finds columns by names in another case or with other white space, and the second of two by its number', () => {
    const mapping = `map: {paymentId: ID, amount: 'sum total#2', createdAt: at}${REST}`
    const read = rowsOf(mapping, 'id,Sum  Total,Sum  Total,At\n1,9,7,2026-01-31T09:30:00Z\n')
    expect(read.rows).toMatchObject([{ prepared: { body: { paymentId: '1', amount: 7 } } }])
    expect(faultsOf(mapping.replace('#2', ''), 'id,sum total,Sum Total,at,Sum  Total\n')).toEqual([])
    expect(faultsOf(mapping.replace('#2', ''), 'id,Sum Total,Sum Total,at\n')).toEqual([
      expect.stringContaining('name one of them, as "sum total#1" or "sum total#2"'),
    ])
    expect(faultsOf(mapping.replace('#2', '#3'), 'id,Sum Total,Sum Total,at\n')).toEqual([
      expect.stringContaining('there is no column "sum total#3"'),
    ])
  })

  test.each([
    ['Paid', 'SETTLED'],
    ['', 'DECLINED'],
    ['n/a', undefined],
    ['Pending', 'PENDING'],
  ])('%j becomes %s', (text, status) => {
    const row = rows(text)
    expect(row?.problems).toEqual([])
    expect(row?.prepared?.body['status']).toBe(status)
  })

  test('may become amounts', () => expect(rows('Paid', 'free')?.prepared?.body['amount']).toBe(0))

  test('are checked before the first row', () =>
    expect(
      faultsOf(
        `map: {paymentId: id, amount: sum, createdAt: at}\nvalues: {paymentType: {web: ECOM}}${REST}`,
        'id,sum,at\n',
      ),
    ).toEqual([expect.stringContaining('values.paymentType.web: is not one of FIRST_PAYMENT')]))
})

describe('where', () => {
  const MAPPING = `map: {paymentId: id, amount: sum, createdAt: at}
where: {Type: [charge, payment], State: done}${REST}`

  test('keeps the rows that match in every column', () => {
    const { rows, plan } = rowsOf(
      MAPPING,
      `id,sum,at,Type,State
1,7,2026-01-31T09:30:00Z,charge,done
2,x,,refund,done
3,x,,charge,open
4,x,,Charge,done
5,x,,payment,done
,,,,
6,7
`,
    )
    expect(rows.map(({ id, leftOut, problems }) => [id, leftOut !== undefined, problems.length])).toEqual([
      ['1', false, 0],
      ['2', true, 0],
      ['3', true, 0],
      ['4', false, 2],
      ['5', false, 2],
      ['', true, 0],
      // Its cells can't be told apart.
      ['6', false, 1],
    ])
    expect(plan.ignored).toEqual([])
  })

  test.each([
    ['where: {Type: [charge]}', ['kept', 'left out', 'left out']],
    ['leaveOut: {Type: [fee]}', ['kept', 'left out', 'kept']],
    ['where: {Type: [charge]}\nleaveOut: {Type: [fee]}', ['kept', 'left out', 'bad']],
  ])('with %s', (filters, expected) => {
    const { rows } = rowsOf(
      `map: {paymentId: id, amount: sum, createdAt: at}\n${filters}${REST}`,
      ['charge', 'fee', 'new'].reduce(
        (csv, type) => `${csv}1,7,2026-01-31T09:30:00Z,${type}\n`,
        'id,sum,at,Type\n',
      ),
    )
    expect(
      rows.map(({ leftOut, problems }) =>
        leftOut === undefined ? (problems.length === 0 ? 'kept' : 'bad') : 'left out',
      ),
    ).toEqual(expected)
    const [problem] = rows[2]?.problems ?? []
    if (problem !== undefined)
      expect(problem).toMatchObject({
        column: 'Type',
        value: 'new',
        kind: 'is neither in where nor in leaveOut',
      })
  })

  test('needs its columns', () =>
    expect(faultsOf(MAPPING, 'id,sum,at,typ,State\n')).toEqual([
      expect.stringContaining('where.Type: there is no column "Type"; did you mean "typ"?'),
    ]))

  test('may keep rows by a field of the record', () => {
    const csv = 'id,sum,at,status\n1,7,2026-01-31T09:30:00Z,paid\n2,7,x,open\n'
    const mapping = `map: {paymentId: id, amount: sum, createdAt: at}\nwhere: {status: paid}\nvalues: {status: {paid: SETTLED}}${REST}`
    expect(rowsOf(mapping, csv).rows).toMatchObject([
      { prepared: { body: { status: 'SETTLED' } } },
      { leftOut: { column: 'status', value: 'open' } },
    ])
  })
})

test('known values are read in any letter case, and no other', () => {
  const mapping = `map: {paymentId: id, amount: sum, createdAt: at}${REST}`
  const { rows, rowWarnings } = rowsOf(
    mapping,
    `id,sum,at,status,paymentType,order.countryCode,paymentMethod.data.binData.network
1,7,2026-01-31T09:30:00Z,settled,Ecommerce,de,Visa
2,7,2026-01-31T09:30:00Z,Paid,MOTO,DE,Visa Debit
`,
  )
  expect(rows).toMatchObject([
    {
      prepared: {
        body: {
          status: 'SETTLED',
          paymentType: 'ECOMMERCE',
          order: { countryCode: 'DE' },
          paymentMethod: { data: { binData: { network: 'VISA' } } },
        },
      },
    },
    { prepared: { body: { status: 'Paid' } } },
  ])
  expect(rowWarnings.all().map(({ text }) => text)).toEqual([
    expect.stringContaining('status: "Paid" is not a known value'),
    expect.stringContaining('"Visa Debit" is not a known value'),
  ])
})
