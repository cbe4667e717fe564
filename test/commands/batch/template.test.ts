import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { splitWords } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'
import { useBatchBench } from './batch-bench.ts'

const { bench, pay, payment, rowsIn, write } = useBatchBench()

type Bytes = (text: string) => Buffer
const UTF8: Bytes = (text) => Buffer.from(text)
const ENCODINGS: Readonly<Record<string, Bytes>> = {
  'utf-8': UTF8,
  'utf-8 with a mark': (text) => Buffer.from(`\uFEFF${text}`),
  'windows-1252': (text) => Buffer.from(text, 'latin1'),
  'utf-16le with a mark': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'utf-16le without a mark': (text) => Buffer.from(text, 'utf16le'),
}

/** Runs the command that the template prints, with the currency that it leaves open, and returns the rows of the plan. */
async function planned(csv: string, { encode = UTF8, flags = '' } = {}) {
  writeFileSync(join(bench().folder, 'my file.csv'), encode(csv))
  const found = await pay(`batch template 'my file.csv' ${flags}`)
  expect(found, found.stderr).toMatchObject({ exitCode: 0, requests: [] })
  const typed = found.stdout.trim().replace('currencyCode=…', 'currencyCode=EUR')
  expect(typed).not.toContain('\n')
  const ran = await bench().runPay(splitWords(typed).slice(1))
  return { ...found, ran, rows: rowsIn('my file.plan.ndjson') }
}

describe('the command for a spreadsheet works as printed', () => {
  test.each(Object.keys(ENCODINGS))('in %s', async (name) => {
    await payment('A-1')
    const { rows } = await planned('Bestellnummer;Rückerstattungsbetrag;Größe\nA-1;5,00;groß\n', {
      encode: ENCODINGS[name],
    })
    expect(rows).toEqual([expect.objectContaining({ verdict: 'ready', amount: 500 })])
  })

  test.each([
    ['€ 12,00', 1200],
    ['12,00 €', 1200],
    ['5,-', 500],
    ['1.234,50', 123_450],
    ['1234.50', 123_450],
    ['"1,234.50"', 123_450],
    ['12.00 EUR', 1200],
    ['12 EUR', 1200],
    ['all', 200_000],
  ])('with the amount %s', async (cell, amount) => {
    await payment('A-1', { amount: '2000.00 EUR' })
    const delimiter = cell.startsWith('"') ? ',' : ';'
    const { rows } = await planned(
      ['Order', 'Amount', 'Who\n'].join(delimiter) + ['A-1', cell, 'x\n'].join(delimiter),
    )
    expect(rows).toEqual([expect.objectContaining({ verdict: 'ready', amount })])
  })

  test.each([
    ['Auftrags-Nr.\tGesamtbetrag\tWährung\tTicket-Nr\nA-1\t7,50\tEUR\tT-1\n', '--map ticket=Ticket-Nr'],
    ['Order Number|Refund Amount|Comment\nA-1|7.50|late\n', '--map reason=Comment'],
    ['Bestellung;Betrag (EUR)\nA-1;7,50\n', '--const currencyCode=EUR'],
    ['orderId,amount,currencyCode\nA-1,7.50,EUR\n', 'batch plan refund'],
    ['Order,Amount (cents)\nA-1,750\n', '--amounts minor'],
    ['orderId,amount,currencyCode,tz\nA-1,7.50,EUR,CET\n', '--map amount=amount'],
    ['Order,amount,amount,Currency\nA-1,7.50,7.50,EUR\n', 'amount=amount#1'],
    ['Refunds of May\n\nOrder,Refund,Currency\nA-1,7.50,EUR\n', '--skip-lines 2'],
    ['Commande;Remboursement;Devise;Motif\nA-1;7,50;EUR;retard\n', '--map reason=Motif'],
    ['Ordine;Rimborso;Valuta\nA-1;7,50;EUR\n', '--decimal-comma'],
    ['Bestelnummer;Bedrag;Valuta\nA-1;7,50;EUR\n', '--map orderId=Bestelnummer'],
    ['sep=;\nBestellung;Betrag\nA-1;7,50\n', '--decimal-comma'],
  ])('%j: %s', async (csv, flag) => {
    await payment('A-1')
    const { stdout, rows } = await planned(csv)
    expect(stdout).toContain(flag)
    expect(rows).toEqual([expect.objectContaining({ verdict: 'ready', amount: 750 })])
  })

  test('for captures and cancellations', async () => {
    await payment('A-1', { token: 'tok_visa' })
    const csv = 'Bestellung;Betrag;letzte\nA-1;7,50;false\n'
    expect((await planned(csv, { flags: '--operation capture' })).rows[0]).toMatchObject({
      amount: 750,
      final: false,
    })
    const { stdout, rows } = await planned(csv, { flags: '--operation cancel' })
    expect(stdout).not.toContain('amount')
    expect(rows[0]).toMatchObject({ verdict: 'ready' })
  })
})

