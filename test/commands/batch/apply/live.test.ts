import { afterEach, beforeEach, expect, test } from 'vitest'
import { accountOf } from '../../../../src/calls/build-intent.ts'
import { planRow } from '../../../support/batch-plan.ts'
import type { RunOptions } from '../../../support/run-pay.ts'
import { storeProfile } from '../../../support/stored-profile.ts'
import { writesOf } from '../../../support/run-result.ts'
import { createBatchBench } from './bench.ts'
import type { BatchBench } from './bench.ts'
import { createRefundingService } from './refunding-service.ts'
import type { RefundingService } from './refunding-service.ts'

let bench: BatchBench
let service: RefundingService

beforeEach(async () => {
  bench = createBatchBench()
  service = createRefundingService()
  await storeProfile(bench, { name: 'shop', mode: 'live', baseUrl: LIVE.baseUrl, key: LIVE.apiKey })
})
afterEach(() => bench.dispose())

const LIVE = { baseUrl: 'https://pay.example', apiKey: 'live_key_1234' }

const applyLive = (words = '', options: RunOptions = {}) =>
  bench.runPay(`batch apply p.plan.ndjson --profile shop ${words}`, { service: service.serve, ...options })
const plan = () =>
  bench.plan([planRow(1, 'p1'), planRow(2, 'p2', { amount: 700 })], {
    account: accountOf(LIVE),
    baseUrl: LIVE.baseUrl,
    mode: 'live',
  })

test('a script needs --yes', async () => {
  plan()
  const r = await applyLive()

  expect(r).toMatchObject({ exitCode: 2, requests: [] })
  expect(r.stderr).toContain("--yes --expect-total '12.00 EUR' --expect-count 2")
})

test.each(['--yes', "--yes --expect-total '12.00 EUR'", '--yes --expect-count 2'])(
  'a script needs both expectations: %s',
  async (flags) => {
    plan()
    const r = await applyLive(flags)

    expect(r).toMatchObject({ exitCode: 2, requests: [] })
    expect(r.stderr).toContain('--yes needs --expect-total and --expect-count')
  },
)

test('a script with both expectations applies the plan', async () => {
  plan()
  const r = await applyLive("--yes --expect-total '12.00 EUR' --expect-count 2")

  expect(r.exitCode).toBe(0)
  expect(service.refunded).toEqual(
    new Map([
      ['p1', 500],
      ['p2', 700],
    ]),
  )
})

test('a person types the total', async () => {
  plan()
  const r = await applyLive('', { answers: { Total: '12.00 EUR' } })

  expect(r).toMatchObject({ exitCode: 0, questions: ['Total'] })
  expect(r.stderr).toContain('Refund 2 rows')
  expect(writesOf(r)).toHaveLength(2)
})

test.each([
  ['another amount', '12.01 EUR'],
  ['another currency', '12.00 USD'],
  ['minor units', '1200'],
  ['a yes', 'yes'],
])('%s is not the total', async (_, typed) => {
  plan()

  const r = await applyLive('', { answers: { Total: typed } })
  expect(r.stderr).toContain('the answer to Total was refused')
  expect(service.refunded).toEqual(new Map())
})

test('asks nothing once every row is finished', async () => {
  plan()
  await applyLive('', { answers: { Total: '12.00 EUR' } })

  expect(await applyLive('', { tty: true })).toMatchObject({ exitCode: 0, questions: [], requests: [] })
})

test('a profile that forbids the operation refuses the plan', async () => {
  plan()
  await bench.runPay('profile set shop --read-only --yes')
  const r = await applyLive("--yes --expect-total '12.00 EUR' --expect-count 2")

  expect(r).toMatchObject({ exitCode: 12, requests: [] })
})

test('a row above the limit of the profile has failed, and is done once the limit allows it', async () => {
  plan()
  const flags = "--yes --expect-total '12.00 EUR' --expect-count 2"
  await bench.runPay(['profile', 'set', 'shop', '--max-amount', '6.00 EUR', '--yes'])
  const r = await applyLive(`${flags} --json`)

  expect(r.exitCode).toBe(14)
  expect(JSON.parse(r.stdout)).toMatchObject({ done: 1, failed: 1 })
  expect(service.refunded).toEqual(new Map([['p1', 500]]))
  await bench.runPay(['profile', 'set', 'shop', '--max-amount', '7.00 EUR', '--yes'])
  expect((await applyLive(flags)).exitCode).toBe(0)
})
