import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { REQUIRED_FIELDS } from '../../../../src/rows/import/record-fields.ts'
import { errorOf } from '../../../support/run-result.ts'
import { useImportBench } from './import-bench.ts'

const { bench, check, write } = useImportBench()
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
    [
      'a byte order mark, quotes and no line end',
      `\uFEFF"${HEADER.replaceAll(',', '","')}"\n${GOOD}`,
      'commas',
    ],
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
  ])('%s is recognized by its bytes', async (name, content, message) => {
    write(name, content)
    for (const words of [`import ${name} --dry-run`, `template ${name}`]) {
      const ran = await bench().runPay(`observability ${words} --json`)
      expect(ran).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
      expect(ran.stderr).toContain(message)
      expect(ran.stderr).toContain('CSV UTF-8')
    }
  })

  test('is recognized on stdin, too, and is not any ZIP archive', async () => {
    expect((await check('- --format csv', { stdin: XLSX })).stderr).toContain('stdin is an Excel workbook')
    write('a.csv', zip('photo.jpg'))
    expect((await check('a.csv')).stderr).toContain('a.csv is a ZIP archive, not a CSV')
  })
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

describe('a file that cannot be read to its end', () => {
  test.each([
    [
      'a quote',
      `${HEADER}\n${GOOD}\n${GOOD.replace('700', 'x')}\na,"b\n`,
      'Line 4 cannot be read: a quote is never closed',
    ],
    [
      'another encoding',
      Buffer.from(`${HEADER}\n${GOOD}\n${GOOD.replace('700', 'x')}\nM\u00FCller\n`, 'latin1'),
      'Line 4 is not UTF-8',
    ],
    [
      'damage',
      gzipSync(`${HEADER}\n${GOOD}\n${GOOD.replace('700', 'x')}\n`).subarray(0, -6),
      'a.csv is truncated',
    ],
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
    [
      'a record that never ends',
      `${HEADER}\n"${'x'.repeat(2_000_000)}`,
      'unusable_file',
      'line 2 is longer than 1 MB',
    ],
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
