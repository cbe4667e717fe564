import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBench, splitWords } from '../../support/run-pay.ts'
import type { Bench } from '../../support/run-pay.ts'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => {
  bench.dispose()
})

test.each(['', '-o csv'])('the template is a file that can be imported %s', async (format) => {
  const { exitCode, stdout, requests } = await bench.runPay(`observability template ${format}`)
  expect({ exitCode, requests }).toEqual({ exitCode: 0, requests: [] })
  writeFileSync(join(bench.folder, 'a.csv'), stdout)
  expect(await bench.runPay('observability import a.csv --dry-run')).toMatchObject({
    exitCode: 0,
    stdout: '✓ 1 row, all good. Nothing was sent.\n',
  })
})

test('a foreign header is told as the words that fit it, which then do', async () => {
  const header = 'Transaction ID;Total;Currency;Created (UTC);Order;PSP;Notes'
  writeFileSync(join(bench.folder, 'my file.csv'), `${header}\n1;700;EUR;2026-01-31T09:30:00Z;A-1;ACME;x\n`)
  const { stdout } = await bench.runPay(['observability', 'template', 'my file.csv'])
  expect(stdout).toBe(`pay observability import 'my file.csv' --dry-run \\
  --map 'paymentId=Transaction ID' \\
  --map amount=Total \\
  --map currencyCode=Currency \\
  --map 'createdAt=Created (UTC)' \\
  --map order.id=Order \\
  --map processor.name=PSP \\
  --const 'paymentMethod.paymentMethodType=…'
`)
  const words = splitWords(stdout.replaceAll('\\\n', '').replace('…', 'PAYPAL').trim()).slice(1)
  expect(await bench.runPay(words)).toMatchObject({ exitCode: 0 })
})

test('for scripts it is an object', async () => {
  writeFileSync(join(bench.folder, 'a.csv'), 'id,total\n')
  const { stdout } = await bench.runPay('observability template a.csv --json')
  expect(JSON.parse(stdout)).toEqual({
    file: 'a.csv',
    map: { paymentId: 'id', amount: 'total' },
    missing: ['currencyCode', 'processor.name', 'createdAt', 'order.id', 'paymentMethod.paymentMethodType'],
  })
})

test('hostile names steer no terminal and run no command', async () => {
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
