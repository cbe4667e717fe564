import { afterAll, describe, expect, test } from 'vitest'
import { startScriptedServer } from '../support/scripted-server.ts'
import type { Scripted } from '../support/scripted-server.ts'
import { createSpawnBench } from '../support/spawn-pay.ts'
import { errorOf } from '../support/run-result.ts'

/** Exit codes of calls that never reach the service: the built program against a real port. */

const KEY = 'key_of_a_contract_test_4711'

const bench = createSpawnBench()
afterAll(() => bench.dispose())

const PAYMENT = { id: 'p1', status: 'AUTHORIZED', amount: 1000, currencyCode: 'EUR' }
const ok = (body: unknown): Scripted => ({ status: 200, body })

const ONCE = '--max-retries 0'

describe('exit 9', () => {
  test('a refused connection', async () => {
    const gone = await startScriptedServer([])
    await gone.close()
    for (const words of ['payment get p1', 'payment refund p1', 'session create']) {
      const ended = await bench.pay(`${words} --json ${ONCE}`, {
        env: { PAY_API_KEY: KEY, PAY_BASE_URL: gone.url },
      })
      expect(ended).toMatchObject({ exitCode: 9, stdout: '' })
      expect(errorOf(ended)).toMatchObject({ code: 'not_connected', outcome: 'none' })
    }
  })

  test('an unknown host', async () => {
    const ended = await bench.pay(`payment refund p1 --yes --json ${ONCE}`, {
      env: { PAY_API_KEY: KEY, PAY_BASE_URL: 'https://nowhere.invalid' },
    })
    expect(ended).toMatchObject({ exitCode: 9, stdout: '' })
  })
})

test("exit 12: the profile's limits forbid the amount, and no write is sent", async () => {
  const small = { ...PAYMENT, id: 'p2', amount: 400 }
  const server = await startScriptedServer(({ url }) => ok(url.includes('/p2') ? small : PAYMENT))
  const added = await bench.pay(
    `profile add shop --test --base-url ${server.url} --api-key-stdin --max-amount '5.00 EUR'`,
    { stdin: KEY },
  )
  expect(added).toMatchObject({ exitCode: 0 })
  const over = [
    "payment create --token tok_visa --amount '5.01 EUR'",
    "payment create --token tok_visa --amount '1.00 USD'",
    'payment create --token tok_visa',
    'api POST /brand-new',
    `payment create --token tok_visa --no-validate --data {"amount":1e9,"currencyCode":"EUR"}`,
  ]
  for (const words of over) {
    const ended = await bench.pay(
      words.includes('{')
        ? [...words.split(' '), '--profile', 'shop', '--json']
        : `${words} --profile shop --json`,
    )
    expect(ended).toMatchObject({ exitCode: 12, stdout: '' })
    expect(errorOf(ended)).toMatchObject({ exitCode: 12, outcome: 'none' })
  }
  expect(server.requests).toEqual([])
  // The full amount of a refund is known only after the payment is read.
  const whole = await bench.pay('payment refund p1 --profile shop --json')
  expect(whole).toMatchObject({ exitCode: 12, stdout: '' })
  expect(server.requests.map(({ method }) => method)).toEqual(['GET'])
  // pay cannot read the amount 1e9, so it refuses rather than check the payment's amount instead.
  const odd = ['payment', 'adjust', 'p2', '--no-validate', '--data', '{"amount":1e9}', '--profile', 'shop']
  expect(await bench.pay(odd)).toMatchObject({ exitCode: 12, stdout: '' })
  expect(server.requests.map(({ method }) => method)).not.toContain('POST')
  const within = await bench.pay("payment create --token tok_visa --amount '5.00 EUR' --profile shop --json")
  expect(within).toMatchObject({ exitCode: 0 })
  await server.close()
})
