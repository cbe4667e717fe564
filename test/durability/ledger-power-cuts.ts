import { describe, expect, test } from 'vitest'
import { z } from '../../src/api/schema.ts'
import type { HttpRequest } from '../../src/client/http/transport-port.ts'
import { simulateService } from '../support/simulated-service.ts'
import type { SimulatedService } from '../support/simulated-service.ts'
import { createWorld, wireOf } from './ledger-world.ts'
import type { Treatment, World } from './ledger-world.ts'
import type { Operation } from './operation.ts'
import { cutsOf, TIMEOUT_MS } from './power-cuts.ts'
import type { Cut } from './power-cuts.ts'
import { continued, record, restore, runPlainly, sentIn } from './recording.ts'
import type { Recording } from './recording.ts'
import { canTrace } from './strace.ts'

const AMOUNT = 100
const REFUND = `payment refund pay-1 --amount ${AMOUNT} --json`
const records = z.array(
  z.looseObject({ id: z.string(), state: z.string(), amount: z.nullable(z.number()), operation: z.string() }),
)
const transactions = z.array(z.looseObject({ amount: z.number() }))
type Records = z.infer<typeof records>

type State = 'sending' | 'in-doubt' | 'confirmed' | 'rejected' | 'abandoned'

interface Scenario {
  readonly says: string
  /** Commands that ran before. */
  readonly before?: readonly string[]
  /** Then a refund whose response was lost. */
  readonly hasDoubt?: boolean
  /** Then a refund whose process was killed after this operation, which was not synced. */
  readonly killedAfter?: (operation: Operation) => boolean
  readonly words: string | ((id: string) => string)
  readonly write: Treatment
  readonly exitCode: number
  /** The states that the record may have once the exit code was reported. */
  readonly states: readonly State[]
  /** Whether there may be no record, because nothing was sent. */
  readonly mayLeaveNone?: boolean
}

const DONE = { write: 'answered', exitCode: 0, states: ['confirmed'] } as const

const SCENARIOS: readonly Scenario[] = [
  { says: 'the first write on a machine', words: REFUND, ...DONE },
  { says: 'a second write', before: ['payment refund pay-1 --amount 11'], words: REFUND, ...DONE },
  {
    says: 'a write whose response is lost',
    words: `${REFUND} --max-retries 0`,
    write: 'answer-lost',
    exitCode: 10,
    states: ['in-doubt'],
  },
  { says: 'a refused write', words: REFUND, write: 'refused', exitCode: 3, states: ['rejected'] },
  {
    says: 'a write that cannot be sent',
    before: ['payment refund pay-1 --amount 11'],
    words: `${REFUND} --max-retries 0`,
    write: 'no-server',
    exitCode: 9,
    states: ['rejected'],
    mayLeaveNone: true,
  },
  {
    says: 'a refused repeat',
    before: [`${REFUND} --once shift-7`],
    words: `${REFUND} --once shift-7`,
    write: 'answered',
    exitCode: 6,
    states: ['confirmed'],
  },
  {
    says: 'a write after a kill before the outcome was committed',
    killedAfter: (operation) =>
      operation.op === 'write' && Buffer.from(operation.data, 'base64').includes('"confirmed"'),
    words: 'payment refund pay-1 --amount 33 --json',
    write: 'answered',
    exitCode: 6,
    states: ['sending', 'in-doubt'],
  },
  {
    says: 'resolving after a kill before the outcome was committed',
    killedAfter: (operation) =>
      operation.op === 'write' && Buffer.from(operation.data, 'base64').includes('"confirmed"'),
    words: 'ops resolve --all --json',
    ...DONE,
  },
  { says: 'resolving a write', hasDoubt: true, words: 'ops resolve --all --json', ...DONE },
  {
    says: 'abandoning a write',
    hasDoubt: true,
    words: (id) => `ops abandon ${id} --yes --json`,
    write: 'answered',
    exitCode: 0,
    states: ['abandoned'],
  },
]

export function scenarioNamed(name: string): Scenario {
  const scenario = SCENARIOS.find(({ says }) => says === name)
  if (scenario === undefined) throw new Error(`no scenario "${name}"`)
  return scenario
}

