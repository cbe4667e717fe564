import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { REQUIRED_FIELDS } from '../../../../src/rows/import/record-fields.ts'
import { errorOf } from '../../../support/run-result.ts'
import { useImportBench } from './import-bench.ts'

const { bench, check, write, read } = useImportBench()

const HEADER = REQUIRED_FIELDS.join(',')

const GOOD = 'ext-1,EUR,ACME,700,2026-01-31T09:30:00Z,A-1,PAYMENT_CARD'

describe('a good file', () => {
  test('is reported as good, and nothing is sent or stored', async () => {
    write('a.csv', `${HEADER}\n${GOOD}\n${GOOD}\n`)
    const result = await check('a.csv')
    expect(result).toEqual({
      exitCode: 0,
      stdout: `✓ 2 rows, all good. Nothing was sent.

! 1 row repeats the paymentId of an earlier row; only the last row of each counts:
  ext-1 (rows 1, 2)
`,
      stderr: 'Reading CSV with commas as delimiters.\n',
      requests: [],
      questions: [],
      offered: {},
    })
  })

  test.each([
    ['semicolons', `${HEADER}\n${GOOD}\n`.replaceAll(',', ';'), 'semicolons'],
    ['tabs and CRLF', `${HEADER}\r\n${GOOD}\r\n`.replaceAll(',', '\t'), 'tabs'],
    ['lone carriage returns', `${HEADER}\r${GOOD}\r`, 'commas'],
    ['a byte order mark, quotes, no line end', `\uFEFF"${HEADER.replaceAll(',', '","')}"\n${GOOD}`, 'commas'],
    ['compression without .gz in its name', gzipSync(`${HEADER}\n${GOOD}\n`), 'commas'],
  ])('can have %s', async (_, content, delimiter) => {
    write('a.csv', content)
    const result = await check('a.csv --json')
    expect(result.stderr).toBe(`Reading CSV with ${delimiter} as delimiters.\n`)
    expect(JSON.parse(result.stdout)).toEqual({ rows: 1, good: 1, bad: 0, problems: [], warnings: [] })
  })

  test.each([
    ['a header without rows', `${HEADER}\n`],
    ['a header without a line end', HEADER],
  ])('can be %s', async (_, content) => {
    write('a.csv', content)
    expect(await check('a.csv')).toMatchObject({
      exitCode: 0,
      stdout: 'No rows: there is nothing to import. Nothing was sent.\n',
    })
  })

  test('can come from stdin', async () => {
    const stdin = `${HEADER}\n${GOOD}\n`
    expect(await check('- --format csv', { stdin })).toMatchObject({ exitCode: 0 })
    expect(await check('-', { stdin })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--format'),
    })
  })

  test('can be checked in parts', async () => {
    write('a.csv', `${HEADER}\n${['a', 'b', 'c', 'd'].map((id) => GOOD.replace('ext-1', id)).join('\n')}\n`)
    const parts = await Promise.all([1, 2, 3].map((part) => check(`a.csv --shard ${part}/3 --json -q`)))
    const rows = parts.map(({ stdout }) => JSON.parse(stdout).rows)
    expect(rows.reduce((sum, count) => sum + count, 0)).toBe(4)
  })
})

