import { linkSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HEADER, csvOf, readTable } from '../../../support/import-bench.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import { errorOf } from '../../../support/run-result.ts'
import { okay, useImportBench } from './import-bench.ts'

const { bench, write, read, importing, withService } = useImportBench()

describe('--results and --rejects', () => {
  test('have every row once, in the order of the file', async () => {
    await bench().runPay(
      '--sandbox obs push --payment-id ext-3 --amount 1 --currency EUR --processor A --created-at 2026-01-31T09:30:00Z --order-id o --payment-method-type PAYMENT_CARD',
    )
    write('rows.csv', csvOf(5, (row) => (row === 2 ? '12,50' : 100)).replace('12,50', '"12,50"'))
    const ran = await importing('rows.csv --results results.csv --rejects rejects.csv --json')
    expect(ran).toMatchObject({ exitCode: 14 })
    expect(JSON.parse(ran.stdout)).toMatchObject({
      rows: 5,
      created: 3,
      updated: 1,
      skipped: 0,
      failed: 1,
      unknown: 0,
      retries: 0,
      seconds: expect.any(Number),
    })
    expect(readTable(bench().folder, 'results.csv')).toEqual([
      ['1', 'ext-1', 'created', '', ''],
      ['2', 'ext-2', 'failed', '', expect.stringContaining('amount "12,50"')],
      ['3', 'ext-3', 'updated', '', ''],
      ['4', 'ext-4', 'created', '', ''],
      ['5', 'ext-5', 'created', '', ''],
    ])
    expect(read('rejects.csv')).toMatch(/^paymentId,.*,reason\next-2,EUR,ACME,"12,50",.*\n$/)
  })

  test('rejects can be corrected and imported', async () => {
    write(
      'rows.csv',
      csvOf(3, (row) => (row === 2 ? 'x' : 100)),
    )
    await importing('rows.csv --rejects rejects.csv')
    write('corrected.csv', read('rejects.csv').replace(',x,', ',250,'))
    const ran = await importing('corrected.csv --rejects again.csv --json')
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 1, created: 1 })
    expect(readTable(bench().folder, 'again.csv')).toEqual([])
  })

  test('have the service’s own reason, without card numbers and control characters', async () => {
    write('rows.csv', csvOf(1))
    const refuse = () =>
      jsonAnswer(422, {
        error: {
          errorId: 'RequestValidationError',
          description: '=bad \u001B[31m 4111111111111111',
          validationErrors: [{ model: 'M', errors: [{ path: '$.order.id', description: 'too long' }] }],
        },
      })
    const ran = await withService('rows.csv --results results.csv', refuse)
    const message = `=bad \\u001b[31m [card number]; order.id "order-1" too long`
    expect(readTable(bench().folder, 'results.csv')).toEqual([
      ['1', 'ext-1', 'failed', 'RequestValidationError', `'${message}`],
    ])
    expect(ran.stderr).toContain(message)
    expect(`${ran.stderr}${read('results.csv')}`).not.toContain('4111111111111111')
  })

  test.each([
    ['the same path', '--results rows.csv'],
    ['another name of the file', '--results other-name.csv'],
    ['one file for both', '--results r.csv --rejects r.csv'],
    ['a longer path', '--rejects ./x/../rows.csv'],
  ])('are never written over the input: %s', async (_, words) => {
    const content = csvOf(3)
    write('rows.csv', content)
    linkSync(join(bench().folder, 'rows.csv'), join(bench().folder, 'other-name.csv'))
    mkdirSync(join(bench().folder, 'x'))
    const ran = await importing(`rows.csv ${words} --json`)
    expect(ran).toMatchObject({ exitCode: 2, requests: [] })
    expect(errorOf(ran)).toMatchObject({ code: 'two_sources' })
    expect(read('rows.csv')).toBe(content)
  })

  test('that cannot be written are refused before anything is sent', async () => {
    write('rows.csv', csvOf(1))
    const ran = await importing('rows.csv --results none/r.csv')
    expect(ran).toMatchObject({ exitCode: 2, requests: [], stdout: '' })
    expect(ran.stderr).toContain('there is no such folder')
  })
})

