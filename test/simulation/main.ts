import { runBatchHistory } from './batches/batch-history.ts'
import { runHistory } from './history.ts'
import { InvariantViolation } from './invariant-violation.ts'
import { openService } from './service.ts'

/**
 * Run by `scripts/simulate.mjs`: `trace SEED`, or `run FROM STEP COUNT [keep-going]`, else up to the first failure.
 * SIMULATE=batches runs histories of batches.
 */
const [mode, from = '1', step = '1', count = '1', end = 'stop'] = process.argv.slice(2)
const isOfBatches = process.env['SIMULATE'] === 'batches'
const runOne = isOfBatches ? runBatchHistory : runHistory
const service = openService()
process.exitCode = mode === 'trace' ? await printTrace(Number(from)) : await run(Number(from))

async function printTrace(seed: number): Promise<number> {
  const onLine = (line: string) => process.stdout.write(`${line}\n`)
  try {
    await runOne({ seed, service, count: () => undefined, onLine })
  } catch (error) {
    const { invariant, evidence } = violationOf(error)
    onLine(
      `\n${invariant}\n${evidence}\nReplay: npm run simulate -- ${isOfBatches ? '--batches ' : ''}--seed ${seed}`,
    )
    return 1
  }
  onLine('\nEvery invariant holds.')
  return 0
}

async function run(start: number): Promise<number> {
  // Stack traces of expected errors take time, and a failing history is run again with all of them.
  Error.stackTraceLimit = 0
  const counts: Record<string, number> = {}
  const failed: object[] = []
  let histories = 0
  const mostFailures = end === 'keep-going' ? Number.POSITIVE_INFINITY : 1
  while (histories < Number(count) && failed.length < mostFailures) {
    const seed = start + histories * Number(step)
    histories += 1
    await runOne({
      seed,
      service,
      count: (name) => {
        counts[name] = (counts[name] ?? 0) + 1
      },
    }).catch((error: unknown) => {
      failed.push({ seed, ...violationOf(error) })
    })
  }
  process.stdout.write(JSON.stringify({ histories, counts, failed }))
  return 0
}

/** Any other error is a bug of the program or of the simulation. */
function violationOf(error: unknown): Pick<InvariantViolation, 'invariant' | 'evidence'> {
  if (error instanceof InvariantViolation) return { invariant: error.invariant, evidence: error.evidence }
  return {
    invariant: 'No unexpected error is thrown.',
    evidence: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }
}