describe('a spreadsheet', () => {
  const zip = (...names: readonly string[]) => Buffer.from(`PK\u0003\u0004${names.join('\0')}`, 'latin1')
  const XLSX = zip('[Content_Types].xml', '_rels/.rels', 'xl/workbook.xml')
  const OLE = Buffer.from('d0cf11e0a1b11ae10000', 'hex')

  test.each([
    ['a.xlsx', XLSX, 'a.xlsx is an Excel workbook (.xlsx), not a CSV'],
    ['a.csv', XLSX, 'a.csv is an Excel workbook (.xlsx), not a CSV'],
    ['a.ndjson', XLSX, 'a.ndjson is an Excel workbook (.xlsx), not a CSV'],
    ['a.csv.gz', gzipSync(XLSX), 'is an Excel workbook (.xlsx)'],
    ['a.xlsb', zip('[Content_Types].xml', 'xl/workbook.bin'), 'a.xlsb is an Excel workbook (.xlsb)'],
    ['b.xls', Buffer.from('\uFEFF<html><table><tr><td>1'), 'b.xls is an HTML table, not a CSV'],
    ['c.xls', Buffer.from('  <table border=1>'), 'c.xls is an HTML table, not a CSV'],
    [
      'd.xls',
      Buffer.from('<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="x">'),
      'd.xls is an XML spreadsheet, not a CSV',
    ],
    ['a.xls', OLE, 'a.xls is an Excel workbook (.xls or password-protected)'],
    ['a.ods', zip('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'), 'OpenDocument spreadsheet'],
    ['a.numbers', zip('Index/Document.iwa'), 'a Numbers spreadsheet'],
    ['e.csv', zip('word/document.xml'), 'e.csv is a Word document, not a CSV'],
  ])('%s is recognized by its bytes', async (name, content, message) => {
    write(name, content)
    for (const words of [`import ${name} --dry-run`, `template ${name}`]) {
      const ran = await bench().runPay(`observability ${words} --json`)
      expect(ran).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
      expect(ran.stderr).toContain(message)
      expect(ran.stderr).toContain('CSV UTF-8')
      expect(ran.stderr).toContain(`Or run: libreoffice --headless --convert-to csv ${name}`)
    }
  })

  test('is recognized on stdin, too, and is not any ZIP archive', async () => {
    expect((await check('- --format csv', { stdin: XLSX })).stderr).toContain('stdin is an Excel workbook')
    write('a.csv', zip('photo.jpg'))
    const { stderr } = await check('a.csv')
    expect(stderr).toContain('a.csv is a ZIP archive, not a CSV')
    expect(stderr).toContain('Unpack it: unzip -p a.csv > a.csv.csv')
  })
})

describe('a file of another form', () => {
  const QUOTED = '"paymentId,""amount"""\n"p1,""700"""\n'
  test.each([
    [
      'a.ndjson',
      '[{"paymentId":"a"},\n{"paymentId":"b"}]\n',
      'is a JSON array, not one record per line',
      "Convert it: jq -c '.[]' a.ndjson > a-converted.ndjson",
    ],
    ['a.csv', ' [\n {"paymentId":"a"}\n]\n', 'is a JSON array', "jq -c '.[]' a.csv"],
    ['b.ndjson', '{\n  "paymentId": "a"\n}\n', 'JSON with several lines for a record', 'jq -c . b.ndjson'],
    [
      'c.csv',
      QUOTED,
      'Each line of c.csv is in quotes as a whole',
      String.raw`sed -E 's/^"(.*)"(\r?)$/\1\2/; s/""/"/g' c.csv > c-converted.csv`,
    ],
    ['c.csv.gz', gzipSync(QUOTED), 'in quotes as a whole', 'gzip -dc c.csv.gz | sed -E'],
  ])('is named with the command that converts it: %s', async (name, content, message, command) => {
    write(name, content)
    const { exitCode, stderr } = await check(name)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).toContain(command)
  })

  test('on stdin is piped through what converts it', async () => {
    const { stderr } = await check('- --format ndjson', { stdin: '[{"paymentId":"a"}]\n' })
    expect(stderr).toContain("Pipe it through jq -c '.[]' first.")
  })

  const days = ['25/10/2025', '05/10/2025'].map((day, at) =>
    GOOD.replace('ext-1', `d${at}`).replace('2026-01-31T09:30:00Z', day),
  )
  test.each([
    [
      'UTF-32',
      Buffer.from('fffe000061000000', 'hex'),
      '',
      'UTF-32, which cannot be read',
      'Save the file as UTF-8',
    ],
    [
      'bytes of no character',
      Buffer.concat([Buffer.from(`${HEADER},metadata.city\n${GOOD},`), Buffer.from([0x82, 0x0a])]),
      '--encoding shift_jis',
      'has bytes that are not Shift_JIS',
      'Name the right encoding with --encoding, or save the file as UTF-8',
    ],
    [
      'months where the days are',
      `${HEADER}\n${days.join('\n')}\n`,
      '--date-format MM/dd/yyyy --assume-utc',
      'The date format MM/dd/yyyy doesn\'t fit 1 of the first 2 rows, such as row 1 ("25/10/2025"), and dd/MM/yyyy fits all of them',
      'Use --date-format dd/MM/yyyy.',
    ],
    [
      'IDs that are numbers',
      `${HEADER}\n${GOOD.replace('ext-1', '17.0')}\n`,
      '',
      'is a number with ".0"',
      'Export the column as text',
    ],
    ['an empty cell too many', `${HEADER}\n${GOOD},\n`, '', 'empty cells beyond the header are left out', ''],
  ])('is explained: %s', async (_, content, flags, message, hint) => {
    write('a.csv', content)
    const { stdout, stderr } = await check(`a.csv ${flags}`)
    const said = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ')
    expect(said).toContain(message)
    expect(said).toContain(hint)
  })

  test('is read where blanks are around quoted cells', async () => {
    const spaced = (line: string) =>
      line
        .split(',')
        .map((cell) => `"${cell}"`)
        .join(' , ')
    write('a.csv', `${spaced(HEADER)}\n${spaced(GOOD)}\n`)
    expect(await check('a.csv')).toMatchObject({ exitCode: 0 })
  })
})