test.each([
  ['Order;Amount\nA-1;7,50\n', 'No column names the currency: write its code, such as EUR, in place of …'],
  ['Order;Amount\nA-1;7,50\nA-2;-7,50\n', '"-7,50", which become bad rows'],
  ['Order;Amount\nA-1;7,50\nA-2;\n', '1 of the first 2 rows have no amount'],
  ['Order;Amount\nA-1;7,50\nA-2;7.50\nA-3;8,00\n', 'but "7.50" does not'],
])('%j: says what it doubts', async (csv, doubt) => {
  await payment('A-1')
  const { stderr } = await planned(csv)
  expect(stderr).toContain(doubt)
})

describe('a file that leaves something open has no command that works as printed', () => {
  test.each([
    ['a currency', 'Order;Amount\nA-1;7,50\n', 'currencyCode=…'],
    ['whole numbers', 'Order,Amount,Currency\nA-1,20,EUR\n', '--amounts …'],
    ['amounts with and without decimals', 'Order,Amount,Currency\nA-1,20,EUR\nA-2,7.50,EUR\n', '--amounts …'],
    ['amounts with and without a currency', 'Order,Amount\nA-1,20 EUR\nA-2,15\n', '--amounts …'],
    ['integers of a program', 'Order,Amount,Currency\nA-1,20.0,EUR\nA-2,15.0,EUR\n', '--amounts …'],
    ['a sign of several currencies', 'Order,Amount\nA-1,$20.00\n', 'currencyCode=…'],
    ['a name and cells of two currencies', 'Order,Amount (EUR)\nA-1,20.00 GBP\n', 'currencyCode=…'],
    ['another column of money', 'Order,Amount,Customer paid,Currency\nA-1,7.50,9.00,EUR\n', 'amount=…'],
    ['the total', 'Order,amount,Total,Currency\nA-1,7.50,9.00,EUR\n', 'amount=…'],
    ['what was given back already', 'Order,Amount,Amount refunded,Currency\nA-1,7.50,2.00,EUR\n', 'amount=…'],
    [
      'two columns of one name',
      'Order,Amount,Amount,Currency\nA-1,7.50,9.00,EUR\n',
      '"Amount#1" or "Amount#2"',
    ],
    [
      'approvals in French',
      'Commande;Remboursement;Devise;Validé\nA-1;7,50;EUR;oui\nA-2;7,50;EUR;non\n',
      '--mapping …',
    ],
    ['two columns of money', 'Order;Amount;Betrag;Currency\nA-1;7,50;8,50;EUR\n', 'amount=…'],
    ['only what was given back already', 'Order,Refunded,Currency\nA-1,7.50,EUR\n', 'amount=…'],
    ['a column without a usual name', 'Order,Owed,Currency\nA-1,7.50,EUR\n', 'amount=…'],
    ['refunds that nobody filled in', 'Order,Amount,Refund,Currency\nA-1,7.50,,EUR\n', 'amount=…'],
    [
      'refunds that are mostly words',
      'Order,Amount,Refund,Currency\nA-1,7.50,5.00,EUR\nA-2,1.00,x,EUR\nA-3,1.00,y,EUR\n',
      'amount=…',
    ],
    [
      'whole and partial refunds',
      'Order,Amount,Refund,Currency\nA-1,7.50,full,EUR\nA-2,1.00,partial,EUR\n',
      '--mapping …',
    ],
    ['two columns of refunds', 'Order,Refund,Refund total,Currency\nA-1,7.50,7.50,EUR\n', 'amount=…'],
    ['who approved', 'Order,Refund,Currency,Approved by\nA-1,7.50,EUR,Anna\nA-2,1.00,EUR,\n', '--mapping …'],
    ['approvals', 'Order,Refund,Currency,Approved\nA-1,7.50,EUR,yes\nA-2,1.00,EUR,no\n', '--mapping …'],
    ['states', 'Order,Refund,Currency,Status\nA-1,7.50,EUR,done\n', '--mapping …'],
  ])('%s', async (_, csv, open) => {
    await payment('A-1')
    write('in.csv', csv)
    const found = await pay('batch template in.csv')
    expect(found).toMatchObject({ exitCode: 0 })
    expect(found.stdout + found.stderr).toContain(open)
    expect(found.stderr).toContain('in place of …')
    const ran = await bench().runPay(splitWords(found.stdout.trim()).slice(1))
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  })
})

