import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import { createRowWarnings } from '../../../src/rows/map/row-warnings.ts'
import { readTable } from '../../../src/rows/read/table.ts'
import { TEMPLATE_FIELDS, templateRow } from '../../../src/commands/observability/template.ts'
import { READY_MAPPINGS } from '../../../src/rows/import/ready-mappings.ts'
import { RECORD } from '../../../src/rows/import/record-fields.ts'
import { splitWords } from '../../support/run-pay.ts'

const bench = useBench()

test.each(['', '-o csv'])('the template can be imported %s', async (format) => {
  const { exitCode, stdout, requests } = await bench.runPay(`observability template ${format}`)
  expect({ exitCode, requests }).toEqual({ exitCode: 0, requests: [] })
  writeFileSync(join(bench.folder, 'a.csv'), stdout)
  expect(await bench.runPay('observability import a.csv --dry-run')).toMatchObject({
    exitCode: 0,
    stdout: '✓ 1 row, all good. Nothing was sent.\n',
  })
})

test('the template is a record without warnings', () => {
  const text = `${TEMPLATE_FIELDS.join(',')}\n`
  const mapping = { columns: new Map<string, string>(), constants: new Map<string, string>() }
  const rowWarnings = createRowWarnings()
  const cells = { amounts: 'minor', assumesUtc: false } as const
  const { rowOf } = readTable(RECORD, Buffer.from(text), { mapping, cells, rowWarnings })
  expect(rowOf(templateRow())).toMatchObject({
    id: 'ext-1',
    prepared: { body: { amount: 2500 } },
    problems: [],
  })
  expect(rowWarnings.all()).toEqual([])
})

test('suggests a command for other column names, which then works', async () => {
  const header = 'Transaction ID;Total;Currency;Created (UTC);Order;PSP;Notes'
  writeFileSync(join(bench.folder, 'my file.csv'), `${header}\n1;700;EUR;2026-01-31T09:30:00Z;A-1;ACME;x\n`)
  const { stdout } = await bench.runPay(['observability', 'template', 'my file.csv'])
  const flags = [
    "--map 'paymentId=Transaction ID' --map amount=Total --map currencyCode=Currency",
    "--map 'createdAt=Created (UTC)' --map order.id=Order --map processor.name=PSP",
    "--const 'paymentMethod.paymentMethodType=…' --assume-utc",
  ]
  expect(stdout).toBe(`pay observability import 'my file.csv' --dry-run ${flags.join(' ')}\n`)
  const words = splitWords(stdout.replace('…', 'PAYPAL').trim()).slice(1)
  expect(await bench.runPay(words)).toMatchObject({ exitCode: 0 })
})

test('the suggestion is an object as JSON', async () => {
  writeFileSync(join(bench.folder, 'a.csv'), 'id,total\n')
  const { stdout } = await bench.runPay('observability template a.csv --json')
  expect(JSON.parse(stdout)).toEqual({
    file: 'a.csv',
    map: { paymentId: 'id', amount: 'total', createdAt: '…', 'order.id': '…' },
    const: { currencyCode: '…', 'processor.name': '…', 'paymentMethod.paymentMethodType': '…' },
    missing: ['currencyCode', 'processor.name', 'createdAt', 'order.id', 'paymentMethod.paymentMethodType'],
    notes: [
      expect.stringContaining('"total" is read as minor units'),
      expect.stringContaining('Replace each … before you run the command'),
    ],
  })
})

test('never maps the name of a person, and says so on stderr', async () => {
  writeFileSync(join(bench.folder, 'a.csv'), 'ID,Name,Email,Total\n')
  const { stdout, stderr } = await bench.runPay('observability template a.csv')
  expect(stdout).not.toMatch(/=(?:Name|Email)/)
  expect(stderr).toContain('they may identify a person and records cannot be removed: "Name", "Email"')
  expect((await bench.runPay('observability template a.csv -q')).stderr).toBe('')
})