test('a title above the header is named', async () => {
  write('a.csv', 'Refunds of May\n\nBestellnummer,Betrag,Grund\nA-1,5.00,x\n')
  const ran = await bench().runPay('--sandbox batch plan refund a.csv')
  expect(ran.stderr).toContain('Line 3 looks like the header: add --skip-lines 2.')
})

test('the embedded sandbox says so, and no account is needed', async () => {
  write('a.csv', `${HEADER}\n${GOOD}\n`)
  const NOTICE = 'embedded sandbox: no real money'
  for (const [flags, isNoted] of [
    ['--sandbox', true],
    ['--sandbox -q', false],
    ['', false],
    ['-p nowhere', false],
  ] as const) {
    const ran = await bench().runPay(`observability import a.csv --dry-run ${flags}`)
    expect(ran).toMatchObject({ exitCode: 0, requests: [] })
    expect(ran.stderr.includes(NOTICE)).toBe(isNoted)
  }
})

test('an empty file has no header', async () => {
  write('a.csv', '')
  expect(await check('a.csv')).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('The file is empty'),
  })
  write('a.ndjson', '')
  expect(await check('a.ndjson')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('No rows') })
})

const GOOD_AND_BAD = `${HEADER}\n${GOOD}\n${GOOD.replace('700', 'x')}\n`

