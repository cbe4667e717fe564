import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PayError } from '../../../src/errors.ts'
import { ledgerPath } from '../../../src/client/ledger/ledger-file.ts'
import { loadSqlite } from '../../../src/store/sqlite.ts'
import { seededRandom } from '../../sandbox/service.ts'
import { AGAIN, DONE, ONCE, UNKNOWN, createLedgerBench, refundOf } from './ledger-bench.ts'
import type { LedgerBench } from './ledger-bench.ts'

/** `PAY_DAMAGE_RUNS=10000 PAY_DAMAGE_SEED=1 npm run test:deep -- test/client/ledger/random-damage` runs many more. */
const RUNS = Number(process.env['PAY_DAMAGE_RUNS'] ?? 500)
const SEED = Number(process.env['PAY_DAMAGE_SEED'] ?? 1)

/** Changed bits or bytes, zeros, a page of another place, or a missing end. */
function damaged(bytes: Buffer, random: () => number): Buffer {
  const below = (limit: number) => Math.floor(random() * limit)
  const changed = Buffer.from(bytes)
  const kind = below(8)
  if (kind < 4) {
    for (let left = 1 + below(4); left > 0; left -= 1) {
      const index = below(bytes.length)
      changed[index] = kind < 2 ? (changed[index] ?? 0) ^ (1 << below(8)) : below(256)
    }
    return changed
  }
  if (kind === 4) return changed.fill(0, below(bytes.length), bytes.length)
  if (kind === 5) {
    const [from, to] = [below(bytes.length / 512) * 512, below(bytes.length / 512) * 512]
    bytes.copy(changed, to, from, from + 512)
    return changed
  }
  if (kind === 6) {
    // What is read as before, and says something else, is the most dangerous.
    const words = [...bytes.toString('latin1').matchAll(/sending|in-doubt|op-\d+|account-1|"p\d+"/g)]
    const word = words[below(words.length)]
    if (word !== undefined) changed[word.index + below(word[0].length)] = 97 + below(26)
    return changed
  }
  return changed.subarray(0, 1 + below(bytes.length - 1))
}

/** Several ended writes, and three open ones on p1, p2 and p3. */
async function filled(): Promise<LedgerBench> {
  const bench = createLedgerBench()
  for (let count = 1; count <= 20; count += 1) {
    const intent = await bench.process().ledger.begin(refundOf(`p${count % 7}`), AGAIN)
    await intent.settle(count % 2 === 0 ? DONE : { state: 'rejected', exitCode: 3 })
  }
  for (const name of ['p1', 'p2', 'p3'])
    await (await bench.process().ledger.begin(refundOf(name), AGAIN)).settle(UNKNOWN)
  return bench
}

/** Leaves a transaction half written, as a crash does: the journal then holds what undoes it. */
function crashMidway(path: string): void {
  const connection = loadSqlite()(path)
  connection.exec(
    'PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = OFF; PRAGMA cache_size = 1; PRAGMA cache_spill = 1',
  )
  connection.exec("BEGIN IMMEDIATE; UPDATE writes SET updated_at = updated_at + 1, record = record || ' '")
  const [database, journal] = [readFileSync(path), readFileSync(`${path}-journal`)]
  connection.exec('ROLLBACK')
  connection.close()
  writeFileSync(path, database)
  writeFileSync(`${path}-journal`, journal)
}

test(`no damage lets a write begin that an open one blocks (${RUNS} runs from seed ${SEED})`, async () => {
  const bench = await filled()
  const path = ledgerPath(bench.folder)
  const whole = readFileSync(path)
  crashMidway(path)
  const halfDone = { database: readFileSync(path), journal: readFileSync(`${path}-journal`) }
  expect(halfDone.journal.length).toBeGreaterThan(1000)
  let refused = 0
  let damagedJournals = 0
  for (let run = 0; run < RUNS; run += 1) {
    const random = seededRandom(SEED + run)
    const where = Math.floor(random() * 3)
    writeFileSync(
      path,
      where === 0
        ? damaged(whole, random)
        : where === 1
          ? damaged(halfDone.database, random)
          : halfDone.database,
    )
    writeFileSync(
      `${path}-journal`,
      where === 0 ? '' : where === 1 ? halfDone.journal : damaged(halfDone.journal, random),
    )
    if (where === 2) damagedJournals += 1
    for (const name of ['p1', 'p2', 'p3']) {
      const begun = await bench
        .process()
        .ledger.begin({ ...refundOf(name), fingerprint: 'another' }, ONCE)
        .then(
          () => true,
          (error: unknown) => {
            if (!(error instanceof PayError)) throw new Error(`seed ${SEED + run}`, { cause: error })
            expect([2, 6], `seed ${SEED + run}: ${error.message}`).toContain(error.exitCode)
            return false
          },
        )
      expect(begun, `seed ${SEED + run}, ${name}`).toBe(false)
      refused += 1
    }
    await bench
      .process()
      .ledger.list({})
      .catch((error: unknown) => expect(error).toBeInstanceOf(PayError))
  }
  expect(refused).toBe(3 * RUNS)
  expect(damagedJournals).toBeGreaterThan(RUNS / 5)
}, 3_600_000)
