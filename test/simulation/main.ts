import { runHistory } from './history.ts'
import { openService } from './service.ts'
import { Violation } from './invariant-violation.ts'

/** What `scripts/simulate.mjs` runs: `tell SEED`, or `run FROM STEP COUNT [keep-going]`, else until one fails. */
const [what, from = '1', step = '1', count = '1', end = 'stop'] = process.argv.slice(2)
const service = openService()
process.exitCode = what === 'tell' ? await tell(Number(from)) : await run(Number(from))

async function tell(seed: number): Promise<number> {
  const onLine = (line: string) => process.stdout.write(`${line}\n`)
  try {
    await runHistory({ seed, service, count: () => undefined, onLine })
  } catch (error) {
    onLine(`\n${wordsOf(error).join('\n')}\nAgain: npm run simulate -- --seed ${seed}`)
    return 1
  }
  onLine('\nEvery promise was kept.')
  return 0
}

async function run(start: number): Promise<number> {
  // Nobody reads where the many expected errors come from; a failing history is told again, with all.
  Error.stackTraceLimit = 0
  const counts: Record<string, number> = {}
  const failed: object[] = []
  let histories = 0
  const mostFailures = end === 'keep-going' ? Number.POSITIVE_INFINITY : 1
  while (histories < Number(count) && failed.length < mostFailures) {
    const seed = start + histories * Number(step)
    histories += 1
    await runHistory({
      seed,
      service,
      count: (name) => {
        counts[name] = (counts[name] ?? 0) + 1
      },
    }).catch((error: unknown) => {
      const [sentence, shownBy] = wordsOf(error)
      failed.push({ seed, sentence, shownBy })
    })
  }
  process.stdout.write(JSON.stringify({ histories, counts, failed }))
  return 0
}

/** What is no broken promise is a fault of the program, or of the simulation. */
function wordsOf(error: unknown): readonly [sentence: string, shownBy: string] {
  if (error instanceof Violation) return [error.sentence, error.shownBy]
  return [
    'Nothing throws what nobody expects.',
    error instanceof Error ? (error.stack ?? error.message) : String(error),
  ]
}