test.each([
  ['Order,Amount,Refund,Currency\nA-1,120.00,20.00,EUR\n', 2000],
  ['Bestellnummer;Betrag;Erstattung;Währung\nA-1;120,00;5,50;EUR\n', 550],
  ['Order,Total,Refund value,Currency\nA-1,120.00,20.00,EUR\n', 2000],
  ['Order;Gesamtbetrag;Teilerstattung;Währung\nA-1;120,00;0,50;EUR\n', 50],
  ['order,amount,refund,currency\nA-1,120.00,20.00,EUR\n', 2000],
  ['Pedido;Importe;Devolución;Divisa\nA-1;120,00;20,00;EUR\n', 2000],
  ['Zamówienie;Kwota;Zwrot;Waluta\nA-1;120,00;20,00;EUR\n', 2000],
  ['Order,Amount,Refund ID,Refund date,Currency\nA-1,20.00,771,2026-01-01,EUR\n', 2000],
  ['Order,Amount,Refund reason,Currency\nA-1,20.00,late,EUR\n', 2000],
])('%j: the refund wins over what was paid', async (csv, amount) => {
  await payment('A-1', { amount: '120.00 EUR' })
  expect((await planned(csv)).rows).toEqual([expect.objectContaining({ verdict: 'ready', amount })])
})

test('odd cells among refunds are bad rows', async () => {
  await payment('A-1', { amount: '120.00 EUR' })
  const { rows } = await planned(
    'Order;Gesamtbetrag;Teilerstattung;Währung\nA-1;120,00;20,00;EUR\nA-2;45,50;alles;EUR\nA-3;9,00;-;EUR\nA-4;9,00;0,50;EUR\n',
  )
  expect(rows.map(({ verdict, amount }) => [verdict, amount])).toEqual([
    ['ready', 2000],
    ['bad_row', undefined],
    ['bad_row', undefined],
    ['not_found', 50],
  ])
})

test.each([
  'Pedido;Importe;Importe a capturar;Moneda\nO-1;20,00;5,00;EUR\n',
  'Order,Amount,Capture,Currency\nO-1,20.00,5.00,EUR\n',
])('%j: the capture wins over what was paid', async (csv) => {
  expect((await planned(csv, { flags: '--operation capture' })).rows[0]).toMatchObject({ amount: 500 })
})

test('NDJSON needs no template', async () => {
  write('in.txt', '{"orderId":"A-1","amount":750}\n')
  const ran = await pay('batch template in.txt --json')
  expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
  expect(errorOf(ran)).toMatchObject({
    code: 'unusable_file',
    hint: expect.stringContaining('--format ndjson'),
  })
})

test('the command to add a column to keeps what its file needs', async () => {
  writeFileSync(join(bench().folder, 'in.csv'), Buffer.from('Größe|x\nS|1\n', 'latin1'))
  const ran = await pay('batch template in.csv --delimiter "|" --encoding windows-1252 --skip-lines 0 --json')
  expect(errorOf(ran)).toMatchObject({
    hint: expect.stringContaining('in.csv --delimiter "|" --encoding windows-1252'),
  })
})

test('a capture never takes what was refunded', async () => {
  write('in.csv', 'Order,Amount,Refund,Currency\nA-1,120.00,20.00,EUR\n')
  expect((await pay('batch template in.csv --operation capture')).stdout).toContain('amount=Amount')
})

test.each([
  ['Name;Betrag\nx;1,00\n', 'No column of in.csv seems to name payments or orders'],
  ['Order;Name\nA-1;x\n', 'No column of in.csv seems to have amounts'],
])('%j: there is no command that could take too much', async (csv, message) => {
  write('in.csv', csv)
  const ran = await pay('batch template in.csv --json')
  expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
  expect(errorOf(ran)).toMatchObject({ code: 'unusable_header', message })
})

test.each(['refund', 'capture', 'cancel'])('the example rows of a %s can be planned', async (operation) => {
  const { stdout } = await pay(`batch template --operation ${operation}`)
  write('in.csv', stdout)
  const ran = await pay(`batch plan ${operation} in.csv --json`)
  expect(ran.exitCode).toBe(14)
  expect(rowsIn('in.plan.ndjson').map(({ verdict }) => verdict)).toEqual(['not_found', 'not_found'])
})
