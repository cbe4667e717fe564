import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasPostgres, teamDatabase } from '../client/ledger/team/postgres.ts'
import { createSpawnBench } from '../support/spawn-pay.ts'
import type { SpawnBench } from '../support/spawn-pay.ts'

/** Processes that refund at the same time, some of them killed: together they never pass a limit over time. */

const ROUNDS = Number(process.env['LIMIT_ROUNDS'] ?? 6)
const PROCESSES = 8
const TIMEOUT_MS = ROUNDS * 60_000

/** The minor units that the service has refunded. */
let refunded = 0
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    if (request.method === 'POST') refunded += 300
    const id = request.url?.split('/')[2] ?? ''
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        id,
        status: 'SETTLED',
        amount: 100_000,
        currencyCode: 'EUR',
        amountCaptured: 100_000,
      }),
    )
  })
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => server.close(resolve)))
const baseUrl = () => {
  const address = server.address()
  return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`
}

const TOTAL = 1000

/**
 * One round: processes that refund 3.00 EUR each at the same time, one of which is killed at some moment of its life. Checks
 * that what the service refunded stays within the limit, and that what was refused was refused by it.
 */
async function round(number: number, bench: SpawnBench, env: Readonly<Record<string, string>>) {
  refunded = 0
  const runs = Array.from({ length: PROCESSES }, (_, index) => {
    const run = bench.start(`payment refund r${number}-${index} --amount '3 EUR' --yes --json`, { env })
    if (index === 0) setTimeout(() => run.kill('SIGKILL'), (number * 37) % 400)
    return run.ended
  })
  const [, ...others] = await Promise.all(runs)
  const codes = others.map(({ exitCode }) => exitCode)
  expect({
    number,
    refunded: refunded > TOTAL,
    codes: codes.filter((code) => code !== 0 && code !== 12),
  }).toEqual({
    number,
    refunded: false,
    codes: [],
  })
  // Two at least: the killed one may have taken the third's place.
  expect(codes.filter((code) => code === 0).length).toBeGreaterThanOrEqual(2)
}

test(
  `on one machine: ${ROUNDS} rounds of ${PROCESSES} processes`,
  async () => {
    for (let number = 0; number < ROUNDS; number += 1) {
      const bench = createSpawnBench()
      const added = await bench.pay(
        `profile add shop --base-url ${baseUrl()} --test --api-key-stdin --max-total '10 EUR/24h'`,
        { stdin: 'key-of-shop-0123456789-abcd' },
      )
      expect(added.exitCode).toBe(0)
      await round(number, bench, {})
      bench.dispose()
    }
  },
  TIMEOUT_MS,
)

test.skipIf(!hasPostgres)(
  `in a team's ledger: ${ROUNDS} rounds of ${PROCESSES} clients`,
  async () => {
    const { url, sql } = await teamDatabase()
    await sql(`UPDATE accounts SET limits = '{"maxTotal":{"EUR":{"amount":${TOTAL},"spanMs":86400000}}}'`)
    for (let number = 0; number < ROUNDS; number += 1) {
      await sql('TRUNCATE writes')
      const bench = createSpawnBench()
      await round(number, bench, {
        PAY_BASE_URL: baseUrl(),
        PAY_API_KEY: `key-${number % 4}-of-the-team`,
        PAY_LEDGER: url,
        PAY_LEDGER_ACCOUNT: 'acme',
      })
      bench.dispose()
    }
  },
  TIMEOUT_MS,
)
