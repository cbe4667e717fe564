import { rmSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from '../../src/api/schema.ts'
import type { WireRequest } from '../../src/http/transport-port.ts'
import { createBench } from '../support/run-pay.ts'
import type { Bench } from '../support/run-pay.ts'
import { startScriptedServer } from '../support/scripted-server.ts'
import type { ReceivedRequest, Scripted } from '../support/scripted-server.ts'
import { refusal, simulateService } from '../support/simulated-service.ts'
import { cutsOf, record, restore, runPlainly, withoutSyncs } from './recording.ts'
import type { Cut, Recording } from './recording.ts'

const AMOUNT = 100
const REFUND = `payment refund pay-1 --amount ${AMOUNT} --json`
const KEY = 'key_of_a_durable_test_4711'
/** By then a process of which nothing more is known counts as gone. */
const LATER_MS = 15 * 60_000

const records = z.array(
  z.looseObject({ id: z.string(), state: z.string(), amount: z.nullable(z.number()), operation: z.string() }),
)
type Records = z.infer<typeof records>

type State = 'sending' | 'in-doubt' | 'confirmed' | 'rejected' | 'abandoned'

interface Scenario {
  readonly says: string
  /** What was done before on this machine; its writes are answered and lost. */
  readonly doubt?: boolean
  readonly before?: readonly string[]
  readonly words: string | ((id: string) => string)
  /** How writes are treated; they take effect unless they are refused. */
  readonly write: 'answered' | 'answer-lost' | 'refused' | 'no-server'
  readonly exitCode: number
  /** In which state the record may be once that exit code was reported. */
  readonly states: readonly State[]
}

const SCENARIOS: readonly Scenario[] = [
  {
    says: 'the first write on a machine',
    words: REFUND,
    write: 'answered',
    exitCode: 0,
    states: ['confirmed'],
  },
  {
    says: 'a further write',
    before: ['payment refund pay-1 --amount 11'],
    words: REFUND,
    write: 'answered',
    exitCode: 0,
    states: ['confirmed'],
  },
  {
    says: 'a write whose answer is lost',
    words: `${REFUND} --max-retries 0`,
    write: 'answer-lost',
    exitCode: 10,
    states: ['in-doubt'],
  },
  { says: 'a write that is refused', words: REFUND, write: 'refused', exitCode: 3, states: ['rejected'] },
  {
    says: 'a write that cannot be sent',
    before: ['payment refund pay-1 --amount 11'],
    words: `${REFUND} --max-retries 0`,
    write: 'no-server',
    exitCode: 9,
    states: ['rejected'],
  },
  {
    says: 'finding out what became of a write',
    doubt: true,
    words: 'ops resolve --all --json',
    write: 'answered',
    exitCode: 0,
    states: ['confirmed'],
  },
  {
    says: 'abandoning a write',
    doubt: true,
    words: (id) => `ops abandon ${id} --yes --json`,
    write: 'answered',
    exitCode: 0,
    states: ['abandoned'],
  },
]

interface World {
  readonly bench: Bench
  readonly account: Readonly<Record<string, string>>
  /** Writes that the service has done, in order. */
  readonly done: readonly ReceivedRequest[]
  treatWritesAs: Scenario['write']
  readonly stopServer: () => Promise<void>
}

async function createWorld(): Promise<World> {
  const bench = createBench()
  onTestFinished(() => bench.dispose())
  rmSync(bench.stateFolder, { recursive: true })
  const service = simulateService('payment.refund')
  const done: ReceivedRequest[] = []
  const server = await startScriptedServer((request): Scripted => {
    const isWrite = request.method === 'POST'
    if (isWrite && world.treatWritesAs === 'refused') return refusal(422, 'UnprocessableRefundAmount')
    if (isWrite) done.push(request)
    const answer = service.handle(wireOf(server.url, request))
    return isWrite && world.treatWritesAs === 'answer-lost' ? { drop: 'before' } : answer
  })
  onTestFinished(() => server.close())
  const world: World = {
    bench,
    account: { PAY_API_KEY: KEY, PAY_BASE_URL: server.url },
    done,
    treatWritesAs: 'answered',
    stopServer: () => server.close(),
  }
  bench.clock.now = new Date(Date.now() + LATER_MS)
  return world
}

function wireOf(url: string, { method, url: path, headers, body }: ReceivedRequest): WireRequest {
  const key = headers['x-idempotency-key']
  return {
    method: method === 'GET' ? 'GET' : 'POST',
    url: `${url}${path}`,
    headers: typeof key === 'string' ? { 'x-idempotency-key': key } : {},
    body: body === '' ? undefined : body,
  }
}

async function listed({ bench, account }: World): Promise<Records> {
  const { exitCode, stdout, stderr } = await bench.runPay('ops list --json', { env: account })
  expect(exitCode, stderr).toBe(0)
  return records.parse(JSON.parse(stdout))
}

const ours = (all: Records) => all.filter(({ amount }) => amount === AMOUNT)
const isOpen = ({ state }: { readonly state: string }) => state === 'sending' || state === 'in-doubt'
const writesIn = (sent: readonly string[]): number => sent.filter((text) => text.startsWith('POST ')).length

async function recorded(world: World, scenario: Scenario): Promise<Recording> {
  for (const words of scenario.before ?? []) await runPlainly(world.bench, words, { env: world.account })
  if (scenario.doubt === true) {
    world.treatWritesAs = 'answer-lost'
    await runPlainly(world.bench, `${REFUND} --max-retries 0`, { env: world.account, exitCode: 10 })
  }
  world.treatWritesAs = scenario.write
  if (scenario.write === 'no-server') await world.stopServer()
  const id = scenario.doubt === true ? (ours(await listed(world))[0]?.id ?? '') : ''
  const words = typeof scenario.words === 'string' ? scenario.words : scenario.words(id)
  const recording = await record(world.bench, words, { env: world.account })
  expect(recording.exitCode, recording.stderr).toBe(scenario.exitCode)
  return recording
}

/** What the ledger promises, held against one power cut, with the last request arrived at the service or lost. */
async function expectKept(world: World, scenario: Scenario, cut: Cut, effects: number): Promise<void> {
  const { bench, account, done } = world
  restore(bench.folder, cut.tree)
  const service = simulateService('payment.refund')
  for (const request of done.slice(0, effects)) service.handle(wireOf(account['PAY_BASE_URL'] ?? '', request))
  const before = ours(await listed(world))
  expect(before.length).toBeLessThanOrEqual(1)
  if (writesIn(cut.sent) > 0 || scenario.doubt === true)
    expect(before, 'a request that was sent is in the ledger').toHaveLength(1)
  const isReported = cut.exitCode !== undefined || cut.stdout !== '' || cut.stderr !== ''
  if (isReported && scenario.write === 'no-server')
    expect(before.filter(isOpen), 'what was reported as not sent is not open').toEqual([])
  else if (isReported) expect(scenario.states, 'as it was reported').toContain(before[0]?.state)

  const options = { env: account, service: (request: WireRequest) => service.handle(request) }
  const resolved = await bench.runPay('ops resolve --all --json', options)
  expect(resolved.exitCode, resolved.stderr).toBe(0)
  const after = ours(await listed(world))
  expect(after.filter(isOpen)).toEqual([])
  const refunds = service.effects.length - (scenario.before ?? []).length
  if (!after.some(({ state }) => state === 'abandoned'))
    expect(refunds, 'done exactly as often as the ledger says').toBe(
      after.filter(({ state }) => state === 'confirmed').length,
    )
  expect(refunds).toBeLessThanOrEqual(1)
  const next = await bench.runPay('payment refund pay-1 --amount 7 --json', options)
  expect(next.exitCode, next.stderr).toBe(0)
}

async function expectAllKept(
  world: World,
  scenario: Scenario,
  recording: Recording,
  cuts: readonly Cut[],
): Promise<void> {
  const earlier = world.done.length - writesIn(sentIn(recording))
  for (const cut of cuts) {
    const most = scenario.write === 'refused' ? 0 : earlier + writesIn(cut.sent)
    // What was not answered may have been lost on its way.
    for (const effects of cut.isAnswered || most === earlier ? [most] : [most, most - 1])
      await expectKept(world, scenario, cut, effects).catch((error: unknown) => {
        throw new Error(`a power cut ${cut.at}`, { cause: error })
      })
  }
}

const sentIn = ({ operations }: Recording): readonly string[] =>
  operations.flatMap((operation) => (operation.op === 'send' ? [operation.text] : []))

describe.skipIf(process.platform === 'win32')(
  'after a power cut at any instant of this, what was sent and what was reported is in the ledger',
  () => {
    test.each(SCENARIOS.map((scenario) => [scenario.says, scenario] as const))('%s', async (_, scenario) => {
      const world = await createWorld()
      const recording = await recorded(world, scenario)
      await expectAllKept(world, scenario, recording, cutsOf(recording))
    })
  },
)

describe.skipIf(process.platform === 'win32')('it is noticed when nothing syncs', () => {
  test.each<[string, (path: string) => boolean]>([
    ['anything', () => true],
    ['the new record', (path) => path.includes('/ledger/open/')],
    ['the folder of open records', (path) => path.endsWith('/ledger/open')],
    ['the history', (path) => /history-[^/]+$/.test(path)],
    ['the folder of the history', (path) => path.endsWith('/ledger')],
    ['the folder of the ledger', (path) => path.endsWith('/state')],
  ])('%s', async (_, isDropped) => {
    const [scenario] = SCENARIOS
    if (scenario === undefined) throw new Error('no scenario')
    const world = await createWorld()
    const recording = withoutSyncs(await recorded(world, scenario), isDropped)
    const cuts = cutsOf(recording).filter(({ isWorst }) => isWorst)
    await expect(expectAllKept(world, scenario, recording, cuts)).rejects.toThrow(/^a power cut /)
  })
})
