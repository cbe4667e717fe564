import { describe, test } from 'vitest'
import type { TestContext } from 'vitest'
import { startSandbox } from '../../src/sandbox/library.ts'
import { hasPostgres, teamDatabase } from '../client/ledger/team/postgres.ts'
import { canStepClocks, KILLS, playRound } from './late-round.ts'
import type { RoundPlan, RoundResult } from './late-round.ts'

/**
 * Processes are killed while a slow service still holds their write. The wall clock is stepped, then others ask what became of it.
 * Nothing is done twice, and nothing that was called not done is done later.
 */
const GIVEN = process.env['LATE_ROUNDS']
const ROUNDS = Number(GIVEN ?? 6)
const SEED = Number(process.env['LATE_SEED'] ?? 1)
/** Real services take longer than a test can wait. */
const TIMES: Pick<RoundPlan, 'timeouts' | 'mostLateMs'> =
  GIVEN === undefined
    ? { timeouts: ['1s', '5s'], mostLateMs: 10_000 }
    : { timeouts: ['5s', '30s'], mostLateMs: 40_000 }
/** Rounds mostly wait. */
const AT_ONCE = 12
const TIMEOUT_MS = 7_200_000

interface Mix extends Pick<RoundPlan, 'verbs' | 'clients'> {
  readonly rounds: number
  /** Differs from that of the other tests. */
  readonly seed: number
}

describe.concurrent('a late service does nothing twice, and nothing that was called not done:', () => {
  test('killed writes of one client', { timeout: TIMEOUT_MS }, (context) =>
    playAll(context, {
      seed: SEED * 1_000_000,
      rounds: ROUNDS,
      clients: 1,
      verbs: ['refund', 'refund', 'capture', 'cancel'],
    }),
  )

  test('killed creates', { timeout: TIMEOUT_MS }, (context) =>
    playAll(context, {
      seed: SEED * 1_000_000 + 100_000,
      rounds: Math.max(3, Math.ceil(ROUNDS / 20)),
      clients: 1,
      verbs: ['create'],
    }),
  )

  test("killed writes of four clients with a team's ledger", { timeout: TIMEOUT_MS }, (context) =>
    playAll(context, {
      seed: SEED * 1_000_000 + 200_000,
      rounds: Math.ceil(ROUNDS / 2),
      clients: 4,
      verbs: ['refund', 'refund', 'capture'],
    }),
  )
})

async function playAll(
  { annotate, expect, onTestFinished, skip }: TestContext,
  { seed, rounds, clients, verbs }: Mix,
): Promise<void> {
  skip(!canStepClocks, 'needs libfaketime')
  skip(clients > 1 && !hasPostgres, 'needs PostgreSQL')
  const sandbox = await startSandbox()
  onTestFinished(() => sandbox.close())
  // The service's clock isn't this machine's.
  await sandbox.clock.advance('3h')
  const team = clients > 1 ? await teamDatabase() : undefined
  const results = await inParallel(rounds, async (number) => {
    const account = `round-${number}`
    await team?.sql(`INSERT INTO accounts VALUES ('${account}', 0, 'test')`)
    const ledger = team === undefined ? undefined : { url: team.url, account }
    // At least one write is killed for certain.
    const kills = number === 1 ? (['at-arrival'] as const) : KILLS
    return playRound(sandbox, { seed: seed + number, verbs, clients, ledger, kills, ...TIMES })
  })
  const sumOf = (name: Exclude<keyof RoundResult, 'problems'>) =>
    results.reduce((sum, result) => sum + result[name], 0)
  await annotate(
    `${rounds} rounds: ${sumOf('killed')} writes killed, ${sumOf('resent')} sent again, ${sumOf('confirmed')} confirmed, ${sumOf('rejected')} rejected`,
  )
  expect(results.flatMap(({ problems }) => problems)).toEqual([])
  expect(sumOf('killed')).toBeGreaterThan(0)
}

async function inParallel<T>(rounds: number, play: (number: number) => Promise<T>): Promise<readonly T[]> {
  const results: T[] = []
  let next = 0
  const work = async () => {
    while (next < rounds) {
      next += 1
      results.push(await play(next))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}
