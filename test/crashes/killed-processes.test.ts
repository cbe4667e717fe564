import { expect, test } from 'vitest'
import type { Moment } from './relay.ts'
import { expectKeysUsedOnce, expectLedgerMatchesService, expectTrueReports, resolveAll } from './checks.ts'
import type { CommandResult, Verb } from './checks.ts'
import { createWorld, makePayment, makeSettledPayment } from './world.ts'
import type { Kill, World } from './world.ts'

/**
 * Kills real processes. The seed decides the commands, kills and faults; when a kill hits depends on the machine.
 * `CRASH_ROUNDS=50 CRASH_SEED=7 npx vitest run test/crashes` runs more.
 */
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 1)
const SEED = Number(process.env['CRASH_SEED'] ?? 1)
const COMMANDS = 12

const MOMENTS: readonly Moment[] = ['arrived', 'handled', 'responded']

function drawKill(random: () => number, amount: number): Kill {
  const chance = random()
  if (chance < 0.3) return undefined
  if (chance < 0.6) return { afterMs: Math.floor(random() * 400) }
  const moment = MOMENTS[Math.floor(random() * MOMENTS.length)] ?? 'arrived'
  return { at: moment, marker: `"amount":${amount}` }
}

interface Command {
  readonly verb: Verb
  readonly id: string
  readonly amount: number
  readonly words: string
  readonly kill: Kill
}

/** Runs two to four commands at a time on a few payments. In between `ops resolve` runs, and may be killed too. */
async function runCommands(world: World, commands: readonly Command[]): Promise<readonly CommandResult[]> {
  const results: CommandResult[] = []
  const resolve = async () => {
    const isKilled = world.random() < 0.5
    const kill = isKilled ? { afterMs: Math.floor(world.random() * 500) } : undefined
    const { exitCode, stderr } = await world.pay('ops resolve --all', kill)
    expect([0, 10, null], stderr).toContain(exitCode)
  }
  const waiting = [...commands]
  const workers = 2 + Math.floor(world.random() * 3)
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { verb, id, amount } = next
      const { exitCode, stderr } = await world.pay(next.words, next.kill)
      results.push({ verb, id, amount, exitCode, stderr })
      if (exitCode !== 0 && world.random() < 0.6) await resolve()
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  return results
}

function planned(
  { random }: World,
  refundable: readonly string[],
  capturable: readonly string[],
): readonly Command[] {
  return Array.from({ length: COMMANDS }, (_, index) => {
    const amount = 10_001 + index * 13
    const isCapture = random() < 0.25
    const ids = isCapture ? capturable : refundable
    const id = ids[Math.floor(random() * ids.length)] ?? ''
    const verb = isCapture ? 'capture' : 'refund'
    const retries = random() < 0.5 ? ' --max-retries 0' : ''
    const words = `payment ${verb} ${id} --amount ${amount} --json${isCapture ? ' --no-final' : ''}${retries}`
    return { verb, id, amount, words, kill: drawKill(random, amount) }
  })
}

test.each(Array.from({ length: ROUNDS }, (_, round) => SEED + round))(
  'commands killed at any moment take effect once or not at all, and the ledger knows which (seed %i)',
  async (seed) => {
    const world = await createWorld(seed)
    const refundable = await Promise.all(['A', 'B', 'C'].map((order) => makeSettledPayment(world, order)))
    const capturable = await Promise.all(['D', 'E'].map((order) => makePayment(world, order)))
    for (const verb of ['refund', 'capture'])
      await world.control('POST', 'faults', {
        on: `POST /payments/*/${verb}`,
        do: 'drop-after',
        rate: 0.4,
        seed,
        times: 100_000,
      })
    const results = [...(await runCommands(world, planned(world, refundable, capturable)))]
    const records = await resolveAll(world)
    await expectLedgerMatchesService(world, records, [...refundable, ...capturable])
    await expectKeysUsedOnce(world)
    await expectTrueReports(world, results, records)
    // No payment is blocked.
    for (const id of refundable) {
      const { exitCode, stderr } = await world.pay(`payment refund ${id} --amount 1 --json`)
      expect([0, 10], stderr).toContain(exitCode)
    }
  },
  120_000,
)