describe('refuses a placeholder', () => {
  const header =
    'id,total,currency,created (UTC),order id,processor,type\n1,700,EUR,2026-01-31 09:30,A-1,ACME,PAYPAL\n'

  test.each(['', '--dry-run'])('in a constant %s', async (mode) => {
    writeFileSync(join(bench.folder, 'a.csv'), header)
    const { stdout } = await bench.runPay('observability template a.csv')
    const words = splitWords(stdout.replaceAll('\\\n', '').trim()).slice(1)
    const ran = await bench.runPay([
      '--sandbox',
      ...words.filter((word) => word !== '--dry-run'),
      ...(mode === '' ? [] : [mode]),
    ])
    expect(ran).toMatchObject({ exitCode: 2, requests: [], stdout: '' })
    expect(ran.stderr).toContain('paymentMethod.paymentMethodType: "…" is a placeholder: fill in the value')
  })

  test.each(['…', '...', '<processor>', 'TODO'])('%s', async (placeholder) => {
    writeFileSync(join(bench.folder, 'a.csv'), header)
    const ran = await bench.runPay(
      `observability import a.csv --dry-run --const processor.name=${placeholder} --map paymentId=…`,
    )
    expect(ran.exitCode).toBe(2)
    expect(ran.stderr).toContain(`processor.name: "${placeholder}" is a placeholder`)
    expect(ran.stderr).toContain('paymentId: "…" is a placeholder: replace it with the name of a column')
  })

  test('in NDJSON', async () => {
    writeFileSync(join(bench.folder, 'a.ndjson'), '')
    const ran = await bench.runPay('observability import a.ndjson --dry-run --const processor.name=…')
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is a placeholder') })
  })
})

describe('as YAML', () => {
  const TABLE = 'ID,Total,Currency,Created (UTC),Order,PSP,Notes\n1,7.00,EUR,2026-01-31 09:30:00,A-1,ACME,x\n'

  test.each(['yaml', 'json'])('the suggestion is a mapping file, as %s', async (format) => {
    writeFileSync(join(bench.folder, 'a.csv'), TABLE)
    const { stdout } = await bench.runPay(`observability template a.csv -o ${format}`)
    writeFileSync(join(bench.folder, 'map.yaml'), stdout)
    const checking = 'observability import a.csv --mapping map.yaml --dry-run'
    expect(await bench.runPay(checking)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('paymentMethod.paymentMethodType: "…" is a placeholder'),
    })
    writeFileSync(join(bench.folder, 'map.yaml'), stdout.replace(/(paymentMethodType"?: "?)…/, '$1PAYPAL'))
    expect(await bench.runPay(checking)).toMatchObject({ exitCode: 0 })
  })

  test('the example record is not a mapping file', async () => {
    writeFileSync(join(bench.folder, 'a.csv'), TABLE)
    const { stdout } = await bench.runPay('observability template -o yaml')
    writeFileSync(join(bench.folder, 'map.yaml'), stdout)
    const ran = await bench.runPay('observability import a.csv --mapping map.yaml --dry-run')
    expect(ran.stderr).toContain('paymentId: is a field: put it under map: or const:')
  })
})

test('hostile column names cannot control the terminal or run a command', async () => {
  writeFileSync(join(bench.folder, 'a.csv'), '"order\u001B[31m",total $(rm x) \'\n')
  const { stdout } = await bench.runPay('observability template a.csv')
  expect(stdout).not.toContain('\u001B')
  expect(stdout).not.toContain('$(rm')
})

test.each([
  ['none.csv', 'there is no such file'],
  ['empty.csv', 'The file is empty'],
])('%s cannot be read', async (name, message) => {
  writeFileSync(join(bench.folder, 'empty.csv'), '')
  expect(await bench.runPay(`observability template ${name}`)).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining(message),
  })
})

