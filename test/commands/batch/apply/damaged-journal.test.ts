import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { planRow } from '../../../support/batch-plan.ts'
import { errorOf, writesOf } from '../../../support/run-result.ts'
import { createBatchBench } from './bench.ts'
import type { BatchBench } from './bench.ts'

let bench: BatchBench
let ids: string[]

/** A run of three rows in which the first was done, the second was in doubt and the third was skipped. */
beforeEach(async () => {
  bench = createBatchBench()
  ids = [await bench.paid(), await bench.paid(), await bench.paid()]
  bench.plan(ids.map((id, index) => planRow(index + 1, id)))
  await bench.refund(ids[2] ?? '', '--amount 100')
  await bench.runPay([
    'sandbox',
    'faults',
    'add',
    '--on',
    `POST /payments/${ids[1]}/refund`,
    '--do',
    'drop-before',
    '--times',
    '1',
  ])
  expect((await bench.apply('--max-retries 0')).summary).toMatchObject({ done: 1, unknown: 1, skipped: 1 })
})
afterEach(() => bench.dispose())

const path = () => join(bench.stateFolder, 'batches', 'plan-00000001.journal')
const refunded = async () => Promise.all(ids.map(async (id) => (await bench.payment(id)).refunded))

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

test('a line that says done of a row that the ledger does not know refuses the run', async () => {
  appendFileSync(path(), '{"type":"row","row":3,"outcome":"done"}\n')

  await expectRefused('has row 3 as done, and the ledger does not')
})

test('a changed row number refuses the run', async () => {
  writeFileSync(path(), readFileSync(path(), 'utf8').replace('"row":1,', '"row":5,'))

  await expectRefused('has row 5, which is not a ready row of the plan')
})

test('an unknown line refuses the run', async () => {
  appendFileSync(path(), '{"type":"mark"}\n')

  await expectRefused('has an unknown line')
})

test('--restart rebuilds the run from the ledger', async () => {
  writeFileSync(path(), '{"type":"row","row":2,"outcome":"done"}\n')
  const r = await bench.apply('--restart')

  expect(r.summary).toMatchObject({ done: 2, skipped: 1 })
  expect(writesOf(r)).toHaveLength(1)
  expect(await refunded()).toEqual([500, 500, 100])
})

test('a journal that is lost changes nothing about what is done', async () => {
  writeFileSync(path(), '')

  expect((await bench.apply()).summary).toMatchObject({ done: 2, skipped: 1 })
  expect(await refunded()).toEqual([500, 500, 100])
})

test('batch list leaves a damaged run out, and says so', async () => {
  appendFileSync(path(), '{"type":"mark"}\n')
  const r = await bench.runPay('batch list --json')

  expect(r).toMatchObject({ exitCode: 0, stdout: '[]\n' })
  expect(r.stderr).toContain('Left out: What this run remembers is damaged')
})

test('with any one byte changed, every row that is reported done was done, and none is done twice', async () => {
  const whole = readFileSync(path())
  for (let at = 0; at < whole.length; at += 9)
    // Other characters break the line.
    for (const byte of ['9', '1', '\n']) {
      const changed = Buffer.from(whole)
      changed.write(byte, at)
      writeFileSync(path(), changed)
      const r = await bench.apply()
      const amounts = await refunded()
      expect([amounts[0], amounts[2]]).toEqual([500, 100])
      if (r.exitCode !== 6)
        expect(r.summary?.done, `${byte} at ${at}`).toBe(amounts.filter((amount) => amount === 500).length)
    }

  expect((await bench.apply('--restart')).summary).toMatchObject({ done: 2, skipped: 1 })
  expect(await refunded()).toEqual([500, 500, 100])
})