describe('after the import, stderr names', () => {
  test('the files and the command that imports the corrected rejects', async () => {
    write('rows.csv', csvOf(3, (row) => (row === 2 ? 'x' : 1)).replace('amount', 'Total due'))
    const words = ['rows.csv', '--map', 'amount=Total due', '--results', 'out/r.csv', '--rejects', 'bad.csv']
    mkdirSync(join(bench().folder, 'out'))
    const command = ['--sandbox', 'observability', 'import', ...words]
    const ran = await bench().runPay(command)
    expect(ran.stderr).toContain('Results: out/r.csv (every row)\n')
    expect(ran.stderr).toContain('Rejects: bad.csv (1 failed row, each with the reason)\n')
    expect(ran.stderr).toContain("pay --sandbox observability import bad.csv --map 'amount=Total due'\n")
    const again = await bench().runPay([...command, '--json'])
    expect(errorOf(again)).toMatchObject({
      next: ["pay --sandbox observability import bad.csv --map 'amount=Total due'"],
    })
  })

  test('the same command if the import stopped early', async () => {
    write(
      'rows.csv',
      csvOf(9, () => 'x'),
    )
    const ran = await withService('rows.csv --max-failures 1 --results r.csv --json', okay)
    // The same limit would stop it again.
    expect(errorOf(ran)).toMatchObject({ next: ['pay observability import rows.csv --results r.csv'] })
    expect(ran.stderr).toContain('Results: r.csv (the rows so far)')
  })

  test('--results if it was not used', async () => {
    write(
      'rows.csv',
      csvOf(1, () => 'x'),
    )
    expect((await withService('rows.csv', okay)).stderr).toContain('Add --results FILE')
  })

  test('an input without rows', async () => {
    write('rows.csv', HEADER)
    const ran = await withService('rows.csv --json', okay)
    expect(ran).toMatchObject({ exitCode: 0, requests: [] })
    expect(JSON.parse(ran.stdout)).toMatchObject({ rows: 0 })
    expect(ran.stderr).toContain('No rows: there is nothing to import in rows.csv.')
  })
})

describe('--results and --rejects never replace', () => {
  const refused = async (words: string) => {
    const ran = await withService(`rows.csv ${words} --json`, okay)
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(errorOf(ran)).toMatchObject({ code: 'unwritable_file', outcome: 'none', hint: expect.any(String) })
  }

  test.each(['--results', '--rejects', '--dry-run --rejects'])('other files, with %s', async (flags) => {
    write('rows.csv', csvOf(2))
    write('notes.txt', 'notes\n')
    await refused(`${flags} notes.txt`)
    expect(read('notes.txt')).toBe('notes\n')
  })

  test.each(['--results', '--dry-run --rejects'])(
    'anything in the folders of pay, with %s',
    async (flags) => {
      write('rows.csv', csvOf(2))
      mkdirSync(bench().stateFolder, { recursive: true })
      symlinkSync(bench().stateFolder, join(bench().folder, 'linked'))
      await refused(`${flags} linked/x.csv`)
    },
  )

  test('their own files are replaced', async () => {
    for (const rows of [3, 2]) {
      write(
        'rows.csv',
        csvOf(rows, () => -1),
      )
      expect((await withService('rows.csv --results r.csv --rejects x.csv', okay)).exitCode).toBe(14)
      expect(read('x.csv').trimEnd().split('\n')).toHaveLength(rows + 1)
      expect(readTable(bench().folder, 'r.csv')).toHaveLength(rows)
    }
  })
})

test('an ID of NDJSON in the results cannot control a terminal', async () => {
  const record = { currencyCode: 'EUR', amount: -1, paymentId: 'p\u009b\u202e' }
  write('rows.ndjson', `${JSON.stringify(record)}\n`)
  await withService('rows.ndjson --results r.csv', okay)
  expect(read('r.csv')).toContain(String.raw`1,p\u009b\u202e,failed`)
})
