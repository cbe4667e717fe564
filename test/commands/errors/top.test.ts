import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { envelope, SERVICE_ENV } from '../../support/error-envelope.ts'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { transcriptOf } from '../../support/transcript.ts'
import type { Mistake } from '../../support/transcript.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

const answered = (status: number) => ({
  env: SERVICE_ENV,
  service: () => jsonAnswer(status, envelope('Boom')),
})

const TOP: readonly Mistake[] = [
  'pament list',
  'payment lst',
  'void p1',
  'payment refund p1 --amout 5',
  'payment list --status',
  'api GET C:/Git/payments --sandbox',
  'api POST payments --sandbox',
  'api GET https://api.example.com/payments --sandbox',
  'api GET "/payments/a b" --sandbox',
  'api GET /payments/../x --sandbox',
  'api FETCH /payments --sandbox',
  'api payments --sandbox',
  'schema payment',
  'schema nothing',
  'schema payment.get --response --query-parameters',
  'schema payment.get --query-parameters',
  'schema --openapi payment.get',
  'schema --response',
  'help nothing',
  'completion cmd',
  'find " "',
  'find no such payment --sandbox',
  'smoke --profile live',
  'doctor --profile keyless',
  ['smoke --token t', answered(401)],
  [
    'doctor --online',
    {
      service: () => {
        throw new TransportFailure('cut', true, 'the connection ended')
      },
      env: SERVICE_ENV,
    },
  ],
  [
    'doctor',
    {
      env: {
        ...SERVICE_ENV,
        PAY_BASE_URL: 'https://api.test.example.com',
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
        HTTPS_PROXY: 'http://[',
      },
    },
  ],
  ['sandbox compare', answered(401)],
  ['doctor --online', answered(302)],
  ['doctor --online', answered(401)],
  () => {
    mkdirSync(join(bench.stateFolder, 'sandbox'), { recursive: true })
    writeFileSync(join(bench.stateFolder, 'sandbox', 'sandbox.db'), 'no database, but long enough to be one')
  },
  ['doctor', { env: SERVICE_ENV }],
  () => {
    rmSync(bench.stateFolder, { recursive: true })
    writeFileSync(bench.stateFolder, '')
  },
  ['doctor', { env: SERVICE_ENV }],
  () => {
    rmSync(bench.stateFolder)
    mkdirSync(bench.stateFolder, { mode: 0o700 })
  },
  'reconcile r.csv --kinds payment --sandbox',
  'reconcile r.csv --match nothing --sandbox',
]

test('the rest', async () => {
  writeFileSync(join(bench.folder, 'r.csv'), 'a,b\n1,2\n')
  await storeProfile(bench, { name: 'live', mode: 'live' })
  await bench.runPay('profile add keyless --test --base-url https://api.example.com')
  const listed = await bench.runPay("payment list --sandbox --query '[0].id'")
  expect(listed.stderr).toContain(
    '--query selected nothing. Most results are objects such as {data: […]}: try data[…].',
  )
  await expect(await transcriptOf(bench, TOP)).toMatchFileSnapshot('../../golden/errors/top.txt')
})
