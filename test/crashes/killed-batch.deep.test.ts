import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { accountOf } from '../../src/client/calls/build-intent.ts'
import { at } from '../sandbox/service.ts'
import { planRow, writeTestPlan } from '../support/batch-plan.ts'
import { createWorld, makeSettledPayment } from './world.ts'
import type { World } from './world.ts'

/** As for a real incident: BATCH_ROWS=400 BATCH_KILLS=20 npm run test:deep -- test/crashes/killed-batch */
const ROWS = Number(process.env['BATCH_ROWS'] ?? 60)
const KILLS = Number(process.env['BATCH_KILLS'] ?? 5)
const SEED = Number(process.env['CRASH_SEED'] ?? 7)
const MAX_RUNS = 10
/** Requests per second, so slow that nearly every run is killed before the plan is done. */
const RATE = Math.ceil((ROWS * 2) / KILLS)

const figures = { status: 'SETTLED', amount: 1_000_000, amountCaptured: 1_000_000, amountRefunded: 0 }

/** Every third payment has two rows, and every fourth row a ticket. */
async function planRefunds(world: World, path: string): Promise<ReadonlyMap<string, number>> {
  const expected = new Map<string, number>()
  const rows = []
  for (let row = 1; row <= ROWS;) {
    const id = await makeSettledPayment(world, `order-${row}`)
    for (const amount of row % 3 === 0 && row < ROWS ? [100, 100] : [100]) {
      expected.set(id, (expected.get(id) ?? 0) + amount)
      rows.push(planRow(row, id, { amount, figures, ...(row % 4 === 0 ? { ticket: `T-${row}` } : {}) }))
      row += 1
    }
  }
  const account = { baseUrl: world.env['PAY_BASE_URL'] ?? '', apiKey: 'sandbox_all' }
  writeTestPlan(path, rows, {
    account: accountOf(account),
    baseUrl: account.baseUrl,
    createdAt: new Date().toISOString(),
  })
  return expected
}

test(
  'a plan that is killed again and again refunds every row once',
  async () => {
    const world = await createWorld(SEED)
    const plan = join(world.stateFolder, '..', 'refunds.plan.ndjson')
    const results = join(world.stateFolder, '..', 'results.csv')
    const expected = await planRefunds(world, plan)
    await world.control('POST', 'faults', {
      on: 'POST /payments/*/refund',
      do: 'drop-after',
      rate: 0.33,
      seed: SEED,
    })
    const apply = (afterMs?: number) =>
      world.pay(
        `batch apply ${plan} --results ${results} --json${afterMs === undefined ? '' : ` --rate ${RATE}`}`,
        afterMs === undefined ? undefined : { afterMs },
      )
    let killed = 0
    for (let kill = 0; kill < KILLS; kill += 1)
      if ((await apply(300 + world.random() * 900)).signal === 'SIGKILL') killed += 1
    let ended = await apply()
    for (let run = 1; ended.exitCode !== 0 && run < MAX_RUNS; run += 1) ended = await apply()

    expect(ended, ended.stderr).toMatchObject({ exitCode: 0, signal: null })
    expect(JSON.parse(ended.stdout)).toMatchObject({ done: ROWS, skipped: 0, failed: 0, unknown: 0, left: 0 })
    for (const [id, amount] of expected) {
      const { body } = await world.service.send('GET', `/payments/${id}`)
      expect([id, at(body, 'processor', 'amountRefunded')]).toEqual([id, amount])
    }
    const outcomes = readFileSync(results, 'utf8').trimEnd().split('\n').slice(1)
    expect(outcomes.map((line) => line.split(',')[4])).toEqual(Array.from({ length: ROWS }, () => 'done'))
    expect(killed).toBeGreaterThan(KILLS / 2)
  },
  120_000 + ROWS * 1_000,
)
