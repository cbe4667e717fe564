import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { storeProfile } from '../../support/stored-profile.ts'
import { transcriptOf } from '../../support/transcript.ts'
import type { Mistake } from '../../support/transcript.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

const SANDBOX: readonly Mistake[] = [
  'sandbox start --data d --ephemeral',
  'sandbox start --data ""',
  'sandbox start --port 99999',
  'sandbox start --host "a b"',
  'sandbox start --host 0.0.0.0',
  'sandbox start --host 192.168.1.20',
  'sandbox start --allow-host https://sandbox.example.test',
  'sandbox start --allow-origin example.test',
  'sandbox start --allow-origin "*"',
  ['sandbox start --host 0.0.0.0 --allow-host pay.test', { env: { PAY_SANDBOX_KEY: 'sandbox_all' } }],
  ['sandbox start --host 0.0.0.0 --allow-host pay.test', { env: { PAY_SANDBOX_KEY: 'short' } }],
  'sandbox stop --port 80 --all',
  'sandbox open payment',
  'sandbox open payment ..',
  'sandbox open nothing',
  'sandbox open dashboard',
  'sandbox open dashboard --port 5',
  'sandbox clock advance',
  'sandbox clock show 5m',
  'sandbox clock back 5m',
  'sandbox clock advance 99999999h',
  'sandbox faults add',
  'sandbox faults add --on "POST /payments/*/refund" --do explode',
  'sandbox faults add --on "POST /payments/*/refund" --do status=200',
  'sandbox faults add --on "POST /payments/*/refund" --do status=503 --rate 2',
  'sandbox faults clear --on "POST /payments"',
  'sandbox faults list --on "POST /payments" --do status=503',
  'sandbox tokenize',
  'sandbox tokenize --card 1',
  'sandbox tokenize --card 4000000000000000 --method PAYPAL',
  'sandbox tokenize --card 4242424242424241',
  'sandbox tokenize --method NOTHING',
  'sandbox tokenize --saved-method nope --client-token nope',
  'sandbox tokenize --card 4111111111111111 --client-token nope',
  'sandbox tokenize --saved-method nope --client-token SESSION',
  'sandbox challenge SESSION --outcome pass',
  () => bench.runPay('sandbox clock advance 25h'),
  'sandbox tokenize --card 4111111111111111 --client-token SESSION',
  'sandbox challenge nope --outcome pass',
  'sandbox clock advance 70000000h',

  'sandbox challenge nope --outcome maybe',
  'sandbox seed --payments 0',
  'sandbox seed --payments many',
  () => bench.runPay('sandbox seed --payments 5'),
  'sandbox seed --payments 5',
  'sandbox requests --status 99999',
  'sandbox compare',
  'sandbox compare --sandbox',
  'sandbox compare --profile live',
  'sandbox compare --against text.json',
  'sandbox compare --out text.json --against text.json',
]

test('the sandbox', async () => {
  writeFileSync(join(bench.folder, 'text.json'), 'text')
  await storeProfile(bench, { name: 'live', mode: 'live' })
  const session = await bench.runPay(
    'session create --sandbox --order-id A-1 --amount 500 --currency EUR -o id',
  )
  const values = { SESSION: session.stdout.trim() }
  await expect(await transcriptOf(bench, SANDBOX, values)).toMatchFileSnapshot(
    '../../golden/errors/sandbox.txt',
  )
})
