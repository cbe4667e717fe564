import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRowWarnings } from '../../../src/rows/map/row-warnings.ts'
import { firstRecords } from '../../../src/rows/read/csv.ts'
import { readHeader as readHeaderOf, readTable } from '../../../src/rows/read/table.ts'
import { RECORD, REQUIRED_FIELDS } from '../../../src/rows/import/record-fields.ts'

const OPTIONS = { amounts: 'minor', assumesUtc: false } as const
const readHeader = (head: Buffer) => readHeaderOf(head, 'Add a header.')
const GOOD = ['ext-1', 'EUR', 'ACME', '700', '2026-01-31T09:30:00Z', 'A-1', 'PAYMENT_CARD']

function tableOf(text: string, map: Readonly<Record<string, string>> = {}) {
  const bytes = Buffer.from(text)
  const mapping = { columns: new Map(Object.entries(map)), constants: new Map<string, string>() }
  const table = readTable(RECORD, bytes, { mapping, cells: OPTIONS, rowWarnings: createRowWarnings() })
  const { delimiter, start } = table.header
  const records = firstRecords(bytes.subarray(start.byte), { delimiter })
  return { ...table, rows: records.map(({ cells }) => table.rowOf(cells)) }
}

describe('the header', () => {
  test.each([
    ['with a byte order mark', '\uFEFFpaymentId,amount\n', ['paymentId', 'amount']],
    ['with a byte order mark and quotes', '\uFEFF"paymentId","amount"\n', ['paymentId', 'amount']],
    ['with spaces around its names', ' paymentId , amount \n', ['paymentId', 'amount']],
    ['with CRLF', 'paymentId;amount\r\n', ['paymentId', 'amount']],
    ['with a lone CR', 'paymentId\tamount\r', ['paymentId', 'amount']],
    ['with a line break in a name', '"payment\nId",amount\n', ['payment\nId', 'amount']],
    ['without a line end', 'paymentId,amount', ['paymentId', 'amount']],
    ['below the sep= line of Excel', 'sep=;\r\npaymentId;amount\r\n', ['paymentId', 'amount']],
    ['below that line, with a mark and quotes', '\uFEFF"sep=,"\npaymentId,amount\n', ['paymentId', 'amount']],
    ['below that line with other delimiters in its names', 'SEP=;\na,b,c;d,e\n', ['a,b,c', 'd,e']],
    ['with a column name like that line', 'sep=x;amount\n', ['sep=x', 'amount']],
  ])('%s', (_, text, names) => {
    const header = readHeader(Buffer.from(text))
    expect(header.names).toEqual(names)
    expect(header.start.byte).toBe(Buffer.byteLength(text))
  })

  test('can be longer than a chunk of the input', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `metadata.${'k'.repeat(50)}${index}`)
    expect(readHeader(Buffer.from(`${names.join(',')}\n1\n`)).names).toEqual(names)
  })

  test.each([
    ['an empty file', Buffer.alloc(0), 'The file is empty'],
    ['an empty line', Buffer.from('\npaymentId\n'), 'The first line is empty'],
    [
      'a sep= line with another delimiter',
      Buffer.from('sep=x\naxb\n'),
      'The first line says that "x" separates the columns',
    ],
    ['only a sep= line', Buffer.from('sep=;\n'), 'The file has no header'],
    ['only a byte order mark', Buffer.from('\uFEFF\n'), 'The first line is empty'],
    ['Latin-1', Buffer.from('paymentId,gr\u00F6\u00DFe\n', 'latin1'), 'Line 1 is not UTF-8'],
    ['UTF-16', Buffer.from('\uFEFFpaymentId\n', 'utf16le'), 'Line 1 is not UTF-8'],
    ['UTF-16 without a mark', Buffer.from('paymentId\n', 'utf16le'), 'Line 1 is not UTF-8'],
    ['a quote that is never closed', Buffer.from('"paymentId,amount\n'), 'a quote is never closed'],
    ['a quote in it', Buffer.from('payment"Id"\n'), 'there is a quote in the middle of an unquoted cell'],
  ])('is refused: %s', (_, head, message) => {
    const read = () => readHeader(head)
    expect(read).toThrow(message)
    expect(read).toThrow(expect.objectContaining({ code: 'unusable_file', exitCode: 2 }))
  })
})

test.each([
  ['a,b,c', ','],
  ['a;b;c', ';'],
  ['a\tb\tc', '\t'],
  ['a;b,c;d', ';'],
  ['"a,b,c,d";e', ';'],
  ['"a;b";"c, d, e"', ';'],
  ['"a\n,,";b;c', ';'],
  ['alone', ','],
])('the delimiter of %j is %j', (header, delimiter) =>
  expect(readHeader(Buffer.from(header)).delimiter).toBe(delimiter),
)

test.each([
  ['', 1],
  ['sep=,\n', 2],
])('a header below %j must end within 1 MB', (top, line) => {
  const head = Buffer.concat([Buffer.from(top), Buffer.alloc(1024 * 1024 - top.length, 'x')])
  expect(() => readHeader(head)).toThrow(`starts on line ${line} is longer than 1 MB`)
})

