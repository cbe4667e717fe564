import { hostname } from 'node:os'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from '../../src/api/schema.ts'
import { batchesFolder, readProgress } from '../../src/rows/batch/apply/run-rows.ts'
import { openPlan, readPlanHeader } from '../../src/rows/batch/file/read-plan.ts'
import { plannedBatches } from '../../src/rows/batch/file/registry.ts'
import type { HttpRequest, HttpResponse } from '../../src/client/http/transport-port.ts'
import { readTable } from '../support/import-bench.ts'
import { createBench, jsonAnswer } from '../support/run-pay.ts'
import type { Bench } from '../support/run-pay.ts'
import { startScriptedServer } from '../support/scripted-server.ts'
import { refusal } from '../support/simulated-service.ts'
import { cutsOf, fewerOf, TIMEOUT_MS, withoutSyncs } from './power-cuts.ts'
import type { Cut } from './power-cuts.ts'
import type { Recording } from './recording.ts'
import { record, restore, runPlainly } from './recording.ts'

const KEY = 'key_of_a_durable_test_4711'
/** After this time, a process without a sign of life counts as ended. */
const LATER_MS = 15 * 60_000
const PAYMENTS = ['p1', 'p2', 'p3'] as const
/** By row: two equal refunds of one payment, and one of a payment that has changed since the plan. */
const ROWS = ['p1,2.00 EUR,a', 'p2,3.00 EUR,b', 'p1,2.00 EUR,c', 'p3,4.00 EUR,d'] as const
const DONE = [1, 2, 3]
const SKIPPED = 4
const PLAN = 'batch plan refund in.csv --json'
const APPLY =
  'batch apply in.plan.ndjson --results results.csv --rejects rejects.csv --json --yes --concurrency 1'

type Received = Pick<HttpRequest, 'method' | 'url' | 'body' | 'headers'>

/** Captured payments of 10.00 EUR. A key moves money once. */
class Shop {
  readonly #refunds = new Map<string, { readonly id: string; readonly amount: number }>()

