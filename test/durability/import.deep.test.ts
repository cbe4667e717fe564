import { hostname } from 'node:os'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from '../../src/api/schema.ts'
import type { HttpResponse, HttpRequest } from '../../src/client/http/transport-port.ts'
import { csvOf, readTable, upTo } from '../support/import-bench.ts'
import { createBench, jsonAnswer } from '../support/run-pay.ts'
import type { Bench } from '../support/run-pay.ts'
import { startScriptedServer } from '../support/scripted-server.ts'
import type { Recording } from './recording.ts'
import { cutsOf, fewerOf, TIMEOUT_MS, withoutSyncs } from './power-cuts.ts'
import type { Cut } from './power-cuts.ts'
import { record, restore, runPlainly } from './recording.ts'

const ROWS = 60
const BAD = upTo(ROWS).filter((row) => row % 7 === 0)
const KEY = 'key_of_a_durable_test_4711'
const FILES = '--results results.csv --rejects rejects.csv'

type OnExists = 'update' | 'skip'

interface Scenario {
  readonly onExists: OnExists
  /** The flags of an earlier run. */
  readonly earlier?: string
  readonly more: string
}

const SCENARIOS = {
  'existing records are updated': { onExists: 'update', more: '' },
  'existing records are skipped': { onExists: 'skip', more: '' },
  'started over after half of it': { onExists: 'update', earlier: '--max-failures 4', more: '--restart' },
} as const satisfies Readonly<Record<string, Scenario>>
type Name = keyof typeof SCENARIOS
const NAMES = [
  'existing records are updated',
  'existing records are skipped',
  'started over after half of it',
] as const

const summaryShape = z.looseObject({ rows: z.number() })
const recordShape = z.looseObject({ paymentId: z.string() })

type Received = Pick<HttpRequest, 'method' | 'url' | 'body'>

/** The external records, each expected once. */
class Records {
  readonly #ids = new Set<string>()

  get ids(): ReadonlySet<string> {
    return this.#ids
  }

