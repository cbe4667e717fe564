import { runHistory } from './history.ts'
import { openService } from './service.ts'

const [from = '1', histories = '100', quiet = ''] = process.argv.slice(2)
const service = openService()
const counts = new Map<string, number>()
const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1)
const started = performance.now()
let bad = 0
const sentences = new Map<string, number[]>()
for (let seed = Number(from); seed < Number(from) + Number(histories); seed += 1) {
  try {
    await runHistory({ seed, service, count })
  } catch (error) {
    bad += 1
    const key = error instanceof Error && 'sentence' in error ? String(error.sentence) : String(error)
    sentences.set(key, [...(sentences.get(key) ?? []), seed])
    if (quiet === '') {
      await runHistory({ seed, service, count, onLine: (line) => process.stdout.write(`${line}\n`) }).catch(
        () => undefined,
      )
      process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`)
      break
    }
  }
}
for (const [key, seeds] of sentences)
  process.stdout.write(`${seeds.length} ${key} ${seeds.slice(0, 8).join()}\n`)
process.stdout.write(
  `${bad} bad; ${Math.round(performance.now() - started)} ms ${JSON.stringify(Object.fromEntries(counts))}\n`,
)
