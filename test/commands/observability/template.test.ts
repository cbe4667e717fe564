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
    '--map "paymentId=Transaction ID" --map amount=Total --map currencyCode=Currency',
    '--map "createdAt=Created (UTC)" --map order.id=Order --map processor.name=PSP',
    '--const "paymentMethod.paymentMethodType=…" --assume-utc',
  ]
  expect(stdout).toBe(`pay observability import "my file.csv" --dry-run ${flags.join(' ')}\n`)
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
  expect(stdout).toContain('--delimiter "|"')
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
    '--date-format "dd.MM.yyyy HH:mm"',
    '--timezone …',
    '--encoding windows-1252',
  ])
    expect(stdout).toContain(flag)
  expect(stderr).toContain('check that "Müller" is right')
  expect(stderr).toContain('name no zone, such as "31.01.2026 09:30"')
  const typed = stdout.trim().replace('…', 'Europe/Berlin')
  expect(await bench.runPay(splitWords(typed).slice(1))).toMatchObject({ exitCode: 0 })
})

const HEAD = 'id,amount,currency,created,order,psp,method'
const record = (amount: string, created = '2026-01-31T09:30:00Z') =>
  `1,${amount},EUR,${created},o1,ACME,PAYPAL`
const OWN = 'paymentId,currencyCode,processor.name,amount,createdAt,order.id,paymentMethod.paymentMethodType'

/** Runs the command that the template prints for a file. */
async function storedBy(lines: readonly string[], answers: Readonly<Record<string, string>> = {}) {
  writeFileSync(join(bench.folder, 'a.csv'), `${lines.join('\n')}\n`)
  const found = await bench.runPay('observability template a.csv')
  const line = Object.entries(answers).reduce(
    (text, [open, answer]) => text.replace(open, answer),
    found.stdout.trim(),
  )
  expect(line).not.toContain('\n')
  const ran = await bench.runPay([
    ...splitWords(line)
      .slice(1)
      .filter((word) => word !== '--dry-run'),
    '--sandbox',
  ])
  const { stdout } = await bench.runPay('observability get 1 --sandbox --json')
  const stored = stdout === '' ? undefined : (JSON.parse(stdout) as unknown)
  return { ...found, ran, stored }
}

describe('the command for a file stores what the file means', () => {
  test.each([
    [
      'the fields’ own names, and one column more',
      [`${OWN},tz`, '1,EUR,ACME,1250,2026-01-31T09:30:00Z,o1,PAYPAL,x'],
      1250,
    ],
    ['a name that stands twice', [HEAD.replace('amount', 'amount,amount'), record('12.50,12.50')], 1250],
    ['lines before the header', ['Export,,,,,,', '"as of today",,,,,,', HEAD, record('12.50')], 1250],
    ['cents that a program wrote', [HEAD.replace('amount', 'amount_cents'), record('1250.0')], 1250],
    [
      'a currency in the name',
      [HEAD.replace('amount,currency', 'Amount (EUR)'), record('12.50').replace(',EUR', '')],
      1250,
    ],
    [
      'a currency in every cell',
      [HEAD.replace(',currency', ''), record('12.50 EUR').replace(',EUR,', ',')],
      1250,
    ],
    ['zeros beside decimals', [HEAD, record('12.50'), record('0').replace(/^1/, '2')], 1250],
    ['seconds since 1970', [HEAD, record('12.50', '1769851800')], 1250],
    ['a zone in the time', [HEAD, record('12.50', '31/01/2026 10:30 CET')], 1250],
    [
      'a column of zones',
      [`${HEAD},Time zone`, `${record('12.50', '2026-01-31 10:30')},Europe/Berlin`],
      1250,
    ],
    [
      'Spanish',
      [
        'ID de pago;Importe;Moneda;Fecha de pago;Número de pedido;Proveedor de pago;Método de pago',
        '1;12,50;EUR;31/01/2026 09:30 +00:00;o1;ACME;PAYPAL',
      ].map((line) => line.replace('ID de pago', 'Id pago')),
      1250,
    ],
    [
      'French',
      [
        'Identifiant;Montant;Devise;Date de création;N° de commande;Prestataire;Moyen de paiement',
        '1;12,50;EUR;31/01/2026 09:30 +00:00;o1;ACME;PAYPAL',
      ],
      1250,
    ],
    [
      'Polish',
      [
        'ID płatności;Kwota;Waluta;Data płatności;Nr zamówienia;PSP;Metoda płatności',
        '1;12,50;EUR;31.01.2026 09:30 +00:00;o1;ACME;PAYPAL',
      ],
      1250,
    ],
  ])('with %s', async (_, lines, amount) => {
    const { stdout, stderr, ran, stored } = await storedBy(lines)
    expect(stdout, stderr).not.toContain('…')
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
    expect(stored).toMatchObject({ amount, currencyCode: 'EUR', createdAt: '2026-01-31T09:30:00Z' })
  })

  test.each([
    ['slashes', '31/01/2026 10:30'],
    ['hours of one digit', '31.1.2026 10:30'],
    ['AM and PM', '1/31/2026 10:30 AM'],
    ['names of months', '"Jan 31, 2026, 10:30 AM"'],
    ['no zone', '2026-01-31 10:30'],
  ])('with %s, once the zone is filled in', async (_, created) => {
    const { stderr, ran, stored } = await storedBy([HEAD, record('12.50', created)], { '…': 'Europe/Berlin' })
    expect(stderr).toContain('name no zone')
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
    expect(stored).toMatchObject({ amount: 1250, createdAt: '2026-01-31T09:30:00Z' })
  })
})

