import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { HttpRequest, HttpResponse } from '../../src/client/http/transport-port.ts'
import { createBench, jsonAnswer } from '../support/run-pay.ts'
import type { Bench } from '../support/run-pay.ts'
import { startScriptedServer } from '../support/scripted-server.ts'
import { TIMEOUT_MS, cutsOf, fewerOf, withoutSyncs } from './power-cuts.ts'
import type { Cut } from './power-cuts.ts'
import { record, restore, runPlainly } from './recording.ts'
import type { Recording } from './recording.ts'

const PAGES = 6
const ROWS_PER_PAGE = 20

/** A page of payments that do not change. */
function pageOf({ url }: Pick<HttpRequest, 'url'>): HttpResponse {
  const page = Number(new URL(url, 'http://localhost').searchParams.get('cursor') ?? 0)
  const data = Array.from({ length: ROWS_PER_PAGE }, (_, row) => ({
    id: `p${page}-${row}`,
    status: 'SETTLED',
    amount: 100 + row,
    currencyCode: 'EUR',
    orderId: `order-${page}-${row}`,
  }))
  return jsonAnswer(200, { data, ...(page + 1 < PAGES ? { nextCursor: String(page + 1) } : {}) })
}

interface World {
  readonly bench: Bench
  readonly env: Readonly<Record<string, string>>
  readonly file: string
  readonly recording: Recording
  /** The bytes of the whole list. */
  readonly whole: Buffer
}

const disposals: (() => void | Promise<void>)[] = []
afterAll(async () => {
  for (const dispose of disposals) await dispose()
})

const known = new Map<string, Promise<World>>()
/** Recorded once, because it takes some seconds. */
function recorded(file: string): Promise<World> {
  const world = known.get(file) ?? recordedAnew(file)
  known.set(file, world)
  return world
}

const wordsFor = (file: string): string => `payment list --all --out ${file}`

async function recordedAnew(file: string): Promise<World> {
  const bench = createBench({ machine: hostname() })
  disposals.push(() => bench.dispose())
  const server = await startScriptedServer(pageOf)
  disposals.push(() => server.close())
  const env = { PAY_API_KEY: 'key_of_a_durable_test_4711', PAY_BASE_URL: server.url }
  // The state folder is there, as after any other command.
  await runPlainly(bench, 'payment list', { env })
  const recording = await record(bench, wordsFor(file), { env })
  expect(recording.exitCode, recording.stderr).toBe(0)
  return { bench, env, file, recording, whole: readFileSync(join(bench.folder, file)) }
}

/** Whole if that was said. Else the same command ends it, or says that it can't, and never takes other bytes for the list. */
async function expectKept({ bench, env, file, whole }: World, cut: Cut): Promise<void> {
  restore(bench.folder, cut.tree)
  const bytes = () => readFileSync(join(bench.folder, file))
  const isReported = cut.stderr.includes('has the whole list') || cut.exitCode !== undefined
  if (isReported) {
    expect(existsSync(join(bench.folder, file))).toBe(true)
    expect(bytes().equals(whole)).toBe(true)
  }
  const again = await bench.runPay(wordsFor(file), { env, service: pageOf })
  if (again.exitCode !== 0) {
    expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--replace') })
    const replaced = await bench.runPay(`${wordsFor(file)} --replace`, { env, service: pageOf })
    expect(replaced.exitCode, replaced.stderr).toBe(0)
  }
  expect(bytes().equals(whole)).toBe(true)
}

async function expectAllKept(world: World, cuts: readonly Cut[]): Promise<void> {
  for (const cut of cuts)
    await expectKept(world, cut).catch((error: unknown) => {
      throw new Error(`a power cut ${cut.at}`, { cause: error })
    })
}

describe.skipIf(process.platform === 'win32')(
  'after a power cut at any point, a list is whole or known not to be',
  () => {
    test.each(['all.ndjson', 'all.csv'])(
      '%s',
      async (file) => {
        const world = await recorded(file)
        await expectAllKept(world, fewerOf(cutsOf(world.recording), 60))
      },
      TIMEOUT_MS,
    )
  },
)

describe.skipIf(process.platform === 'win32')('a missing sync is noticed', () => {
  test.each<[string, (path: string, bench: Bench) => boolean]>([
    ['the list', (path) => path.endsWith('/all.ndjson')],
    ['its folder', (path, { folder }) => path === folder],
  ])('%s', async (_, isDropped) => {
    const world = await recorded('all.ndjson')
    const recording = withoutSyncs(world.recording, (path) => isDropped(path, world.bench))
    const cuts = fewerOf(cutsOf(recording), 0)
    await expect(expectAllKept(world, cuts.toReversed())).rejects.toThrow(/^a power cut /)
  })
})