  handle({ method, url, body }: Received): HttpResponse {
    if (method !== 'POST') return jsonAnswer(200, { paymentId: url.split('/').at(-1) ?? '' })
    const { paymentId } = recordShape.parse(JSON.parse(body ?? ''))
    if (this.#ids.has(paymentId))
      return jsonAnswer(409, { error: { errorId: 'EntityAlreadyExists', description: 'it is there' } })
    this.#ids.add(paymentId)
    return jsonAnswer(200, { paymentId })
  }
}

interface World {
  readonly bench: Bench
  readonly account: Readonly<Record<string, string>>
  readonly onExists: OnExists
  /** The records that exist before. */
  readonly earlierIds: readonly string[]
  readonly recording: Recording
}

const wordsFor = (onExists: OnExists): string =>
  `observability import rows.csv ${FILES} --on-exists ${onExists} --json --concurrency 8`

const disposals: (() => void | Promise<void>)[] = []
afterAll(async () => {
  for (const dispose of disposals) await dispose()
})

const known = new Map<Name, Promise<World>>()
/** Recorded once, because it takes some seconds. */
function recorded(name: Name): Promise<World> {
  const world = known.get(name) ?? recordedAnew(SCENARIOS[name])
  known.set(name, world)
  return world
}

async function recordedAnew({ onExists, earlier, more }: Scenario): Promise<World> {
  const bench = createBench({ machine: hostname() })
  disposals.push(() => bench.dispose())
  writeFileSync(
    join(bench.folder, 'rows.csv'),
    csvOf(ROWS, (row) => (BAD.includes(row) ? '12x' : 100)),
  )
  rmSync(bench.stateFolder, { recursive: true })
  const records = new Records()
  const server = await startScriptedServer((request) => records.handle(request))
  disposals.push(() => server.close())
  const account = { PAY_API_KEY: KEY, PAY_BASE_URL: server.url }
  if (earlier !== undefined)
    await runPlainly(bench, `${wordsFor(onExists)} ${earlier}`, { env: account, exitCode: 14 })
  const earlierIds = [...records.ids]
  const recording = await record(bench, `${wordsFor(onExists)} ${more}`, { env: account })
  expect(recording.exitCode, recording.stderr).toBe(14)
  return { bench, account, onExists, earlierIds, recording }
}

const idsIn = (sent: readonly string[]): readonly string[] =>
  sent.flatMap((text) => [...text.matchAll(/"paymentId":"([^"]+)"/g)].map(([, id = '']) => id))

/** Expects every row once, in order, each good one at the service, and a summary that agrees. */
function expectWhole({ bench }: World, stdout: string, outcomes: readonly string[]): void {
  const reported = readTable(bench.folder, 'results.csv')
  expect(reported.map(([row]) => Number(row))).toEqual(upTo(ROWS))
  const counts: Record<string, number> = {}
  for (const [, , outcome = ''] of reported) counts[outcome] = (counts[outcome] ?? 0) + 1
  expect(summaryShape.parse(JSON.parse(stdout))).toMatchObject({ rows: ROWS, ...counts })
  expect(reported.filter(([, , outcome]) => outcome === 'failed').map(([row]) => Number(row))).toEqual(BAD)
  expect(outcomes).toEqual(expect.arrayContaining(Object.keys(counts)))
  expect(readTable(bench.folder, 'rejects.csv').map(([id]) => id)).toEqual(BAD.map((row) => `ext-${row}`))
}

/** The outcomes that rows may have when the command runs again: resumed, or from the start. */
const GOES_ON: Readonly<Record<OnExists, readonly string[]>> = {
  update: ['created', 'updated', 'failed'],
  // A record that an attempt before the cut may have created must not count as someone else's.
  skip: ['created', 'unknown', 'failed'],
}
const ANEW: Readonly<Record<OnExists, readonly string[]>> = {
  update: ['updated', 'failed'],
  skip: ['skipped', 'failed'],
}

/** The run is opened for the last time to forget it. */
const mayBeForgotten = ({ operations }: Recording, done: number): boolean =>
  done > operations.findLastIndex((one) => one.op === 'open' && /imports\/[^/.]+\.db$/.test(one.path))

async function expectKept(world: World, cut: Cut): Promise<void> {
  const { bench, account, onExists, earlierIds, recording } = world
  restore(bench.folder, cut.tree)
  const records = new Records()
  for (const paymentId of [...earlierIds, ...idsIn(cut.sent)])
    records.handle({ method: 'POST', url: '', body: JSON.stringify({ paymentId }) })
  const isReported = cut.stdout !== '' || cut.exitCode !== undefined
  if (isReported) expectWhole(world, cut.stdout, GOES_ON[onExists])
  const again = await bench.runPay(wordsFor(onExists), {
    env: account,
    service: (request: HttpRequest) => records.handle(request),
  })
  expect(again.exitCode, again.stderr).toBe(14)
  const isOver = mayBeForgotten(recording, cut.done)
  const outcomes = [...(isReported ? [] : GOES_ON[onExists]), ...(isOver ? ANEW[onExists] : [])]
  expectWhole(world, again.stdout, outcomes)
  expect(records.ids.size).toBe(ROWS - BAD.length)
}

async function expectAllKept(world: World, cuts: readonly Cut[]): Promise<void> {
  for (const cut of cuts)
    await expectKept(world, cut).catch((error: unknown) => {
      throw new Error(`a power cut ${cut.at}`, { cause: error })
    })
}

describe.skipIf(process.platform === 'win32')(
  'after a power cut at any point, the same command completes the import and reports each row once',
  () => {
    test.each(NAMES)(
      '%s',
      async (name) => {
        const world = await recorded(name)
        await expectAllKept(world, fewerOf(cutsOf(world.recording), 30))
      },
      TIMEOUT_MS,
    )
  },
)

describe.skipIf(process.platform === 'win32')('a missing sync is noticed', () => {
  test.each<[string, Name, (path: string, bench: Bench) => boolean]>([
    ['the results', 'existing records are updated', (path) => path.endsWith('/results.csv')],
    ['the rejects', 'existing records are updated', (path) => path.endsWith('/rejects.csv')],
    ['the folder of both', 'existing records are updated', (path, { folder }) => path === folder],
    ['how far rows have been sent', 'existing records are skipped', (path) => path.endsWith('.db-wal')],
    ['the folder of the run', 'existing records are skipped', (path) => path.endsWith('/imports')],
  ])('%s', async (_, name, isDropped) => {
    const world = await recorded(name)
    const recording = withoutSyncs(world.recording, (path) => isDropped(path, world.bench))
    const cuts = fewerOf(cutsOf(recording), 0)
    await expect(expectAllKept(world, cuts.toReversed())).rejects.toThrow(/^a power cut /)
  })
})