describe('a file that cannot be read to its end', () => {
  test.each([
    ['a quote', `${GOOD_AND_BAD}a,"b\n`, 'Line 4 cannot be read: a quote is never closed'],
    ['another encoding', Buffer.from(`${GOOD_AND_BAD}M\u00FCller\n`, 'latin1'), 'Line 4 is not UTF-8'],
    ['damage', gzipSync(GOOD_AND_BAD).subarray(0, -6), 'a.csv is truncated'],
  ])('is refused for %s after a report on the rows before', async (_, content, message) => {
    write('a.csv', content)
    const { exitCode, stdout, stderr } = await check('a.csv --json')
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain('1 of 2 rows cannot be sent, 1 can. Nothing was sent.')
    expect(stderr).toContain('row 2 (line 3): "x"')
    expect(errorOf({ stderr })).toMatchObject({
      code: 'unusable_file',
      exitCode: 2,
      message: expect.stringContaining(message),
      outcome: 'none',
    })
  })

  test.each([
    ['nothing in it', '', 'unusable_file', 'The file is empty'],
    [
      'another encoding in the header',
      Buffer.from('paymentId,gr\u00F6\u00DFe\n', 'latin1'),
      'unusable_file',
      'Line 1 is not UTF-8',
    ],
    [
      'columns that are not fields',
      'paymentId,amuont\n',
      'unusable_header',
      'The header does not match the fields of a record (7 problems)',
    ],
    ['an endless record', `${HEADER}\n"${'x'.repeat(2e6)}`, 'unusable_file', 'line 2 is longer than 1 MB'],
  ])('is refused at once for %s', async (_, content, code, message) => {
    write('a.csv', content)
    const { exitCode, stdout, stderr } = await check('a.csv --json')
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(errorOf({ stderr })).toMatchObject({ code, message: expect.stringContaining(message) })
  })

  test('is refused if it is a folder or missing', async () => {
    mkdirSync(join(bench().folder, 'folder.csv'))
    expect(await check('folder.csv')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('it is a folder'),
    })
    expect(await check('none.csv')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('no such file'),
    })
  })

  test('is reported as not checked after a signal', async () => {
    write('a.csv', `${HEADER}\n${GOOD}\n`)
    expect(await check('a.csv', { signal: AbortSignal.abort('SIGINT') })).toMatchObject({
      exitCode: 130,
      stdout: '',
      stderr: expect.stringContaining('not all rows were checked'),
    })
  })
})

describe('a file with other column names', () => {
  const FOREIGN = 'id,total,made,nr\n1,7.00,2026-01-31 09:30,A-1\n2,8.5,2026-01-31 09:31,A-2\n'
  const MAP = '--map paymentId=id --map amount=total --map createdAt=made --map order.id=nr'
  const CONST =
    '--const currencyCode=EUR --const processor.name=ACME --const paymentMethod.paymentMethodType=PAYPAL'
  const MAPPING = `map:
  paymentId: id
  amount: total
  createdAt: made
  order.id: nr
const:
  currencyCode: JPY
  processor.name: ACME
  paymentMethod.paymentMethodType: PAYPAL
amounts: major
assumeUtc: true
`
  beforeEach(() => {
    write('a.csv', FOREIGN)
    write('map.yaml', MAPPING)
  })

  test('is mapped by flags', async () =>
    expect(await check(`a.csv ${MAP} ${CONST} --amounts major --assume-utc`)).toMatchObject({ exitCode: 0 }))

  test('is mapped by a mapping file, which flags override', async () => {
    const alone = await check('a.csv --mapping map.yaml --json -q')
    expect(JSON.parse(alone.stdout)).toMatchObject({ bad: 1, problems: [{ hint: 'JPY has none' }] })
    expect(await check('a.csv --mapping map.yaml --const currencyCode=EUR')).toMatchObject({ exitCode: 0 })
    expect(await check('a.csv --mapping map.yaml --amounts minor')).toMatchObject({ exitCode: 14 })
    // A column instead of a constant, and vice versa.
    const swapped = await check(
      'a.csv --mapping map.yaml --map processor.name=nr --const order.id=A --const currencyCode=EUR',
    )
    expect(swapped).toMatchObject({ exitCode: 0 })
  })

  test('names the columns that are not imported', async () => {
    write('b.csv', FOREIGN.replace('nr', 'nr,notes\u001B[31m').replaceAll(/(A-\d)/g, '$1,x'))
    const { stderr } = await check(`b.csv ${MAP} ${CONST} --amounts major --assume-utc`)
    expect(stderr).toContain('Columns that are not imported: notes\\u001b[31m.')
  })

  test.each([
    [
      '--map amount --map amount=a --map amount=b --const =x',
      '--map takes FIELD=COLUMN, not "amount"; --map names amount twice; --const takes FIELD=VALUE, not "=x"',
    ],
    ['--amounts mayor', '--amounts takes minor or major, not "mayor"'],
    ['--mapping none.yaml', 'none.yaml cannot be read'],
    ['--mapping a.csv', 'The mapping a.csv cannot be used'],
  ])('is refused with bad flags: %s', async (words, message) => {
    const { exitCode, stderr } = await check(`a.csv ${words}`)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
  })

  test('is refused without a mapping, with what to do', async () => {
    const { exitCode, stderr } = await check('a.csv')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('total: is not a field of a record')
    expect(stderr).toContain('paymentId: is required, but no column or constant provides it')
    expect(stderr).toContain('pay observability template FILE')
  })
})

