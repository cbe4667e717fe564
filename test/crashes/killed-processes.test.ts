import { expect, test } from 'vitest'
import type { Moment } from './relay.ts'
import { expectKeysUsedOnce, expectSameSums, expectTrueWords, resolveAll } from './checks.ts'
import type { Told, Verb } from './checks.ts'
import { createWorld, makePayment, makeSettledPayment } from './world.ts'
import type { Death, World } from './world.ts'

/** Real processes, real signals: what they meet is different each time, what they are told to do is not. */
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 1)
const SEED = Number(process.env['CRASH_SEED'] ?? 1)
const COMMANDS = 20

const MOMENTS: readonly Moment[] = ['arrived', 'answered', 'told']

function deathOf(random: () => number, amount: number): Death {
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
  readonly death: Death
}

/** Two to four at once, on the same payments and on different ones; between them somebody clears up, and is killed as well. */
async function runCommands(world: World, commands: readonly Command[]): Promise<readonly Told[]> {
  const told: Told[] = []
  const clearUp = async () => {
    const isKilled = world.random() < 0.5
    const death = isKilled ? { afterMs: Math.floor(world.random() * 500) } : undefined
    const { exitCode, stderr } = await world.pay('ops resolve --all', death)
    expect([0, 10, null], stderr).toContain(exitCode)
  }
  const waiting = [...commands]
  const hands = 2 + Math.floor(world.random() * 3)
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { verb, id, amount } = next
      const { exitCode, stderr } = await world.pay(next.words, next.death)
      told.push({ verb, id, amount, exitCode, stderr })
      if (exitCode !== 0 && world.random() < 0.6) await clearUp()
    }
  }
  await Promise.all(Array.from({ length: hands }, work))
  return told
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
    return { verb, id, amount, words, death: deathOf(random, amount) }
  })
}

test.each(Array.from({ length: ROUNDS }, (_, round) => SEED + round))(
  'processes that are killed at any instant: what happened is known, and happened once (seed %i)',
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
    const told = [...(await runCommands(world, planned(world, refundable, capturable)))]
    const records = await resolveAll(world)
    await expectSameSums(world, records, [...refundable, ...capturable])
    await expectKeysUsedOnce(world)
    await expectTrueWords(world, told, records)
    // Every target is free again.
    for (const id of refundable) {
      const { exitCode, stderr } = await world.pay(`payment refund ${id} --amount 1 --json`)
      expect([0, 10], stderr).toContain(exitCode)
    }
  },
  120_000,
)