describe('what a file leaves open is a question, and its command stores nothing', () => {
  test.each([
    [
      'two orders of day and month',
      [HEAD, record('12.50', '03/04/2026 10:30 CET')],
      '--date-format …',
      'fit "dd/MM/yyyy HH:mm z" and "MM/dd/yyyy HH:mm z"',
    ],
    [
      'no format that fits',
      [HEAD, record('12.50', 'yesterday 5')],
      '--date-format …',
      'No format fits the times',
    ],
    [
      'two columns of money',
      [HEAD.replace('amount', 'amount,gross'), record('12.50,15.00')],
      'amount=…',
      '"amount" or "gross"',
    ],
    [
      'a repeated name that differs',
      [HEAD.replace('amount', 'amount,amount'), record('12.50,15.00')],
      'amount=…',
      '"amount#1" or "amount#2"',
    ],
    [
      'amounts in two forms',
      [HEAD, record('12.50'), record('15')],
      '--amounts …',
      'row 1 has "12.50", and row 2 has "15"',
    ],
    [
      'whole numbers with .0',
      [HEAD, record('12.0'), record('15.0')],
      '--amounts …',
      'whole numbers with ".0"',
    ],
    ['grouped whole numbers', [HEAD, record('"1,240"')], '--amounts …', '"1,240"'],
    [
      'minor units with decimals',
      [HEAD.replace('amount', 'amount_cents'), record('12.50')],
      '--amounts …',
      'names minor units',
    ],
    [
      'refunds among payments',
      [`${HEAD},Type`, `${record('12.50')},charge`, `${record('12.50')},refund`],
      '--mapping …',
      'where: {Type: [charge]}',
    ],
    [
      'fees in German',
      [`${HEAD},Buchungsart`, `${record('12.50')},Zahlung`, `${record('12.50')},Gebühr`],
      '--mapping …',
      'where: {Buchungsart: [Zahlung]}',
    ],
    ['negative amounts', [HEAD, record('12.50'), record('-3.50')], '--mapping …', '"-3.50"'],
    [
      'a status of its own',
      [`${HEAD},Status`, `${record('12.50')},Paid`],
      '--mapping …',
      'values: {status: {"Paid": …}}',
    ],
    [
      'a sign of several currencies',
      [HEAD.replace(',currency', ''), record('$12.50').replace(',EUR,', ',')],
      'currencyCode=…',
      'one currency for every row',
    ],
  ])('%s', async (_, lines, open, why) => {
    const { stdout, stderr, ran, stored } = await storedBy(lines)
    expect(stdout).toContain(open)
    expect(stderr).toContain(why)
    expect(ran).toMatchObject({ exitCode: 2 })
    expect(stored).toBeUndefined()
  })
})

test('a placeholder in the rows to keep is refused', async () => {
  writeFileSync(
    join(bench.folder, 'a.csv'),
    `${HEAD},Type\n${record('12.50')},charge\n${record('12.50')},refund\n`,
  )
  const { stdout } = await bench.runPay('observability template a.csv -o yaml')
  writeFileSync(join(bench.folder, 'm.yaml'), stdout)
  const importing = 'observability import a.csv --mapping m.yaml --dry-run'
  expect((await bench.runPay(importing)).stderr).toContain('where.Type: "…" is a placeholder')
  writeFileSync(join(bench.folder, 'm.yaml'), stdout.replace(/(Type:\s+- )"?…"?/, '$1charge'))
  expect(await bench.runPay(importing)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('1 row, all good'),
  })
})

test('a placeholder in place of a mapping file is named', async () => {
  writeFileSync(join(bench.folder, 'a.csv'), `${OWN}\n`)
  const ran = await bench.runPay('observability import a.csv --mapping …')
  expect(ran).toMatchObject({ exitCode: 2, requests: [] })
  expect(ran.stderr).toContain('--mapping … is a placeholder')
})

test('a day and a time in two columns are joined by the mapping file', async () => {
  const head = HEAD.split(',').filter((name) => !/creat/i.test(name))
  expect(head.length).toBeLessThan(HEAD.split(',').length)
  const cells = Object.fromEntries(HEAD.split(',').map((name, at) => [name, record('12.50').split(',')[at]]))
  const line = [...head.map((name) => cells[name]), '28.11.2026', '9:30'].join(',')
  writeFileSync(join(bench.folder, 'a.csv'), `${[...head, 'Date', 'Time'].join(',')}\n${line}\n`)
  const { stdout } = await bench.runPay('observability template a.csv -o yaml')
  expect(stdout).toContain('join:')
  writeFileSync(join(bench.folder, 'm.yaml'), stdout.replace('timezone: …', 'timezone: UTC'))
  expect(await bench.runPay('observability import a.csv --mapping m.yaml --dry-run')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('1 row, all good'),
  })
})

test('every cell of the first 10,000 rows counts', async () => {
  const days = Array.from({ length: 9000 }, () => record('12.50', '05/10/2026 10:30 +00:00'))
  const lines = [HEAD, ...days, record('12.50', '25/10/2026 10:30 +00:00'), '']
  writeFileSync(join(bench.folder, 'a.csv'), lines.join('\n'))
  const { stdout } = await bench.runPay('observability template a.csv')
  expect(stdout).toContain('--date-format "dd/MM/yyyy HH:mm XXX"')
})
