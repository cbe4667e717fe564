import { expect } from 'vitest'
import { runBatchHistory } from './batches/batch-history.ts'
import { runHistory } from './history.ts'
import { openService } from './service.ts'

/** Runs histories one after the other, and fails with the trace of the first that breaks a promise. */

type Count = (what: string) => void

const service = openService()

export const seedsFrom = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => first + index)

/** The trace of a history, and how it ended. */
export async function traceOf(seed: number): Promise<readonly string[]> {
  const lines: string[] = []
  await runHistory({ seed, service, count: () => undefined, onLine: (line) => lines.push(line) }).catch(
    (error: unknown) => lines.push(messageOf(error)),
  )
  return [...lines, `Replay: npm run simulate -- --seed ${seed}`]
}

export async function expectHistories(
  seeds: readonly number[],
  count: Count = () => undefined,
): Promise<void> {
  for (const seed of seeds) {
    const holds = await runHistory({ seed, service, count }).then(
      () => true,
      () => false,
    )
    if (!holds) expect.fail((await traceOf(seed)).join('\n'))
  }
}

export async function expectBatchHistories(
  seeds: readonly number[],
  count: Count = () => undefined,
): Promise<void> {
  for (const seed of seeds) {
    const lines: string[] = []
    await runBatchHistory({ seed, service, count, onLine: (line) => lines.push(line) }).catch(
      (error: unknown) =>
        expect.fail(
          [...lines, messageOf(error), `Replay: npm run simulate -- --batches --seed ${seed}`].join('\n'),
        ),
    )
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
