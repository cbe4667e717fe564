import { describe, expect, test } from 'vitest'
import { REQUIRED_FIELDS } from '../../../../src/rows/import/record-fields.ts'
import { useImportBench } from './import-bench.ts'

const { check, write } = useImportBench()
const HEADER = REQUIRED_FIELDS.join(',')
const GOOD = 'ext-1,EUR,ACME,700,2026-01-31T09:30:00Z,A-1,PAYMENT_CARD'

describe('a file with bad rows', () => {
  const DIRTY = [
    `${HEADER},status`,
    `${GOOD},SETLED`,
    '1.23E+10,eux,ACME,"12,50",31/01/2026, A-2,=B2,SETTLED',
    `${GOOD.replace('700', '8,00').replace('8,00', '"8,00"')},SETLED`,
    ',,,,,,,',
    'x,y',
    '',
  ].join('\n')

  test('is reported by kind of problem', async () => {
    write('a.csv', DIRTY)
    const { exitCode, stdout, requests } = await check('a.csv')
    expect({ exitCode, requests }).toEqual({ exitCode: 14, requests: [] })
    expect(stdout).toBe(`✗ 4 of 5 rows cannot be sent, 1 can. Nothing was sent.

amount has a comma: 2 times
  row 2 (line 3): "12,50"
  row 3 (line 4): "8,00"
  Use a decimal point and no thousands separators: 1234.50. If commas separate decimals, add --decimal-comma

paymentId is a number that a spreadsheet shortened: 1 time
  row 2 (line 3): "1.23E+10"
  Digits are lost: format the column as text and export it again

currencyCode is not an ISO 4217 currency code: 1 time
  row 2 (line 3): "eux"
  Did you mean EUR?

createdAt does not show which number is the month: 1 time
  row 2 (line 3): "31/01/2026"
  Use ISO 8601 with a zone, such as 2026-01-31T09:30:00Z, or name the format with --date-format

order.id has a space at its start or end: 1 time
  row 2 (line 3): " A-2"

paymentMethod.paymentMethodType is a formula: 1 time
  row 2 (line 3): "=B2"
  Export values, not formulas

The row is empty: 1 time
  row 4 (line 5)
  Remove it

The row has 2 cells, but the header has 8: 1 time
  row 5 (line 6)
  Check for a cell with a delimiter that is not in quotes

! 1 row repeats the paymentId of an earlier row; only the last row of each counts:
  ext-1 (rows 1, 3)

! status: "SETLED" is not a known value; it is sent unchanged (Did you mean SETTLED?): 2 rows
`)
  })

  test('is reported as JSON', async () => {
    write('a.csv', DIRTY)
    const { exitCode, stdout } = await check('a.csv --json')
    expect(exitCode).toBe(14)
    expect(JSON.parse(stdout)).toMatchObject({
      rows: 5,
      good: 1,
      bad: 4,
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
        { problem: 'is empty', first: [{ row: 4, line: 5 }] },
        { problem: 'has 2 cells, but the header has 8', first: [{ row: 5, line: 6 }] },
      ],
      warnings: [{ warning: expect.stringContaining('"SETLED"'), count: 2 }],
    })
  })

  test.each(['yaml', 'csv', 'ndjson', 'id'])('is reported as %s', async (format) => {
    write('a.csv', DIRTY)
    const { exitCode, stdout } = await check(`a.csv -o ${format}`)
    expect(exitCode).toBe(14)
    const first = { yaml: 'rows: 5', csv: 'rows,good,bad,problems,warnings', ndjson: '{"rows":5,', id: '' }[
      format
    ]
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
