import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startScriptedServer } from '../support/scripted-server.ts'
import type { ScriptedServer } from '../support/scripted-server.ts'
import { createSpawnBench } from '../support/spawn-pay.ts'
import type { SpawnBench } from '../support/spawn-pay.ts'

/** Runs the line that `--curl` prints in a real shell and compares its request with the command's. */

const hasCurl = spawnSync('curl', ['--version']).status === 0
if (!hasCurl) process.stderr.write('SKIPPED: the tests of --curl need curl, and this machine has none.\n')

const KEY = 'key_of_a_contract_test_4711'
const SECRETS = {
  PAYMENT_METHOD_TOKEN: 'tok_of_a_customer',
  CLIENT_TOKEN: 'client.token.value',
  RESUME_TOKEN: 'resume-token-value',
}

let bench: SpawnBench
let server: ScriptedServer
beforeAll(async () => {
  bench = createSpawnBench()
  server = await startScriptedServer(({ url }) => {
    const id = decodeURIComponent(/\/payments\/([^/?]+)/.exec(url)?.[1] ?? 'p1')
    return { status: 200, body: url.startsWith('/observability') ? { amount: 1 } : { id } }
  })
})
afterAll(async () => {
  bench.dispose()
  await server.close()
})

const ODD = `it's "odd" $HOME \`id\` $(id) \\ %s %0A !! @@PAY_API_KEY@@ ~~PAY_API_KEY~~ ~~ é 🧾 & ; | > <`

const COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ['session create', ['session', 'create', '--order-id', ODD, '--metadata', `${ODD}=${ODD}`]],
  ['session update', ['session', 'update', '--client-token', SECRETS.CLIENT_TOKEN, '--unset', 'customerId']],
  ['session get', ['session', 'get', '--client-token', SECRETS.CLIENT_TOKEN]],
  [
    'payment create',
    [
      'payment',
      'create',
      '--token',
      SECRETS.PAYMENT_METHOD_TOKEN,
      '--amount',
      '7.00 EUR',
      '--descriptor',
      ODD,
      '--data',
      '{"metadata":{"n":9007199254740993,"a\\nb":"c\\u0000d"}}',
    ],
  ],
  [
    'ids that pass the check of card numbers, and are none',
    ['payment', 'refund', '20261121000420', '--order-id', '1700000000004'],
  ],
  ['payment get', ['payment', 'get', "p'1 $HOME"]],
  ['payment list', ['payment', 'list', '--status', 'SETTLED,DECLINED', '--order-id', ODD]],
  ['payment capture without a body', ['payment', 'capture', 'p1']],
  ['payment refund', ['payment', 'refund', 'p1', '--amount', '5', '--reason', `@${ODD}\nline two`]],
  ['payment resume', ['payment', 'resume', 'p1', '--resume-token', SECRETS.RESUME_TOKEN]],
  ['instrument delete', ['instrument', 'delete', SECRETS.PAYMENT_METHOD_TOKEN]],
  [
    'observability update',
    ['observability', 'update', 'ext 1', '--data', '{"metadata":{"text":"@@CLIENT_TOKEN@@"}}'],
  ],
  ['api with brackets', ['api', 'POST', '/brand-new?a[]=1&b={x,y}&c=[1-3]', '--data', '{"a":{}}']],
]

describe.skipIf(!hasCurl)('the curl line sends the same request as the command', () => {
  test.each(COMMANDS)('%s', async (_, words) => {
    const env = { PAY_API_KEY: KEY, PAY_BASE_URL: server.url }
    // A fixed key, because a generated one would differ between the two runs.
    const isKeyed = ['create', 'capture', 'refund'].includes(words[1] ?? '') && words[0] === 'payment'
    const same = isKeyed ? ['--idempotency-key', "it's-one-key"] : []
    const before = server.requests.length
    const shown = await bench.pay([...words, ...same, '--curl'], { env })
    expect(shown).toMatchObject({ exitCode: 0 })
    expect(server.requests).toHaveLength(before)
    for (const secret of [KEY, ...Object.values(SECRETS)]) expect(shown.stdout).not.toContain(secret)

    const typed = await bench.shell(shown.stdout, { env: { PAY_API_KEY: KEY, ...SECRETS } })
    expect(typed).toMatchObject({ exitCode: 0 })
    expect(await bench.pay([...words, ...same, '--no-input'], { env })).toMatchObject({ exitCode: 0 })

    const [byCurl, ...byPay] = server.requests.slice(before)
    const own = byPay.find((request) => request.method === byCurl?.method)
    expect(byCurl?.body).toBe(own?.body)
    // Compared decoded: some characters may be encoded or not.
    expect(decodeURIComponent(byCurl?.url ?? '')).toBe(decodeURIComponent(own?.url ?? '-'))
    expect(byCurl?.method).toBe(own?.method)
    for (const name of ['x-api-key', 'x-api-version', 'x-idempotency-key', 'content-type', 'accept'])
      expect(byCurl?.headers[name]).toBe(own?.headers[name])
  })
})
