import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
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
const path = () => join(folder, 'plan-00000001.journal')

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

test('reads past a line that a crash has cut short', () => {
  const first = openJournal(folder, BEGUN)
  first.note(1, { outcome: 'done' })
  first.close()
  appendFileSync(path(), '{"type":"row","row":2,"outc')
  const second = openJournal(folder, BEGUN)
  second.note(3, { outcome: 'done' })
  second.close()

  expect([...readResults(folder, BEGUN).keys()]).toEqual([1, 3])
  expect(readFileSync(path(), 'utf8')).not.toContain('"row":2')
})

test('reads up to what a power cut has replaced by zeros', () => {
  const first = openJournal(folder, BEGUN)
  first.note(1, { outcome: 'done' })
  first.close()
  appendFileSync(path(), `{"type":"ro${'\0'.repeat(40)}\n{"type":"row","row":3,"outcome":"done"}\n`)
  expect([...readResults(folder, BEGUN).keys()]).toEqual([1])
  const second = openJournal(folder, BEGUN)
  second.note(4, { outcome: 'done' })
  second.close()

  expect([...readResults(folder, BEGUN).keys()]).toEqual([1, 4])
  expect(readFileSync(path(), 'utf8')).not.toContain('\0')
})

test.each([
  ['an unknown type', '{"type":"note","row":1}'],
  ['an unknown outcome', '{"type":"row","row":1,"outcome":"did"}'],
  ['an unknown field', '{"type":"row","row":1,"outcome":"done","by":"hand"}'],
  ['a row that is no number', '{"type":"row","row":"1","outcome":"done"}'],
  ['a row below 1', '{"type":"row","row":0,"outcome":"done"}'],
  ['no JSON', '{"type":"row","row":1,"outco'],
  ['nothing', ''],
  ['another plan', JSON.stringify({ type: 'begun', ...BEGUN, planId: 'plan-00000002' })],
  ['another number of rows', JSON.stringify({ type: 'begun', ...BEGUN, ready: 5 })],
])('refuses a line with %s', (_, line) => {
  openJournal(folder, BEGUN).close()
  appendFileSync(path(), `${line}\n`)

  expect(() => readResults(folder, BEGUN)).toThrow(
    expect.objectContaining({ code: 'run_damaged', exitCode: 6, message: expect.stringContaining(path()) }),
  )
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