async function listed({ bench, account }: World): Promise<Records> {
  const { exitCode, stdout, stderr } = await bench.runPay('ops list --json', { env: account })
  expect(exitCode, stderr).toBe(0)
  return records.parse(JSON.parse(stdout))
}

const ours = (all: Records) => all.filter(({ amount }) => amount === AMOUNT)
const isOpen = ({ state }: { readonly state: string }) => state === 'sending' || state === 'in-doubt'
const writesIn = (sent: readonly string[]): number => sent.filter((text) => text.startsWith('POST ')).length

export async function recorded(world: World, scenario: Scenario): Promise<Recording> {
  const { bench, account: env } = world
  for (const words of scenario.before ?? []) await runPlainly(bench, words, { env })
  if (scenario.hasDoubt === true) {
    world.treatWritesAs = 'answer-lost'
    await runPlainly(bench, `${REFUND} --max-retries 0`, { env, exitCode: 10 })
  }
  world.treatWritesAs = scenario.write
  if (scenario.write === 'no-server') await world.stopServer()
  const id = scenario.hasDoubt === true ? (ours(await listed(world))[0]?.id ?? '') : ''
  const words = typeof scenario.words === 'string' ? scenario.words : scenario.words(id)
  const recording =
    scenario.killedAfter === undefined
      ? await record(bench, words, { env })
      : await continued(bench, [REFUND, words], {
          env,
          killedAfter: scenario.killedAfter,
          onKill: (sent) => world.rollBack(writesIn(sent)),
        })
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
  expect(before.filter(isOpen).length).toBeLessThanOrEqual(1)
  if (effects > (scenario.before ?? []).length || scenario.hasDoubt === true)
    expect(before, 'a request that was sent is in the ledger').not.toEqual([])
  if (cut.exitCode !== undefined || cut.stdout !== '' || cut.stderr !== '') {
    if (scenario.mayLeaveNone !== true) expect(before).not.toEqual([])
    for (const { state } of before) expect(scenario.states, 'as it was reported').toContain(state)
  }

  const options = { env: account, service: (request: HttpRequest) => service.handle(request) }
  const resolved = await bench.runPay('ops resolve --all --json', options)
  expect(resolved.exitCode, resolved.stderr).toBe(0)
  const after = ours(await listed(world))
  expect(after.filter(isOpen)).toEqual([])
  const refunds = refundsAt(service)
  if (!after.some(({ state }) => state === 'abandoned'))
    expect(refunds, 'performed exactly as often as the ledger says').toBe(
      after.filter(({ state }) => state === 'confirmed').length,
    )
  expect(refunds).toBeLessThanOrEqual(1)
  const next = await bench.runPay('payment refund pay-1 --amount 7 --json', options)
  expect(next.exitCode, next.stderr).toBe(0)
}

const refundsAt = ({ payment }: SimulatedService): number =>
  transactions.parse(payment['transactions']).filter(({ amount }) => amount === AMOUNT).length

export async function expectAllKept(
  world: World,
  scenario: Scenario,
  recording: Recording,
  cuts: readonly Cut[],
): Promise<void> {
  const earlier = world.done.length - writesIn(sentIn(recording.operations))
  for (const cut of cuts) {
    const most = scenario.write === 'refused' ? 0 : earlier + writesIn(cut.sent)
    // A request without a response may not have arrived.
    for (const effects of cut.isAnswered || most === earlier ? [most] : [most, most - 1])
      await expectKept(world, scenario, cut, effects).catch((error: unknown) => {
        throw new Error(`a power cut ${cut.at}`, { cause: error })
      })
  }
}

/** Of the named scenarios, or of all, the cuts that are selected. */
export function describePowerCuts(
  select: (cuts: readonly Cut[]) => readonly Cut[],
  names: readonly string[] = SCENARIOS.map(({ says }) => says),
): void {
  describe.skipIf(!canTrace)(
    'after a power cut at any moment, what was sent and what was reported is in the ledger',
    () => {
      test.each(names)(
        '%s',
        async (name) => {
          const scenario = scenarioNamed(name)
          const world = await createWorld()
          const recording = await recorded(world, scenario)
          await expectAllKept(world, scenario, recording, select(cutsOf(recording)))
        },
        TIMEOUT_MS,
      )
    },
  )
}
