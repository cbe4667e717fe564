import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'

const bench = useBench()

const service = () => jsonAnswer(200, { id: 'P1', data: [] })

const BAD = [
  [' P1', 'U+0020'],
  ['P1 ', 'U+0020'],
  ['P1\t', 'U+0009'],
  ['P1\u00A0', 'U+00A0'],
  ['P\u00A01', 'U+00A0'],
  ['P1\uFEFF', 'U+FEFF'],
  ['"P1"', '(")'],
  ["'P1'", "(')"],
  ['\u201EP1\u201C', '(\u201E)'],
  ['P\u00071', 'U+0007'],
] as const

const COMMANDS = [
  (id: string) => ['payment', 'refund', id, '--amount', '100'],
  (id: string) => ['payment', 'refund', id, '--amount', '100', '--dry-run'],
  (id: string) => ['payment', 'get', id],
  (id: string) => ['payment', 'explain', id],
  (id: string) => ['payment', 'wait', id],
  (id: string) => ['payment', 'refund', '--order', id, '--amount', '100'],
  (id: string) => ['payment', 'refund', 'P1', '--order-id', id, '--amount', '100'],
  (id: string) => ['payment', 'list', '--order-id', id],
  (id: string) => ['instrument', 'list', '--customer-id', id],
  (id: string) => ['instrument', 'delete', id],
  (id: string) => ['payment', 'create', '--token', id, '--amount', '1 EUR', '--order-id', 'A-1'],
  (id: string) => [
    'loyalty',
    'redeem',
    '--connection-id',
    'points-1',
    '--customer-id',
    id,
    '--order-id',
    'A-1',
    '--value',
    '5',
  ],
  (id: string) => ['observability', 'update', id, '--status', 'SETTLED'],
]

test.each(BAD)('%j is refused everywhere, naming the character', async (id, character) => {
  for (const command of COMMANDS) {
    const words = command(id)
    const ran = await bench.runPay([...words, '--json', '--yes'], { env: SERVICE_ENV, service })
    expect({ words, exitCode: ran.exitCode, requests: ran.requests }).toEqual({
      words,
      exitCode: 2,
      requests: [],
    })
    expect({ words, error: errorOf(ran) }).toMatchObject({
      words,
      error: { code: 'bad_id', outcome: 'none' },
    })
    expect(errorOf(ran).message).toContain(character)
  }
})

test.each(["O'Brien", 'a "b" c', 'A 1', '5"'])('%j is an order', async (order) => {
  const ran = await bench.runPay(['payment', 'list', '--order-id', order], { env: SERVICE_ENV, service })
  expect(ran).toMatchObject({ exitCode: 0 })
})

test('an escape is refused with a ticket: it would be another spelling with another key', async () => {
  const words = ['payment', 'refund', 'P%31', '--amount', '100', '--once', 'T1', '--yes', '--json']
  const ran = await bench.runPay(words, { env: SERVICE_ENV, service })
  expect(ran).toMatchObject({ exitCode: 2, requests: [] })
  expect(errorOf(ran)).toMatchObject({ code: 'bad_id' })
})

test('rows of batches and imports', async () => {
  writeFileSync(join(bench.folder, 'r.csv'), 'paymentId,amount\n"""P1""",1 EUR\nP\u00A01,1 EUR\n')
  writeFileSync(
    join(bench.folder, 'r.ndjson'),
    '{"paymentId":"P1 ","amount":"1 EUR"}\n{"orderId":"\'A\'","amount":"1 EUR"}\n',
  )
  for (const file of ['r.csv', 'r.ndjson']) {
    const ran = await bench.runPay(['batch', 'plan', 'refund', file, '--json'], { env: SERVICE_ENV, service })
    expect(ran).toMatchObject({ exitCode: 14, requests: [] })
    expect(JSON.parse(ran.stdout)).toMatchObject({ verdicts: { bad_row: 2 } })
  }
  writeFileSync(
    join(bench.folder, 'o.csv'),
    'paymentId,currencyCode,processor.name,amount,createdAt,order.id,paymentMethod.paymentMethodType\n"""r1""",EUR,X,5,2026-01-31T09:30:00Z,o1,PAYMENT_CARD\nr2,EUR,X,5,2026-01-31T09:30:00Z,o\u00A02,PAYMENT_CARD\n',
  )
  const ran = await bench.runPay('observability import o.csv --dry-run', { env: SERVICE_ENV, service })
  expect(ran).toMatchObject({ exitCode: 14, requests: [] })
  expect(ran.stdout + ran.stderr).toContain('U+00A0')
  writeFileSync(
    join(bench.folder, 'o.ndjson'),
    '{"paymentId":"r1 ","currencyCode":"EUR","processor":{"name":"X"},"amount":5,"createdAt":"2026-01-31T09:30:00Z","order":{"id":"o1"},"paymentMethod":{"paymentMethodType":"PAYMENT_CARD"}}\n',
  )
  const lines = await bench.runPay('observability import o.ndjson --dry-run', { env: SERVICE_ENV, service })
  expect(lines).toMatchObject({ exitCode: 14, requests: [] })
  expect(lines.stdout + lines.stderr).toContain('ends with a blank (U+0020)')
})