  handle({ method, url, body, headers }: Received): HttpResponse {
    const id = /\/payments\/(\w+)/.exec(url)?.[1] ?? ''
    if (method === 'GET') return jsonAnswer(200, this.#payment(id))
    const key = headers['x-idempotency-key'] ?? ''
    if (this.#refunds.has(key)) return refusal(409, 'IdempotencyKeyAlreadyExists', { paymentId: id })
    this.refund(id, key, z.looseObject({ amount: z.number() }).parse(JSON.parse(body ?? '')).amount)
    return jsonAnswer(200, this.#payment(id))
  }

  refund(id: string, key: string, amount: number): void {
    this.#refunds.set(key, { id, amount })
  }

  /** Amounts by payment. */
  get refunds(): Readonly<Record<string, readonly number[]>> {
    return Object.fromEntries(PAYMENTS.map((id) => [id, this.#of(id)]))
  }

  #of(id: string): readonly number[] {
    return [...this.#refunds.values()].filter((one) => one.id === id).map(({ amount }) => amount)
  }

  #payment(id: string) {
    const refunds = this.#of(id)
    const amountRefunded = refunds.reduce((sum, amount) => sum + amount, 0)
    return {
      id,
      status: 'SETTLED',
      orderId: `order-${id}`,
      amount: 1_000,
      currencyCode: 'EUR',
      processor: { amountCaptured: 1_000, amountRefunded },
      transactions: refunds.map((amount) => ({ transactionType: 'REFUND', amount })),
    }
  }
}

interface World {
  readonly bench: Bench
  readonly account: Readonly<Record<string, string>>
  readonly recording: Recording
}

const disposals: (() => void | Promise<void>)[] = []
afterAll(async () => {
  for (const dispose of disposals) await dispose()
})

const known = new Map<'plan' | 'apply', Promise<World>>()
/** Recorded once, because it takes some seconds. */
function recorded(what: 'plan' | 'apply'): Promise<World> {
  const world = known.get(what) ?? recordedAnew(what)
  known.set(what, world)
  return world
}

async function recordedAnew(what: 'plan' | 'apply'): Promise<World> {
  const bench = createBench({ machine: hostname() })
  disposals.push(() => bench.dispose())
  writeFileSync(join(bench.folder, 'in.csv'), `paymentId,amount,ticket\n${ROWS.join('\n')}\n`)
  rmSync(bench.stateFolder, { recursive: true })
  const shop = new Shop()
  const server = await startScriptedServer((request) => shop.handle(received(request)))
  disposals.push(() => server.close())
  const account = { PAY_API_KEY: KEY, PAY_BASE_URL: server.url }
  bench.clock.now = new Date(Date.now() + LATER_MS)
  // The first run on a machine syncs the folder above its state, which is that of the plan here.
  await runPlainly(bench, `${PLAN} --out earlier.plan.ndjson`, { env: account })
  if (what === 'plan') return { bench, account, recording: await record(bench, PLAN, { env: account }) }
  await runPlainly(bench, PLAN, { env: account })
  shop.refund('p3', 'of someone else', 100)
  const recording = await record(bench, APPLY, { env: account })
  expect(recording.exitCode, recording.stderr).toBe(14)
  return { bench, account, recording }
}

function received(request: {
  readonly method: string
  readonly url: string
  readonly body: string
  readonly headers: Readonly<Record<string, unknown>>
}): Received {
  const key = request.headers['x-idempotency-key']
  return {
    method: request.method === 'GET' ? 'GET' : 'POST',
    url: request.url,
    body: request.body,
    headers: typeof key === 'string' ? { 'x-idempotency-key': key } : {},
  }
}

/** The refunds that were sent whole, in order: payment, key, amount. */
const refundsIn = (sent: readonly string[]): readonly (readonly [string, string, number])[] =>
  requestsIn(sent).flatMap((text) => {
    const [, id] = /^POST \/payments\/(\w+)\/refund/.exec(text) ?? []
    const [, key] = /x-idempotency-key: (\S+)/i.exec(text) ?? []
    const [, amount] = /\{"amount":(\d+)\}/.exec(text) ?? []
    return id === undefined || key === undefined || amount === undefined ? [] : [[id, key, Number(amount)]]
  })

/** A request may leave in several pieces, but only one request is under way. */
const requestsIn = (sent: readonly string[]): readonly string[] => sent.join('').split(/(?=(?:GET|POST) \/)/)

/** How many of its refunds the service may have received: it need not be the last, unless that was answered. */
function arrivalsOf({ sent, isAnswered }: Cut): readonly number[] {
  const { length } = refundsIn(sent)
  const isUnderWay = !isAnswered && refundsIn(requestsIn(sent).slice(-1)).length === 1
  return isUnderWay ? [length, length - 1] : [length]
}

const outcomes = (bench: Bench): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readTable(bench.folder, 'results.csv').map(([row = '', , , , outcome = '']) => [row, outcome]),
  )

const ALL = { ...Object.fromEntries(DONE.map((row) => [row, 'done'])), [SKIPPED]: 'skipped' }

/** Holds one power cut against the promises, with the last refund arrived at the service or lost. */
async function expectApplied({ bench, account }: World, cut: Cut, arrived: number): Promise<void> {
  restore(bench.folder, cut.tree)
  const sent = refundsIn(cut.sent)
  const folder = batchesFolder(bench.stateFolder)
  const path = join(bench.folder, 'in.plan.ndjson')
  const progress = readProgress(folder, readPlanHeader(path, path).planId)
  if (sent.length > 0) expect(progress, 'a plan that was begun is known as begun').toBeDefined()
  if (cut.stdout !== '' || cut.exitCode !== undefined) {
    expect(outcomes(bench), 'the results are as reported').toEqual(ALL)
    expect(readTable(bench.folder, 'rejects.csv').map(([id]) => id)).toEqual(['p3'])
    expect(progress, 'so is the journal').toMatchObject({ done: DONE.length, skipped: 1 })
  }
  const shop = new Shop()
  shop.refund('p3', 'of someone else', 100)
  for (const [id, key, amount] of sent.slice(0, arrived)) shop.refund(id, key, amount)
  const again = await bench.runPay(APPLY, {
    env: account,
    service: (request: HttpRequest) => shop.handle(request),
  })
  expect(again.exitCode, again.stderr).toBe(14)
  expect(shop.refunds).toEqual({ p1: [200, 200], p2: [300], p3: [100] })
  expect(outcomes(bench)).toEqual(ALL)
}

/** Whole or not there; there once that was reported. */
async function expectPlanned({ bench }: World, cut: Cut): Promise<void> {
  restore(bench.folder, cut.tree)
  const path = join(bench.folder, 'in.plan.ndjson')
  const isReported = cut.stdout !== '' || cut.exitCode !== undefined
  if (!isReported && !cut.tree.has(path)) return
  const plan = openPlan(path, path)
  expect(plan.trailer.ready).toBe(ROWS.length)
  const listed = plannedBatches(batchesFolder(bench.stateFolder)).map(({ planId }) => planId)
  if (isReported) expect(listed).toContain(plan.header.planId)
}

async function expectAllKept(what: 'plan' | 'apply', world: World, cuts: readonly Cut[]): Promise<void> {
  for (const cut of cuts) {
    for (const arrived of arrivalsOf(cut))
      await (what === 'plan' ? expectPlanned(world, cut) : expectApplied(world, cut, arrived)).catch(
        (error: unknown) => {
          throw new Error(`a power cut ${cut.at}`, { cause: error })
        },
      )
  }
}

describe.skipIf(process.platform === 'win32')(
  'after a power cut at any moment, a plan is whole, and applying it does each row once',
  () => {
    test.each(['plan', 'apply'] as const)(
      '%s',
      async (what) => {
        const world = await recorded(what)
        await expectAllKept(what, world, fewerOf(cutsOf(world.recording), 40))
      },
      TIMEOUT_MS,
    )
  },
)

describe.skipIf(process.platform === 'win32')('a missing sync is noticed', () => {
  test.each<['plan' | 'apply', string, (path: string, bench: Bench) => boolean]>([
    ['plan', 'the plan', (path) => path.endsWith('.draft')],
    ['plan', 'the folder of the plan', (path, { folder }) => path === folder],
    ['apply', 'the begun mark', (path) => path.endsWith('.db') || path.endsWith('.db-wal')],
    ['apply', 'the folder of the begun mark', (path) => path.endsWith('/batches')],
    ['apply', 'the ledger', (path) => path.includes('/ledger')],
    ['apply', 'the results', (path) => path.endsWith('/results.csv')],
    ['apply', 'the rejects', (path) => path.endsWith('/rejects.csv')],
    ['apply', 'the folder of both', (path, { folder }) => path === folder],
  ])(
    'of %s: %s',
    async (what, _, isDropped) => {
      const world = await recorded(what)
      const recording = withoutSyncs(world.recording, (path) => isDropped(path, world.bench))
      const cuts = cutsOf(recording).filter(({ isWorst }) => isWorst)
      await expect(expectAllKept(what, world, cuts.toReversed())).rejects.toThrow(/^a power cut /)
    },
    TIMEOUT_MS,
  )
})
