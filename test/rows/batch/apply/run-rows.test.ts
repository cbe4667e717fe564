import { fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { begunPlans, isBegun, openRunRows, readProgress } from '../../../../src/rows/batch/apply/run-rows.ts'
import type { ReadyRow } from '../../../../src/rows/batch/apply/ready-row.ts'
import { loadSqlite } from '../../../../src/store/sqlite.ts'
import { useFolder } from '../../../support/folder.ts'

const folder = useFolder()

const BEGUN = {
  planId: 'plan-00000001',
  plan: '/tmp/refunds.plan.ndjson',
  operation: 'refund',
  createdAt: '2026-03-01T12:00:00.000Z',
  ready: 4,
} as const
const path = () => join(folder(), 'plan-00000001.db')

const row = (number: number): ReadyRow => ({
  row: number,
  line: number + 1,
  paymentId: `p${number % 2}`,
  amount: 100,
  currencyCode: 'EUR',
  figures: { status: 'SETTLED', amount: 1_000, amountCaptured: 1_000, amountRefunded: 0 },
})

test('a plan is begun once its run is open, in a file for its owner only', () => {
  expect(isBegun(folder(), BEGUN.planId)).toBe(false)
  openRunRows(folder(), BEGUN).close()
  expect(isBegun(folder(), BEGUN.planId)).toBe(true)
  expect(begunPlans(folder())).toEqual([BEGUN.planId])
  expect(statSync(path()).mode & 0o777).toBe(0o600)
})

test('keeps the latest outcome of each row', () => {
  const failed = { outcome: 'failed', errorId: 'PaymentError', message: 'no' } as const
  const first = openRunRows(folder(), BEGUN)
  first.note(row(1), { outcome: 'done' })
  first.note(row(2), failed)
  first.note(row(3), { outcome: 'skipped', message: 'changed' })
  first.note(row(4), undefined)
  first.close()
  const second = openRunRows(folder(), BEGUN)
  expect(second.resultOf(2)).toEqual(failed)
  expect(second.problems(1)).toEqual([{ row: row(2), result: failed }])
  second.note(row(2), { outcome: 'done' })

  expect(second.between(1, 4).map(({ row: { row: number }, result }) => [number, result?.outcome])).toEqual([
    [2, 'done'],
    [3, 'skipped'],
    [4, undefined],
  ])
  expect(second.ofPayment('p0').map((one) => one.row)).toEqual([row(2), row(4)])
  second.close()
  expect(readProgress(folder(), BEGUN.planId)).toEqual({
    ...BEGUN,
    done: 2,
    skipped: 1,
    failed: 0,
    unknown: 0,
    totals: [{ currencyCode: 'EUR', count: 2, amount: 200 }],
  })
})

const inFile = (sql: string): void => {
  const connection = loadSqlite()(path())
  connection.exec(sql)
  connection.close()
}

test.each([
  ['an unknown outcome', `UPDATE rows SET outcome = 'did'`],
  ['another outcome', `UPDATE rows SET outcome = 'skipped'`],
  ['another row', 'UPDATE rows SET row = 2'],
  ['another amount', `UPDATE rows SET planned = replace(planned, '100', '900')`],
  ['another message', `UPDATE rows SET result = '{"outcome":"done","message":"x"}'`],
  ['another plan', `UPDATE begun SET plan = replace(plan, '00000001', '00000002')`],
  ['an earlier version', 'PRAGMA user_version = 1'],
  ['a later version', 'PRAGMA user_version = 9'],
  ['no table', 'DROP TABLE rows'],
])('refuses a file with %s', (_, sql) => {
  const run = openRunRows(folder(), BEGUN)
  run.note(row(1), { outcome: 'done' })
  run.close()
  inFile(sql)
  expect(() => readProgress(folder(), BEGUN.planId)).toThrow(
    expect.objectContaining({ code: 'run_damaged', exitCode: 6, message: expect.stringContaining(path()) }),
  )
})

test.each([
  ['number of rows', { ...BEGUN, ready: 5 }],
  ['time', { ...BEGUN, createdAt: '2026-03-01T12:00:00.001Z' }],
])('refuses the file of a plan with another %s', (_, begun) => {
  openRunRows(folder(), begun).close()
  expect(() => readProgress(folder(), BEGUN.planId, BEGUN)).toThrow(/belongs to another plan/)
  expect(() => openRunRows(folder(), BEGUN)).toThrow(/belongs to another plan/)
})

test('an empty file, as a crash may leave it, is a plan that was not begun', () => {
  writeFileSync(path(), '')
  expect(readProgress(folder(), BEGUN.planId)).toBeUndefined()
})

test('reading the progress leaves it to the run to create the tables', () => {
  writeFileSync(path(), '')
  readProgress(folder(), BEGUN.planId)
  expect(statSync(path()).size).toBe(0)
})

/** Another process, which lets the file go after a while. */
async function lockedForAWhile(): Promise<void> {
  const holder = fork(new URL('../../keep/lock-holder.mjs', import.meta.url), [path(), '100'])
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder, 'message')
}

test('a run waits for a process that has its file locked', async () => {
  const run = openRunRows(folder(), BEGUN)
  await lockedForAWhile()
  run.note(row(1), { outcome: 'done' })
  run.close()
  expect(readProgress(folder(), BEGUN.planId)).toMatchObject({ done: 1 })
})

test('those who read a run wait for a process that has its file locked', async () => {
  const earlier = mkdtempSync(join(folder(), 'earlier-'))
  openRunRows(earlier, BEGUN).close()
  // SQLite may keep the other one open for a while.
  copyFileSync(join(earlier, 'plan-00000001.db'), path())
  // Then a transaction keeps readers out too, as the recovery of a log does.
  inFile('PRAGMA journal_mode = DELETE')
  await lockedForAWhile()
  expect(readProgress(folder(), BEGUN.planId)).toMatchObject({ done: 0 })
})

test('forgets what earlier runs have noted when it is restarted', () => {
  const first = openRunRows(folder(), BEGUN)
  first.note(row(1), { outcome: 'skipped' })
  first.close()
  openRunRows(folder(), BEGUN, { isRestarted: true }).close()
  expect(readProgress(folder(), BEGUN.planId)).toMatchObject({ ...BEGUN, skipped: 0 })
})

test('knows nothing of a plan that was never begun', () => {
  expect(readProgress(folder(), 'plan-00000009')).toBeUndefined()
  expect(begunPlans(join(folder(), 'missing'))).toEqual([])
})