describe('NDJSON', () => {
  const RECORD = {
    paymentId: 'ext-1',
    currencyCode: 'EUR',
    processor: { name: 'ACME' },
    amount: 700,
    createdAt: '2026-01-31T09:30:00+01:00',
    order: { id: 'A-1' },
    paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
  }

  test('is checked like CSV', async () => {
    const bad = { ...RECORD, amount: 7.5, statsu: 'x' }
    write('a.ndjson', [RECORD, bad, bad].map((record) => JSON.stringify(record)).join('\n\n') + '\nno json\n')
    const { exitCode, stdout } = await check('a.ndjson --json')
    expect(exitCode).toBe(14)
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 4,
      bad: 3,
      problems: [
        {
          column: 'amount',
          problem: 'must be a whole number',
          count: 2,
          first: [
            { row: 2, line: 3, value: '7.5' },
            { row: 3, line: 5 },
          ],
        },
        { column: 'statsu', hint: 'Did you mean status?', count: 2 },
        {
          problem: expect.stringContaining('is not JSON'),
          count: 1,
          first: [{ row: 4, line: 6, value: 'no json' }],
        },
      ],
    })
  })
})

describe('a file with bad rows', () => {
  const DIRTY = [
    `${HEADER},status`,
    `${GOOD},SETLED`,
    '1.23E+10,eux,ACME,"12,50",31/01/2026,NULL,=B2,SETTLED',
    `${GOOD.replace('700', '8,00').replace('8,00', '"8,00"')},SETLED`,
    ',,,,,,,',
    'x,y',
    '',
  ].join('\n')

  test('is reported by kind of problem', async () => {
    write('a.csv', DIRTY)
    const { exitCode, stdout, requests } = await check('a.csv')
    expect({ exitCode, requests }).toEqual({ exitCode: 14, requests: [] })
    expect(stdout).toBe(`✗ 3 of 4 rows cannot be sent, 1 can (the service may refuse 1). Nothing was sent.

amount has a comma: 2 times
  row 2 (line 3): "12,50"
  row 3 (line 4): "8,00"
  Use a decimal point and no thousands separators: 1234.50. If commas separate decimals, add --amounts major --decimal-comma

paymentId is a number that a spreadsheet shortened: 1 time
  row 2 (line 3): "1.23E+10"
  Digits are lost: format the column as text and export it again

currencyCode is not an ISO 4217 currency code: 1 time
  row 2 (line 3): "eux"
  Did you mean EUR?

createdAt does not show which number is the month: 1 time
  row 2 (line 3): "31/01/2026"
  Use ISO 8601 with a zone, such as 2026-01-31T09:30:00Z, or name the format with --date-format

order.id is a word for nothing, not an ID: 1 time
  row 2 (line 3): "NULL"
  Fill in the ID, or leave out the row

paymentMethod.paymentMethodType is a formula: 1 time
  row 2 (line 3): "=B2"
  Export values, not formulas

The row has 2 cells, but the header has 8: 1 time
  row 5 (line 6)
  Check for a cell with a delimiter that is not in quotes

! 1 row repeats the paymentId of an earlier row; only the last row of each counts:
  ext-1 (rows 1, 3)

! status: "SETLED" is not a known value; it is sent unchanged (Did you mean SETTLED?): 2 rows
  To map them, write in a mapping file (--mapping): values: {status: {SETLED: …}}
`)
  })

  test('is reported as JSON', async () => {
    write('a.csv', DIRTY)
    const { exitCode, stdout } = await check('a.csv --json')
    expect(exitCode).toBe(14)
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 4,
      good: 0,
      bad: 3,
      doubtful: 1,
      leftOut: [{ column: '', value: '', rows: 1 }],
      problems: [
        {
          column: 'amount',
          problem: 'has a comma',
          count: 2,
          first: [
            { row: 2, line: 3, value: '12,50' },
            { row: 3, line: 4, value: '8,00' },
          ],
        },
        ...Array.from({ length: 5 }, () => ({ count: 1 })),
        { problem: 'has 2 cells, but the header has 8', first: [{ row: 5, line: 6 }] },
      ],
      warnings: [{ warning: expect.stringContaining('"SETLED"'), count: 2 }],
    })
  })

  test.each(['yaml', 'csv', 'ndjson', 'id'])('is reported as %s', async (format) => {
    write('a.csv', DIRTY)
    const { exitCode, stdout } = await check(`a.csv -o ${format}`)
    expect(exitCode).toBe(14)
    const first = {
      yaml: 'rows: 4',
      csv: 'rows,good,bad,leftOut,problems,warnings',
      ndjson: '{"rows":4,',
      id: '',
    }[format]
    expect(stdout.startsWith(first ?? '?')).toBe(true)
  })

  test.each([[''], ['--json']])(
    'is reported without card numbers and control characters %s',
    async (format) => {
      const long = `${'x'.repeat(150)}4111111111111111`
      const bad = ['4111111111111111\u001B[31m ', `4111 1111 1111 1111 ${long}`, 'EUR', '4111111111111111,5']
      write('a.csv', `${HEADER}\n${bad.map((cell) => GOOD.replace('700', `"${cell}"`)).join('\n')}\n`)
      const { stdout, stderr } = await check(`a.csv ${format}`)
      expect(stdout + stderr).not.toMatch(/4111|\u001B/)
      expect(stdout).toContain('[card number]')
      expect(stdout.length).toBeLessThan(1_500)
    },
  )
})

