import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { envelope, SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { transcriptOf } from '../../support/transcript.ts'
import type { Mistake } from '../../support/transcript.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

const HEAD = 'paymentId,currencyCode,processor.name,amount,createdAt,order.id,paymentMethod.paymentMethodType'
const row = (id: string, { currency = 'EUR', amount = '500', time = '2026-02-01T10:00:00Z' } = {}) =>
  `${id},${currency},ACME,${amount},${time},O-${id},PAYMENT_CARD`
const FILES = {
  'r.csv': [HEAD, row('x1'), row('x2')],
  'r.dat': [HEAD, row('x1')],
  'text.csv': ['text'],
  'rows.ndjson': ['{"paymentId":"p1"}'],
  'kinds.csv': [`${HEAD},Type`, `${row('x1')},charge`, `${row('x2')},payout`],
  'no-column.yaml': ['kinds:', '  payment: [charge]'],
  'types.csv': [
    HEAD.replace('paymentMethod.paymentMethodType', 'status'),
    row('x1').replace('PAYMENT_CARD', 'PAID'),
  ],
}

const later = (status: number) => ({
  env: SERVICE_ENV,
  service: () => jsonAnswer(status, envelope('Boom')),
})

const IMPORTS: readonly Mistake[] = [
  'observability import r.csv --canary 0 --sandbox',
  'observability import - --format csv --canary 1 --sandbox',
  'observability import - --sandbox',
  'observability import r.dat --sandbox',
  'observability import r.csv --shard 1/2 --shards 2 --sandbox',
  'observability import r.csv --shard 3/2 --sandbox',
  'observability import r.csv --shards 2 --sandbox',
  'observability import r.csv --skip-lines many --sandbox',
  'observability import r.csv --mapping … --sandbox',
  'observability import r.csv --mapping strip --sandbox',
  'observability import r.csv --mapping nothing-like-it --sandbox',
  'observability import r.csv --mapping none.yaml --sandbox',
  'observability import kinds.csv --mapping no-column.yaml --sandbox',
  'observability import kinds.csv --sandbox',
  'observability import r.csv --results text.csv --sandbox',
  'observability import r.csv --results r.csv --sandbox',
  'observability import r.csv --results config/r.csv --sandbox',
  'observability import r.csv --max-failures many --sandbox',
  'observability import r.csv --on-exists replace --sandbox',
  'observability import r.csv --delimiter two --sandbox',
  'observability import r.csv --timezone Berlin --sandbox',
  'observability import r.csv --amounts cents --sandbox',
  'observability import r.csv --map nothing=amount --sandbox',
  'observability import r.csv --map amount=nothing --sandbox',
  'observability import r.csv --const amount --sandbox',
  'observability import r.csv --encoding nothing --sandbox',
  ...['d.M.yyyy h:mm', 'yyyy-MM-dd HH:mm a', 'yyyy-Md', 'yyyy-yyyy', 'MM-dd', "yyyy-MM-dd 'x"].map(
    (format): Mistake => [['observability', 'import', 'r.csv', '--date-format', format, '--sandbox'], {}],
  ),
  ['observability import r.csv --max-retries 0', later(503)],
  ['observability import r.csv --restart', later(401)],
  ['observability import r.csv --restart', later(400)],
  ['observability import r.csv --restart --rejects x.csv', later(400)],
  ['observability import r.csv --restart --max-failures 1', later(400)],
  ['observability import r.csv --restart --max-wait 1s', later(429)],
  ['observability import r.csv --restart --canary 1', later(400)],
  () => bench.runPay('observability import r.csv --sandbox --restart'),
  'observability import r.csv --on-exists fail --sandbox --restart',
  'observability import r.csv --on-exists skip --sandbox --restart',
  'observability import types.csv --dry-run --sandbox --const paymentMethod.paymentMethodType=PAYMENT_CARD',
  'observability split r.csv --parts 2 --sandbox',
  'observability split r.csv --out d',
  'observability split r.csv --out d --parts 0',
  'observability split r.csv --out d --parts many',
  () => bench.runPay('observability split r.csv --out d --parts 2'),
  'observability split r.csv --out d --parts 2',
  () => {
    mkdirSync(join(bench.folder, 'e'))
    writeFileSync(join(bench.folder, 'e', 'part-1.csv'), '')
  },
  'observability split r.csv --out e --parts 2',
  'observability template rows.ndjson',
  ['observability push --sandbox --payment-id r1 -d -', { stdin: '{"amount":1}\n{"amount":2}\n' }],
  ['observability push --sandbox --curl -d -', { stdin: '{"amount":1}\n{"amount":2}\n' }],
  ['observability push --sandbox -d -', { stdin: `{"a":"${'x'.repeat(20_000_000)}` }],
]

test('imports', async () => {
  for (const [name, lines] of Object.entries(FILES))
    writeFileSync(join(bench.folder, name), `${lines.join('\n')}\n`)
  await expect(await transcriptOf(bench, IMPORTS)).toMatchFileSnapshot('../../golden/errors/imports.txt')
})

/** What is wrong in one cell. */
const CELLS: readonly (readonly [line: string, flags?: string])[] = [
  [row('x1', { amount: '99999999999999999999' })],
  [row('x1', { amount: '#REF!' })],
  [row('x1', { amount: '5 USD' }), '--amounts major'],
  [row('x1', { amount: '$5', currency: '' }), '--amounts major'],
  [row('x1', { amount: '1.5x' }), '--amounts major --decimal-comma'],
  [row('x1', { amount: '1,5x' }), '--amounts major'],
  [row('x1', { currency: 'USD' }), '--const currencyCode=EUR'],
  [row('#REF!')],
  [
    `${row('x1', { amount: '"1,234.50"' })}\n${row('x2', { amount: '"1.2"' })}\n${row('x3', { amount: '"1,2"' })}\n#`,
    '--amounts major',
  ],
  [row('x1', { amount: '1.50' }), '--amounts major --decimal-comma'],
  [row('x1', { amount: '"1.234"' }), '--decimal-comma'],
  [`${HEAD},Zone\n${row('x1', { time: '2026-02-01 10:00' })},Atlantis\n#`, '--timezone-column Zone'],
  [`${row('1.0')}\n${row('2.0')}\n#`],
  [
    `${Array.from({ length: 20 }, (_, at) => row(`y${at}`, { time: '2026-02-01' })).join('\n')}\n${row('x1', { time: 'soon' })}\n#`,
    '--date-format yyyy-MM-dd --assume-utc',
  ],
  [row('x\u200B1')],
  [row("'x1'")],
  [row('x1', { time: '0001-01-01T00:00:00Z' })],
  [row('x1', { time: '01.02.2026' }), '--date-format yyyy-MM-dd --assume-utc'],
  [row('x1', { time: '2026-02-01 10:00 CST' }), "--date-format 'yyyy-MM-dd HH:mm z'"],
  [row('x1', { time: '2026-02-01 10:00' })],
  [`${row('x1', { time: '2026-02-01 10:00' })},Atlantis`, '--const metadata.a=1'],
]

/** A file with the line, and a header and a good row unless it says that it is whole. */
const fileOf = (line: string): string =>
  line.endsWith('\n#')
    ? `${line.startsWith(HEAD) ? '' : `${HEAD}\n`}${line.slice(0, -1)}`
    : `${HEAD}\n${line}\n${row('x2')}\n`

test('cells', async () => {
  const lines = CELLS.flatMap(([line, flags = '']): readonly Mistake[] => [
    () => writeFileSync(join(bench.folder, 'c.csv'), fileOf(line)),
    `observability import c.csv --dry-run --sandbox ${flags}`,
  ])
  await expect(await transcriptOf(bench, lines)).toMatchFileSnapshot('../../golden/errors/cells.txt')
})