test('line numbers count the sep= line', () => {
  const header = readHeader(Buffer.from('sep=;\npaymentId;amount\n1;2\n'))
  expect(header).toMatchObject({ delimiter: ';', start: { byte: 23, line: 3 } })
})

describe('rows', () => {
  test.each(['\n', '\r\n', '\r'])('end in %j', (end) => {
    const { rows } = tableOf([REQUIRED_FIELDS.join(','), GOOD.join(','), ''].join(end))
    expect(rows).toMatchObject([{ id: 'ext-1', prepared: { body: { amount: 700 } }, cells: GOOD }])
  })

  test.each(['', '\n', '\n\n\n', '\r\n\r\n'])('are followed by %j', (end) =>
    expect(tableOf(`${REQUIRED_FIELDS.join(',')}\n${GOOD.join(',')}${end}`).rows).toHaveLength(1),
  )

  test('can be missing', () => expect(tableOf(`${REQUIRED_FIELDS.join(',')}\n`).rows).toEqual([]))

  test('keep their ID if they cannot be sent', () =>
    expect(tableOf(`${REQUIRED_FIELDS.join(',')}\n${GOOD.with(3, 'x').join(',')}\n`).rows).toMatchObject([
      { id: 'ext-1', prepared: undefined, problems: [{ column: 'amount' }] },
    ]))

  test('that begin with a byte order mark, as in concatenated files, are rejected', () =>
    expect(tableOf(`${REQUIRED_FIELDS.join(',')}\n\uFEFF${GOOD.join(',')}\n`).rows).toMatchObject([
      { problems: [{ column: 'paymentId', kind: 'has a space at its start or end' }] },
    ]))
})

describe('rejects', () => {
  const header = [...REQUIRED_FIELDS, 'metadata.note']
  const rejectsOf = (text: string, map: Readonly<Record<string, string>> = {}) => {
    const { rejects, rows } = tableOf(text, map)
    return `${rejects.header}${rows.map(({ cells }, index) => rejects.line(cells, `reason ${index}`)).join('')}`
  }

  test('are the rows as read, with their delimiter and the reason', () => {
    const row = GOOD.join(';')
    expect(rejectsOf(`${header.join(';')}\n${row};"a;""b"\n`)).toBe(
      `${header.join(';')};reason\n${row};"a;""b";reason 0\n`,
    )
  })

  test('can be read and rejected again any number of times', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.constantFrom('=1', "'=1", '\t=1', '\r=1', ' =1', '-5', '@x', 'a\nb', '+49', "''+1", ''),
          ),
          { minLength: 1 },
        ),
        (notes) => {
          const first = rejectsOf(`${header.join(',')}\n`).trimEnd()
          const lines = notes.map((note) =>
            tableOf(`${header.join(',')}\n`).rejects.line([...GOOD, note], 'why'),
          )
          const once = tableOf(`${first}\n${lines.join('')}`)
          expect(once.rows.map(({ cells }) => cells.at(-2))).toEqual(notes)
          const twice = tableOf(rejectsOf(`${first}\n${lines.join('')}`))
          expect(twice.plan.header).toEqual([...header, 'reason'])
          expect(twice.rows.map(({ cells }) => cells.at(-2))).toEqual(notes)
          expect(twice.rows.map(({ cells }) => cells.at(-1))).toEqual(
            notes.map((_, index) => `reason ${index}`),
          )
        },
      ),
    ))

  test('become records without the apostrophe once corrected', () => {
    const { rows } = tableOf(`${header.join(',')},reason\n${GOOD.join(',')},'+49 30 1,gone\n`)
    expect(rows).toMatchObject([{ prepared: { body: { metadata: { note: '+49 30 1' } } } }])
  })

  test('do not affect apostrophes in other files', () => {
    const { rows } = tableOf(`${header.join(',')}\n${GOOD.join(',')},'+49 30 1\n`)
    expect(rows).toMatchObject([{ prepared: { body: { metadata: { note: "'+49 30 1" } } } }])
  })

  test('of a wrong length keep every cell', () => {
    const text = `${header.join(',')},reason\n${GOOD.join(',')},a,b,c\n${GOOD.slice(1).join(',')}\n`
    expect(rejectsOf(text).split('\n').slice(1)).toEqual([
      `${GOOD.join(',')},a,b,c,reason 0`,
      `${GOOD.slice(1).join(',')},reason 1`,
      '',
    ])
  })

  test('have another column for the reason if the file maps its own', () => {
    const map = { 'metadata.why': 'reason' }
    const rejects = rejectsOf(`${REQUIRED_FIELDS.join(',')},reason\n${GOOD.join(',')},late\n`, map)
    expect(rejects).toBe(
      `${REQUIRED_FIELDS.join(',')},reason,rejected because\n${GOOD.join(',')},late,reason 0\n`,
    )
    expect(tableOf(rejects, map).rows).toMatchObject([{ prepared: { body: { metadata: { why: 'late' } } } }])
  })
})