describe('a mapped column', () => {
  test('is named with its field', async () => {
    write('a.csv', `${HEADER.replace('amount', 'Total')}\n${GOOD.replace('700', '-7')}\n`)
    const words = 'a.csv --map amount=Total'
    expect((await check(words)).stdout).toContain('Total (amount) is negative: 1 time')
    const { stdout } = await check(`${words} --json`)
    expect(JSON.parse(stdout).problems).toMatchObject([{ column: 'Total', field: 'amount' }])
  })

  test('that may have secrets shows no value', async () => {
    write('a.csv', `${HEADER},metadata.api_token\n${GOOD},=secret-1\n`)
    const { stdout } = await check('a.csv --rejects rejects.csv')
    expect(stdout).toContain('metadata.api_token is a formula')
    expect(stdout).not.toContain('secret-1')
    expect(stdout).toContain('[redacted]')
  })
})

describe('repeated paymentIds', () => {
  const rows = (ids: readonly string[]) => ids.map((id) => `${GOOD.replace('ext-1', id)}\n`).join('')

  test('are counted and named, but are not a problem', async () => {
    write('a.csv', `${HEADER}\n${rows(['a', 'b', 'a', 'c', 'b', 'a'])}`)
    const ran = await check('a.csv --json')
    expect(ran.exitCode).toBe(0)
    expect(JSON.parse(ran.stdout)).toMatchObject({
      rows: 6,
      good: 6,
      repeats: {
        count: 3,
        kept: 'last',
        first: [
          { paymentId: 'a', count: 2, rows: [1, 3, 6] },
          { paymentId: 'b', count: 1, rows: [2, 5] },
        ],
      },
    })
    expect((await check('a.csv --on-exists skip')).stdout).toContain('only the first row of each counts')
  })

  test('are not all named', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `id-${index}`)
    write('a.csv', `${HEADER}\n${rows([...ids, ...ids])}`)
    const { stdout } = await check('a.csv')
    expect(stdout).toContain('30 rows repeat the paymentId of an earlier row')
    expect(stdout).toContain('  id-4 (rows 5, 35)\n  and others\n')
  })

  test('are found in NDJSON, except in rows without a paymentId', async () => {
    write('a.ndjson', '{"paymentId":"a"}\n{}\n{}\n{"paymentId":"a"}\n')
    const { stdout } = await check('a.ndjson --json')
    expect(JSON.parse(stdout)).toMatchObject({
      repeats: { count: 1, first: [{ paymentId: 'a', rows: [1, 4] }] },
    })
  })

  test('are masked if they are card numbers', async () => {
    write('a.csv', `${HEADER}\n${rows(['4111111111111111', '4111111111111111'])}`)
    expect((await check('a.csv')).stdout).not.toContain('4111111111111111')
  })
})

