import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  begunPlans,
  isBegun,
  openJournal,
  readProgress,
  readResults,
} from '../../../src/batch/apply/journal.ts'
import { loadSqlite } from '../../../src/store/sqlite.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pay-journal-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const BEGUN = {
  planId: 'plan-00000001',
  plan: '/tmp/refunds.plan.ndjson',
  operation: 'refund',
  createdAt: '2026-03-01T12:00:00.000Z',
  ready: 4,
} as const
const path = () => join(folder, 'plan-00000001.db')

test('a plan is begun once its journal is open, in a file for its owner only', () => {
  expect(isBegun(folder, BEGUN.planId)).toBe(false)
  openJournal(folder, BEGUN).close()

  expect(isBegun(folder, BEGUN.planId)).toBe(true)
  expect(begunPlans(folder)).toEqual([BEGUN.planId])
  expect(statSync(path()).mode & 0o777).toBe(0o600)
})

test('keeps the latest outcome of each row', () => {
  const first = openJournal(folder, BEGUN)
  first.note(1, { outcome: 'done' })
  first.note(2, { outcome: 'failed', errorId: 'PaymentError', message: 'no' })
  first.note(3, { outcome: 'skipped', message: 'changed' })
  first.close()
  const second = openJournal(folder, BEGUN)
  expect(readResults(folder, BEGUN).get(2)).toEqual({
    outcome: 'failed',
    errorId: 'PaymentError',
    message: 'no',
  })
  second.note(2, { outcome: 'done' })
  second.close()

  expect([...readResults(folder, BEGUN)].map(([row, { outcome }]) => [row, outcome])).toEqual([
    [1, 'done'],
    [2, 'done'],
    [3, 'skipped'],
  ])
  expect(readProgress(folder, BEGUN.planId)).toEqual({
    ...BEGUN,
    done: 2,
    skipped: 1,
    failed: 0,
    unknown: 0,
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
  ['another message', `UPDATE rows SET message = 'x'`],
  ['another plan', `UPDATE begun SET plan = replace(plan, '00000001', '00000002')`],
  ['another version', 'PRAGMA user_version = 9'],
  ['no table', 'DROP TABLE rows'],
])('refuses a file with %s', (_, sql) => {
  const journal = openJournal(folder, BEGUN)
  journal.note(1, { outcome: 'done' })
  journal.close()
  inFile(sql)

  expect(() => readResults(folder, BEGUN)).toThrow(
    expect.objectContaining({ code: 'run_damaged', exitCode: 6, message: expect.stringContaining(path()) }),
  )
})

test.each([
  ['number of rows', { ...BEGUN, ready: 5 }],
  ['time', { ...BEGUN, createdAt: '2026-03-01T12:00:00.001Z' }],
])('refuses the file of a plan with another %s', (_, begun) => {
  openJournal(folder, begun).close()
  expect(() => readResults(folder, BEGUN)).toThrow(/belongs to another plan/)
})

test('an empty file, as a crash may leave it, is a plan that was not begun', () => {
  writeFileSync(path(), '')
  expect(readResults(folder, BEGUN).size).toBe(0)
  expect(readProgress(folder, BEGUN.planId)).toBeUndefined()
})

test('forgets what earlier runs have noted when it is restarted', () => {
  const first = openJournal(folder, BEGUN)
  first.note(1, { outcome: 'skipped' })
  first.close()
  openJournal(folder, BEGUN, { isRestarted: true }).close()

  expect(readResults(folder, BEGUN).size).toBe(0)
  expect(isBegun(folder, BEGUN.planId)).toBe(true)
})

test('knows nothing of a plan that was never begun', () => {
  expect(readProgress(folder, 'plan-00000009')).toBeUndefined()
  expect(readResults(folder, { ...BEGUN, planId: 'plan-00000009' }).size).toBe(0)
  expect(begunPlans(join(folder, 'missing'))).toEqual([])
})
