import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { envelope, SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { HAS_SSH_KEYGEN, makeTeam } from '../../support/signing-team.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { transcriptOf } from '../../support/transcript.ts'
import type { Mistake } from '../../support/transcript.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

const write = (name: string, text: string) => () => writeFileSync(join(bench.folder, name), text)
const read = (name: string) => readFileSync(join(bench.folder, name), 'utf8')
const pay = (line: string) => () => bench.runPay(line)

const failing = (status: number) => ({
  env: SERVICE_ENV,
  service: () => jsonAnswer(status, envelope('Boom')),
})

const PLANS: readonly Mistake[] = [
  'batch plan refund - --sandbox',
  'batch plan refund - --format csv --sandbox',
  'batch plan refund two.csv --sandbox',
  'batch plan capture in.csv --sandbox --out c.plan.ndjson',
  ['batch plan refund in.csv --out slow.plan.ndjson', failing(429)],
  ['batch plan refund in.csv --out slow.plan.ndjson --max-retries 0', failing(503)],
  [
    'batch plan refund in.csv --out slow.plan.ndjson',
    { ...failing(200), service: () => jsonAnswer(200, []) },
  ],
  'batch plan refund in.csv --out "" --sandbox',
  'batch plan refund in.csv --out in.csv --sandbox',
  'batch plan refund in.csv --no-final --sandbox',
  'batch plan cancel in.csv --empty-amount all --sandbox',
  'batch plan refund in.csv --empty-amount none --sandbox',
  'batch plan refund in.csv --principal anna --sandbox',
  'batch plan refund in.csv --key k --sandbox',
  'batch plan refund in.csv --concurrency 500 --sandbox',
  'batch plan refund in.csv --rate fast --sandbox',
  'batch plan refund in.csv --format xml --sandbox',
  'batch plan refund no-amount.csv --sandbox',
  'batch plan capture final.csv --no-final --sandbox',
  'batch plan refund large.csv --sandbox --rejects r.csv',
  'batch plan refund large.csv --sandbox --out large2.plan.ndjson',
  'batch plan refund in.dat --sandbox',
  'batch plan refund in.plan.ndjson --sandbox',
  'batch template refund',
  'batch template ids.csv --operation refund',
  'batch template rows.ndjson',
  'batch show',
  'batch show none.ndjson',
  'batch show in.csv',
  'batch show in.plan.ndjson --verdict reday',
  'batch show newer.ndjson',
  'batch show edited.ndjson',
  'batch show cut.ndjson',
  'batch approve in.plan.ndjson',
  'batch approve in.plan.ndjson --key none --yes',
  'batch apply in.plan.ndjson --results in.csv --sandbox',
  'batch apply in.plan.ndjson --results r.csv --rejects r.csv --sandbox',
  'batch apply in.plan.ndjson --expect-total 5 --sandbox',
  'batch apply in.plan.ndjson --expect-total "5 EUR" --expect-total "6 EUR" --sandbox',
  'batch apply in.plan.ndjson --expect-total "6 EUR" --expect-count 3 --sandbox',
  'batch apply in.plan.ndjson --max-failures many --sandbox',
  'batch apply in.plan.ndjson --max-wait 60d --sandbox',
  'batch apply in.plan.ndjson --results state/r.csv --sandbox',
  'batch apply in.plan.ndjson --results text.csv --sandbox',
  'batch verify in.plan.ndjson --sandbox',
  pay("sandbox faults add --on 'POST /payments/*/refund' --do status=422 --times 1"),
  'batch apply in.plan.ndjson --sandbox',
  'batch apply in.plan.ndjson --sandbox --profile shop',
  pay("sandbox faults add --on 'POST /payments/*/refund' --do refuse"),
  'batch plan refund more.csv --sandbox --out begun.plan.ndjson',
  'batch plan refund in.csv --sandbox --out in.plan.ndjson',
  pay('sandbox faults clear'),
  pay("sandbox faults add --on 'POST /payments/*/refund' --do drop-after"),
  'batch apply two.plan.ndjson --sandbox --max-retries 0',
  pay('sandbox faults clear'),
  pay('batch apply two.plan.ndjson --sandbox'),
  pay("payment refund --order A-2 --amount '5 EUR' --again --yes --sandbox"),
  'batch verify two.plan.ndjson --sandbox',
  'batch verify in.plan.ndjson --sandbox',
  () => {
    bench.clock.now = new Date(bench.clock.now.getTime() + 25 * 3_600_000)
  },
  'batch apply late.plan.ndjson --sandbox',
  'batch verify late.plan.ndjson --sandbox',
]

test('batches', async () => {
  const made = await bench.runPay(
    "payment create --token tok_autocapture --amount '49.90 EUR' --order-id A-1 --sandbox -o id",
  )
  const PAYMENT = made.stdout.trim()
  const second = await bench.runPay(
    "payment create --token tok_autocapture --amount '49.90 EUR' --order-id A-2 --sandbox -o id",
  )
  const other = second.stdout.trim()
  write('in.csv', `paymentId,amount\n${PAYMENT},5 EUR\n`)()
  write('two.csv', `paymentId,amount\n${other},5 EUR\n${other},500 EUR\n`)()
  write('in.dat', `paymentId,amount\n${PAYMENT},5 EUR\n`)()
  write('ids.csv', `name,amount\nanna,5 EUR\n`)()
  write('no-amount.csv', `paymentId\n${PAYMENT}\n`)()
  write('final.csv', `paymentId,amount,final\n${PAYMENT},5 EUR,true\n`)()
  write('large.csv', `paymentId,amount\n${PAYMENT},500 EUR\n`)()
  write('more.csv', `paymentId,amount\n${PAYMENT},500 EUR\n`)()
  write('rows.ndjson', `{"paymentId":"${PAYMENT}","amount":"5 EUR"}\n`)()
  write('text.csv', 'text')()
  await bench.runPay('batch plan refund in.csv --sandbox')
  await bench.runPay('batch plan refund in.csv --sandbox --out late.plan.ndjson')
  const plan = read('in.plan.ndjson')
  write('newer.ndjson', plan.replace('"version":1', '"version":2'))()
  write('edited.ndjson', plan.replace('"amount":500', '"amount":600'))()
  write('cut.ndjson', plan.slice(0, -40))()
  await storeProfile(bench)
  await expect(await transcriptOf(bench, PLANS, { PAYMENT })).toMatchFileSnapshot(
    '../../golden/errors/batch.txt',
  )
})

const SETTLED = { id: 'p1', status: 'SETTLED', currencyCode: 'EUR', amount: 9000 }
const service = () => jsonAnswer(200, { ...SETTLED, processor: { amountCaptured: 9000, amountRefunded: 0 } })

const LIVE: readonly Mistake[] = [
  'batch plan refund in.csv --key stranger-key',
  'batch plan refund in.csv --key stranger-key --principal anna@example.com',
  'batch plan refund in.csv --key anna-key --principal ../anna',
  'batch approve signed.plan.ndjson --key ben-key',
  'batch approve signed.plan.ndjson --key stranger-key --yes',
  'batch approve signed.plan.ndjson --key none --yes',
  'batch apply signed.plan.ndjson --yes --expect-total "5 EUR" --expect-count 1',
  pay('batch approve signed.plan.ndjson --key ben-key --yes'),
  'batch apply signed.plan.ndjson',
  'batch apply signed.plan.ndjson --yes',
  'batch apply signed.plan.ndjson --sandbox',
  () => chmodSync(join(bench.folder, 'allowed_signers'), 0o666),
  'batch approve signed.plan.ndjson --key ben-key --yes',
].map((line) => (typeof line === 'string' ? [line, { service }] : line))

const AFTER: readonly Mistake[] = [
  ['batch verify signed.plan.ndjson --max-retries 0', { service: () => jsonAnswer(503, envelope('Boom')) }],
  () => {
    const path = join(bench.configFolder, 'config.json')
    const stored: unknown = JSON.parse(readFileSync(path, 'utf8'))
    const text = JSON.stringify(stored, (name, value: unknown) => (name === 'signers' ? undefined : value))
    writeFileSync(path, text, { mode: 0o600 })
  },
  ['batch apply signed.plan.ndjson --yes --expect-total "5 EUR" --expect-count 1', { service }],
]

test.skipIf(!HAS_SSH_KEYGEN)('approvals', async () => {
  const team = makeTeam(bench.folder, ['anna', 'ben'])
  makeTeam(join(bench.folder), ['stranger'])
  makeTeam(bench.folder, ['anna', 'ben'])
  write('in.csv', 'paymentId,amount\np1,5 EUR\n')()
  await storeProfile(bench, { mode: 'live', words: ['--approvals', '1', '--signers', team.signersFile] })
  await bench.runPay(`batch plan refund in.csv --out signed.plan.ndjson --key anna-key`, { service })
  await expect(await transcriptOf(bench, [...LIVE, ...AFTER])).toMatchFileSnapshot(
    '../../golden/errors/approvals.txt',
  )
})
