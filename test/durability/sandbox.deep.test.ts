import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from '../../src/api/schema.ts'
import { openSandbox } from '../../src/sandbox/sandbox.ts'
import { seededRandom } from '../sandbox/service.ts'
import { createBench, splitWords } from '../support/run-pay.ts'
import type { Bench } from '../support/run-pay.ts'
import { cutsOf, fewerOf, TIMEOUT_MS, withoutSyncs } from './power-cuts.ts'
import type { Cut } from './power-cuts.ts'
import { checked, environmentOf, PROGRAM, restore, treeAt } from './recording.ts'
import type { Recording } from './recording.ts'
import { canTrace, startTraced } from './strace.ts'

const CREATE = 'payment create --sandbox --token tok_visa --order-id o-1 --amount 1000 --currency EUR --json'
const BODY = { orderId: 'o-2', paymentMethodToken: 'tok_visa', amount: 1000, currencyCode: 'EUR' }

const HEADERS = { 'x-api-key': 'sandbox_all', 'x-api-version': '2.1' }

const payments = z.looseObject({ data: z.array(z.looseObject({ id: z.string(), status: z.string() })) })
const served = z.looseObject({ url: z.string() })

/** Shared memory of SQLite, which does not survive a power cut. */
const isShared = (path: string): boolean => path.endsWith('-shm')

function newBench(): Bench {
  const bench = createBench()
  onTestFinished(() => bench.dispose())
  rmSync(bench.stateFolder, { recursive: true })
  return bench
}

async function trace(
  bench: Bench,
  words: string,
  use?: (firstLine: string) => Promise<void>,
): Promise<Recording> {
  const before = treeAt(bench.folder)
  const options = { root: bench.folder, env: environmentOf(bench) }
  const traced = startTraced([PROGRAM, ...splitWords(words)], options)
  if (use !== undefined) {
    await use(await traced.firstLine)
    traced.stop()
  }
  const ended = await traced.ended
  expect(ended.exitCode, ended.stderr).toBe(0)
  return checked({ root: bench.folder, before, ...ended }, isShared)
}

/** The status of every payment after a power cut, by id. */
async function paymentsAfter(bench: Bench, cut: Cut): Promise<ReadonlyMap<string, string>> {
  restore(bench.folder, new Map([...cut.tree].filter(([path]) => !isShared(path))))
  const options = {
    folder: join(bench.stateFolder, 'sandbox'),
    now: () => new Date(),
    random: seededRandom(1),
  }
  const sandbox = await openSandbox(options)
  try {
    const answer = await sandbox.handle({
      method: 'GET',
      url: '/payments',
      headers: HEADERS,
      body: undefined,
    })
    const { data } = payments.parse(JSON.parse(answer.body))
    return new Map(data.map(({ id, status }) => [id, status]))
  } finally {
    await sandbox.close()
  }
}

/** The last status that a response or stdout gave for each payment. */
function answered({ sent, stdout }: Pick<Cut, 'sent' | 'stdout'>): ReadonlyMap<string, string> {
  const found = [...sent, stdout].flatMap((text) => [
    ...text.matchAll(/"id":\s*"([^"]+)"(?:(?!"id":)[^])*?"status":\s*"(AUTHORIZED|SETTLED)"/g),
  ])
  return new Map(found.map(([, id = '', status = '']) => [id, status]))
}

const NO_CUT = { sent: [], stdout: '' }

async function expectAllKept(
  bench: Bench,
  cuts: readonly Cut[],
  earlier: readonly string[] = [],
): Promise<void> {
  for (const cut of cuts) {
    const there = await paymentsAfter(bench, cut).catch((error: unknown) => {
      throw new Error(`a power cut ${cut.at}: the database cannot be read`, { cause: error })
    })
    const missing = [...answered(cut), ...earlier.map((id) => [id, 'AUTHORIZED'] as const)].filter(
      ([id, status]) => there.get(id) !== status && there.get(id) !== 'SETTLED',
    )
    expect(missing, `a power cut ${cut.at}`).toEqual([])
  }
}

async function createServed(url: string, count: number): Promise<void> {
  const headers = { ...HEADERS, 'content-type': 'application/json' }
  const one = async () => {
    const { status } = await fetch(`${url}/payments`, { method: 'POST', headers, body: JSON.stringify(BODY) })
    expect(status).toBe(200)
  }
  await Promise.all(Array.from({ length: count }, one))
}

// Only strace sees what SQLite writes. Skipped where strace is missing or forbidden.
describe.skipIf(!canTrace)('after a power cut at any moment the sandbox has what it reported', () => {
  test(
    'the first command on a machine',
    async () => {
      const bench = newBench()
      const recording = await trace(bench, CREATE)
      const cuts = fewerOf(cutsOf(recording), 30)
      expect(answered(cuts.find(({ exitCode }) => exitCode === 0) ?? NO_CUT).size).toBe(1)
      await expectAllKept(bench, cuts)
    },
    TIMEOUT_MS,
  )

  test(
    'a second command',
    async () => {
      const bench = newBench()
      const [id = ''] = answered({ sent: [], stdout: (await trace(bench, CREATE)).stdout }).keys()
      const recording = await trace(bench, `payment capture ${id} --sandbox --json`)
      await expectAllKept(bench, fewerOf(cutsOf(recording), 20), [id])
    },
    TIMEOUT_MS,
  )

  test(
    'a served sandbox with simultaneous requests',
    async () => {
      const bench = newBench()
      const recording = await trace(bench, 'sandbox start --port 0 --json', async (line) => {
        const { url } = served.parse(JSON.parse(line))
        for (const count of [1, 8, 4]) await createServed(url, count)
      })
      const cuts = cutsOf(recording)
      expect(answered(cuts.at(-1) ?? NO_CUT).size).toBe(13)
      await expectAllKept(bench, fewerOf(cuts, 30))
    },
    TIMEOUT_MS,
  )
})

describe.skipIf(!canTrace)('the checks notice a missing sync of', () => {
  test.each<[string, (path: string, bench: Bench) => boolean]>([
    ['the log of the database', (path) => path.endsWith('.db-wal')],
    ['the folder of the database', (path) => path.endsWith('/sandbox')],
    ['the parent of its folder', (path, { folder }) => path === folder],
  ])('%s', async (_, isDropped) => {
    const bench = newBench()
    const without = withoutSyncs(await trace(bench, CREATE), (path) => isDropped(path, bench))
    await expect(expectAllKept(bench, fewerOf(cutsOf(without), 0))).rejects.toThrow(/a power cut /)
  })
})