describe('--rejects', () => {
  const BAD = GOOD.replace('ext-1', 'ext-2').replace('700', '-7')

  test('has only the bad rows, which can be corrected and imported', async () => {
    write('a.csv', `${HEADER}\n${GOOD}\n${BAD}\n`)
    const ran = await check('a.csv --rejects rejects.csv --results results.csv')
    expect(ran).toMatchObject({ exitCode: 14, requests: [] })
    expect(read('rejects.csv')).toBe(
      `${HEADER},reason\n${BAD},"amount ""-7"" is negative (Amounts must be 0 or more)"\n`,
    )
    expect(ran.stderr).toContain('does not write --results')
    expect(ran.stderr).toContain('Rejects: rejects.csv (1 row that cannot be sent, each with the reason)')
    expect(existsSync(join(bench().folder, 'results.csv'))).toBe(false)
    write('corrected.csv', read('rejects.csv').replace('-7,', '7,'))
    expect(await check('corrected.csv')).toMatchObject({ exitCode: 0 })
  })

  test('is not needed for a script to see that rows are bad', async () => {
    write('a.csv', `${HEADER}\n${GOOD}\n${BAD}\n`)
    const ran = await check('a.csv --json')
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 2, bad: 1 })
    expect(errorOf(ran)).toMatchObject({ code: 'bad_rows', exitCode: 14, outcome: 'none' })
  })

  test('is NDJSON for NDJSON', async () => {
    write('a.ndjson', '{"paymentId":"ext-1"}\nx\n')
    await check('a.ndjson --rejects rejects.ndjson')
    const [first = '', second] = read('rejects.ndjson').split('\n')
    expect(JSON.parse(first)).toMatchObject({ paymentId: 'ext-1', reason: expect.stringContaining('amount') })
    expect(second).toBe('x')
  })

  test('is never written over the input', async () => {
    write('a.csv', `${HEADER}\n${BAD}\n`)
    expect(await check('a.csv --rejects ./a.csv')).toMatchObject({ exitCode: 2 })
    expect(read('a.csv')).toBe(`${HEADER}\n${BAD}\n`)
  })
})

test('the rejects of an import can be corrected and imported', async () => {
  const note = '"+49 30 1, ""x"""'
  write(
    'a.csv',
    `${HEADER},metadata.note\n${GOOD},-5\n${GOOD.replace('ext-1', 'ext-2').replace('700', 'x')},${note}\n`,
  )
  const first = await bench().runPay('--sandbox observability import a.csv --rejects bad.csv --json')
  expect(first.exitCode).toBe(14)
  const rejects = read('bad.csv')
  expect(rejects).toBe(
    `${HEADER},metadata.note,reason\n${GOOD.replace('ext-1', 'ext-2').replace('700', 'x')},"'+49 30 1, ""x""","amount ""x"" has letters or a currency sign (Write the number alone, or with its ISO 4217 code)"\n`,
  )
  write('corrected.csv', rejects.replace(',x,', ',800,'))
  const second = await bench().runPay('--sandbox observability import corrected.csv --json -q')
  expect(second.exitCode).toBe(0)
  expect(JSON.parse(second.requests[0]?.body ?? '')).toMatchObject({
    paymentId: 'ext-2',
    amount: 800,
    metadata: { note: '+49 30 1, "x"' },
  })
})
