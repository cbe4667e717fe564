import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { accountOf } from '../../../../src/client/calls/build-intent.ts'
import type { HttpRequest } from '../../../../src/client/http/transport-port.ts'
import { planRow } from '../../../support/batch-plan.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import type { RunOptions } from '../../../support/run-pay.ts'
import { storeProfile } from '../../../support/stored-profile.ts'
import { writesOf } from '../../../support/run-result.ts'
import { useApplyBench } from './bench.ts'
import { createRefundingService } from './refunding-service.ts'
import type { RefundingService } from './refunding-service.ts'

const bench = useApplyBench()
let service: RefundingService

beforeEach(async () => {
  service = createRefundingService()
  await storeProfile(bench, { name: 'shop', mode: 'live', baseUrl: LIVE.baseUrl, key: LIVE.apiKey })
})

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
  expect(r.stderr).toContain('--yes --expect-total "12.00 EUR" --expect-count 2')
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

test('a plan that another one replaces before the total is typed is not begun', async () => {
  plan()
  const answers = {
    get Total() {
      bench.plan([planRow(1, 'p1')], { planId: 'plan-00000002' })
      return '12.00 EUR'
    },
  }
  const r = await applyLive('', { answers })
  expect(r).toMatchObject({ exitCode: 2, stdout: '' })
  expect(r.stderr).toContain('p.plan.ndjson is another plan by now')
  expect([...service.refunded]).toEqual([])
})

test('a person types the total', async () => {
  plan()
  const r = await applyLive('', { answers: { Total: '12.00 EUR' } })
  expect(r).toMatchObject({ exitCode: 0, questions: ['Total'] })
  expect(r.stderr).toContain('Refund 2 rows')
  expect(r.stderr).toContain('Ledger: this machine only')
  expect(writesOf(r)).toHaveLength(2)
})

test('the total may be typed with a decimal comma', async () => {
  plan()
  expect(await applyLive('', { answers: { Total: '12,00 EUR' } })).toMatchObject({ exitCode: 0 })
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

test('asks nothing if the rows that are not done were skipped', async () => {
  plan()
  service.refunded.set('p1', 100)
  await applyLive('', { answers: { Total: '12.00 EUR' } })
  expect(await applyLive('', { tty: true })).toMatchObject({ exitCode: 14, questions: [], requests: [] })
})

test('a person sees how many rows are done and skipped', async () => {
  bench.plan(
    ['p1', 'p2', 'p3', 'p4'].map((id, at) => planRow(at + 1, id)),
    { account: accountOf(LIVE), baseUrl: LIVE.baseUrl, mode: 'live' },
  )
  service.refunded.set('p3', 100)
  const flags = "--yes --expect-total '20.00 EUR' --expect-count 4"
  const failing = (request: HttpRequest) =>
    request.method === 'POST' && request.url.includes('p4') ? jsonAnswer(422, {}) : service.serve(request)
  const first = await applyLive(`${flags} --rate 50/s --rejects rejects.csv`, { service: failing })
  expect(first.stderr).toContain(
    'The same command tries the failed rows again. Then correct the rows in rejects.csv, and plan that file',
  )
  expect(first.stderr).toContain('batch apply p.plan.ndjson --rejects rejects.csv --rate 50/s')
  const second = await applyLive('--rejects rejects.csv', { answers: { Total: '20.00 EUR' } })
  expect(second.stderr).toContain('Refund 4 rows, of which 2 are done and 1 is skipped:')
  expect(second.stderr).toContain('Correct the rows in rejects.csv, and plan that file')
  expect(second.stderr).not.toContain('Next')
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

test('a row that would pass a limit over time has failed, and is done once there is room', async () => {
  plan()
  const flags = "--yes --expect-total '12.00 EUR' --expect-count 2"
  await bench.runPay(['profile', 'set', 'shop', '--max-total', '11.99 EUR/24h', '--yes'])
  const r = await applyLive(`${flags} --results r.csv --json`)
  expect(r.exitCode).toBe(14)
  expect(JSON.parse(r.stdout)).toMatchObject({ done: 1, failed: 1, left: 0 })
  expect(service.refunded.size).toBe(1)
  expect(readFileSync(join(bench.folder, 'r.csv'), 'utf8')).toMatch(
    /,failed,.*would pass the limit of 11\.99 EUR in 24h/,
  )

  // As long as there is none, applying it again sends nothing.
  const early = await applyLive(flags)
  expect({ exitCode: early.exitCode, writes: writesOf(early) }).toEqual({ exitCode: 14, writes: [] })
  await bench.runPay(['profile', 'set', 'shop', '--max-total', '12.00 EUR/24h', '--yes'])
  expect((await applyLive(flags)).exitCode).toBe(0)
  expect(service.refunded).toEqual(
    new Map([
      ['p1', 500],
      ['p2', 700],
    ]),
  )
})

test('the confirmation says which rows take all, and what captures release', async () => {
  const live = { account: accountOf(LIVE), baseUrl: LIVE.baseUrl, mode: 'live' } as const
  bench.plan([planRow(1, 'p1'), planRow(2, 'p2', { amount: 4990, takesAll: true })], live)
  expect((await applyLive('', { answers: { Total: 'none' } })).stderr).toContain(
    '  54.90 EUR in 2 rows\n  1 row takes all that is left: row 2\n',
  )

  const figures = { status: 'AUTHORIZED', amount: 8000, amountCaptured: 0, amountRefunded: 0 }
  bench.plan(
    [
      planRow(1, 'p1', { amount: 3000, figures, final: false }),
      planRow(2, 'p1', { amount: 2000, figures, releases: 3000 }),
    ],
    { ...live, operation: 'capture', planId: 'plan-00000002' },
  )
  const r = await applyLive('', { answers: { Total: 'none' } })
  expect(r.stderr).toContain('Capture 2 rows:\n  50.00 EUR in 2 rows\n  releases 30.00 EUR in 1 row\n')
  expect(writesOf(r)).toEqual([])
})