describe('a ready-made mapping', () => {
  test('is printed to be changed', async () => {
    const { exitCode, stdout } = await bench.runPay('observability template --mapping stripe-balance')
    expect(exitCode).toBe(0)
    writeFileSync(join(bench.folder, 'm.yaml'), stdout)
    const file = fileURLToPath(new URL('../../fixtures/exports/stripe-balance.csv', import.meta.url))
    expect(await bench.runPay(`observability import ${file} --mapping m.yaml --dry-run`)).toMatchObject({
      exitCode: 0,
    })
  })

  test.each(Object.keys(READY_MAPPINGS))('%s is the command for its export, which works', async (name) => {
    const file = fileURLToPath(new URL(`../../fixtures/exports/${name}.csv`, import.meta.url))
    const { stdout, stderr } = await bench.runPay(`observability template ${file}`)
    expect(stderr).toContain(`A ready-made mapping fits this export: ${name}.`)
    expect(stdout).toContain(`--mapping ${name}`)
    // The dates of the export from PayPal don't show which number is the month.
    const typed = stdout.trim().replace('--date-format …', "--date-format 'MM/dd/yyyy HH:mm:ss z'")
    expect(await bench.runPay(splitWords(typed).slice(1))).toMatchObject({ exitCode: 0 })
  })

  test('reads the order from another column if the usual one is missing', async () => {
    const file = fileURLToPath(new URL('../../fixtures/exports/stripe-payments.csv', import.meta.url))
    const csv = readFileSync(file, 'utf8').replace('order_id (metadata)', 'Vorgang')
    writeFileSync(join(bench.folder, 'a.csv'), csv)
    const { stdout, stderr } = await bench.runPay('observability template a.csv')
    expect(stderr).toContain('There is no column "order_id (metadata)", so order.id is read from "id"')
    expect(stdout).toBe(
      'pay observability import a.csv --dry-run --mapping stripe-payments --map order.id=id\n',
    )
  })

  test.each([
    ['--mapping strip-balance', 'stripe-balance'],
    ['a.csv --mapping stripe-balance', '--mapping prints a ready-made mapping'],
  ])('%s is refused', async (words, message) => {
    const { exitCode, stderr } = await bench.runPay(`observability template ${words}`)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
  })
})

test('a file in another encoding is read with the flags of the import, which the command repeats', async () => {
  writeFileSync(join(bench.folder, 'a.csv'), Buffer.from('Transaction ID|Gr\u00F6\u00DFe\n1|2\n', 'latin1'))
  const { stdout, stderr } = await bench.runPay(
    "observability template a.csv --encoding latin1 --delimiter '|'",
  )
  expect(stderr).not.toContain('not UTF-8')
  expect(stdout).toContain("--delimiter '|'")
  expect(stdout).toContain('--encoding windows-1252')
  writeFileSync(join(bench.folder, 'b.csv'), Buffer.from('\uFEFFTransaction ID\tTotal\n1\t2\n', 'utf16le'))
  expect((await bench.runPay('observability template b.csv')).stdout).toContain('--map amount=Total')
})

test('a German spreadsheet of records gets its encoding, decimal commas and dates', async () => {
  const csv =
    'paymentId;order.id;amount;currencyCode;createdAt;processor.name;paymentMethod.paymentMethodType\n1;M\u00FCller;1.234,50;EUR;31.01.2026 09:30;ACME;PAYPAL\n'
  writeFileSync(join(bench.folder, 'a.csv'), Buffer.from(csv, 'latin1'))
  const { stdout, stderr } = await bench.runPay('observability template a.csv')
  for (const flag of [
    '--amounts major',
    '--decimal-comma',
    "--date-format 'dd.MM.yyyy HH:mm'",
    '--timezone …',
    '--encoding windows-1252',
  ])
    expect(stdout).toContain(flag)
  expect(stderr).toContain('check that "Müller" is right')
  expect(stderr).toContain('name no zone, such as "31.01.2026 09:30"')
  const typed = stdout.trim().replace('…', 'Europe/Berlin')
  expect(await bench.runPay(splitWords(typed).slice(1))).toMatchObject({ exitCode: 0 })
})
