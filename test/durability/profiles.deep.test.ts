import { existsSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createBench } from '../support/run-pay.ts'
import type { Bench } from '../support/run-pay.ts'
import { cutsOf, withoutSyncs } from './power-cuts.ts'
import type { Cut } from './power-cuts.ts'
import { record, restore, runPlainly } from './recording.ts'
import type { Recording } from './recording.ts'

const ADD = '--base-url https://api.example.com --test --api-key-stdin'
const KEY = 'key_of_a_durable_test_4711'

interface World {
  readonly bench: Bench
  readonly recording: Recording
  /** The profile file before and after; undefined if there is none. */
  readonly before: string | undefined
  readonly after: string | undefined
}

interface Scenario {
  readonly words: string
  readonly earlier?: string
  readonly env?: Readonly<Record<string, string>>
}

const SCENARIOS: readonly (readonly [says: string, scenario: Scenario])[] = [
  ['the first profile', { words: `profile add shop ${ADD}` }],
  // With SNAP set, conf overwrites the file without a sync.
  [
    'a change, in a snap',
    { earlier: `profile add shop ${ADD}`, words: 'profile set shop --read-only', env: { SNAP: '1' } },
  ],
  ['a second profile', { earlier: `profile add shop ${ADD}`, words: `profile add other ${ADD}` }],
  ['a change', { earlier: `profile add shop ${ADD}`, words: 'profile set shop --read-only' }],
  ['a new name', { earlier: `profile add shop ${ADD}`, words: 'profile rename shop store' }],
  ['a removal', { earlier: `profile add shop ${ADD}`, words: 'profile remove shop --yes' }],
]

async function recorded({ words, earlier, env = {} }: Scenario): Promise<World> {
  const bench = createBench()
  onTestFinished(() => bench.dispose())
  rmSync(bench.configFolder, { recursive: true })
  if (earlier !== undefined) await runPlainly(bench, earlier, { stdin: KEY })
  const before = storedIn(bench)
  const recording = await record(bench, words, { stdin: KEY, env })
  expect(recording.exitCode, recording.stderr).toBe(0)
  return { bench, recording, before, after: storedIn(bench) }
}

function storedIn({ configFolder }: Bench): string | undefined {
  const path = join(configFolder, 'config.json')
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

async function expectKept({ bench, before, after }: World, cut: Cut): Promise<void> {
  restore(bench.folder, cut.tree)
  const isReported = cut.exitCode !== undefined || cut.stdout !== ''
  expect(isReported ? [after] : [before, after]).toContain(storedIn(bench))
  const next = await bench.runPay(`profile add next ${ADD} --json`, { stdin: KEY })
  expect(next.exitCode, next.stderr).toBe(0)
}

async function expectAllKept(world: World, cuts: readonly Cut[]): Promise<void> {
  for (const cut of cuts)
    await expectKept(world, cut).catch((error: unknown) => {
      throw new Error(`a power cut ${cut.at}`, { cause: error })
    })
}

describe.skipIf(process.platform === 'win32')(
  'after a power cut at any moment the profiles are whole, and what was reported is stored',
  () => {
    test.each(SCENARIOS)('%s', async (_, scenario) => {
      const world = await recorded(scenario)
      await expectAllKept(world, cutsOf(world.recording))
    })
  },
)

describe.skipIf(process.platform === 'win32')('the checks notice a missing sync of', () => {
  test.each<[string, (path: string, bench: Bench) => boolean]>([
    ['the file', (path) => basename(path).startsWith('config.json.next')],
    ['its folder', (path, { configFolder }) => path === configFolder],
    ['the parent of its folder', (path, { folder }) => path === folder],
  ])('%s', async (_, isDropped) => {
    const world = await recorded({ words: `profile add shop ${ADD}` })
    const without = withoutSyncs(world.recording, (path) => isDropped(path, world.bench))
    await expect(expectAllKept(world, cutsOf(without))).rejects.toThrow(/^a power cut /)
  })
})
