import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { checksumOf } from '../../../../src/rows/keep/run-database.ts'
import { loadSqlite } from '../../../../src/store/sqlite.ts'
import type { SqlInput } from '../../../../src/store/sqlite.ts'
import { planRow } from '../../../support/batch-plan.ts'
import { errorOf, writesOf } from '../../../support/run-result.ts'
import { useApplyBench } from './bench.ts'

const bench = useApplyBench()
let ids: string[]

/** A run of three rows in which the first was done, the second was in doubt and the third was skipped. */
beforeEach(async () => {
  ids = [await bench.paid(), await bench.paid(), await bench.paid()]
  bench.plan(ids.map((id, index) => planRow(index + 1, id)))
  await bench.refund(ids[2] ?? '', '--amount 100')
  await bench.runPay(`sandbox faults add --on 'POST /payments/${ids[1]}/refund' --do drop-before --times 1`)
  expect((await bench.apply('--max-retries 0')).summary).toMatchObject({ done: 1, unknown: 1, skipped: 1 })
})

const path = () => join(bench.stateFolder, 'batches', 'plan-00000001.db')
const refunded = async () => Promise.all(ids.map(async (id) => (await bench.payment(id)).refunded))

/** Replaces the file, and the log beside it. */
function spoil(content: string | Buffer): void {
  for (const suffix of ['-wal', '-shm', '']) rmSync(path() + suffix, { force: true })
  writeFileSync(path(), content)
}

/** Writes a row as a run does. */
function noteRow(row: number, outcome: string): void {
  const [planned, result] = [{ row, paymentId: ids[2] }, { outcome }].map((value) => JSON.stringify(value))
  const values = [row, ids[2] ?? '', planned ?? '', outcome, result ?? ''] as const
  const checksum = checksumOf(JSON.stringify([row, planned, outcome, result]))
  inFile('INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?, ?, ?)', [...values, checksum])
}

function inFile(sql: string, values: SqlInput = []): void {
  const connection = loadSqlite()(path())
  connection.prepare(sql).run(...values)
  connection.close()
}

async function expectRefused(why: string) {
  const before = await refunded()
  const r = await bench.apply()

  expect(r).toMatchObject({ exitCode: 6, stdout: '' })
  expect(writesOf(r)).toEqual([])
  expect(errorOf(r)).toMatchObject({ code: 'run_damaged', outcome: 'none' })
  expect(errorOf(r).message).toContain(path())
  expect(errorOf(r).message).toContain(why)
  expect(await refunded()).toEqual(before)
}

test('a row that is said to be done, of which the ledger does not know, refuses the run', async () => {
  noteRow(3, 'done')
  await expectRefused('has row 3 as done, and the ledger does not')
})

test('a row that the plan does not have refuses the run', async () => {
  noteRow(5, 'skipped')
  await expectRefused('has row 5, which is not a ready row of the plan')
})

test('a changed row number refuses the run', async () => {
  inFile('UPDATE rows SET row = 5 WHERE row = 3')
  await expectRefused('is not what was written about row 5')
})

test('a file that is no database refuses the run', async () => {
  spoil('no database'.repeat(1000))
  await expectRefused('is not what was written')
})

test('--restart rebuilds the run from the ledger', async () => {
  spoil('no database'.repeat(1000))
  const r = await bench.apply('--restart')
  expect(r.summary).toMatchObject({ done: 2, skipped: 1 })
  expect(writesOf(r)).toHaveLength(1)
  expect(await refunded()).toEqual([500, 500, 100])
})

test('a run that is lost changes nothing about what is done', async () => {
  spoil('')
  expect((await bench.apply()).summary).toMatchObject({ done: 2, skipped: 1 })
  expect(await refunded()).toEqual([500, 500, 100])
})

test('batch list leaves a damaged run out, and says so', async () => {
  spoil('no database'.repeat(1000))
  const r = await bench.runPay('batch list --json')
  expect(r).toMatchObject({ exitCode: 0, stdout: '[]\n' })
  expect(r.stderr).toContain('Left out: What this run remembers is damaged')
})

test('with any one byte changed, every row that is reported done was done, and none is done twice', async () => {
  const whole = readFileSync(path())
  // Most of the file is empty.
  const used = [...whole.keys()].filter((at) => whole[at] !== 0)
  // Each run changes other bytes, and the versions of SQLite that may write and read the file.
  const indices = [used.indexOf(18), used.indexOf(19)]
  for (let index = Math.floor(Math.random() * 97); index < used.length; index += 97) indices.push(index)
  for (const index of indices)
    for (const byte of [0x00, 0x31, 0xff]) {
      const changed = Buffer.from(whole)
      const at = used[index] ?? 0
      changed[at] = byte
      spoil(changed)
      const r = await bench.apply()
      const amounts = await refunded()
      expect([amounts[0], amounts[2]]).toEqual([500, 100])
      if (r.exitCode !== 6)
        expect(r.summary?.done, `${byte} at ${at}`).toBe(amounts.filter((amount) => amount === 500).length)
    }

  expect((await bench.apply('--restart')).summary).toMatchObject({ done: 2, skipped: 1 })
  expect(await refunded()).toEqual([500, 500, 100])
})
