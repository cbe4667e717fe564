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
  expect(second.results.get(2)).toEqual({ outcome: 'failed', errorId: 'PaymentError', message: 'no' })
  second.note(2, { outcome: 'done' })
  second.close()

  expect([...readResults(folder, BEGUN.planId)].map(([row, { outcome }]) => [row, outcome])).toEqual([
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

  expect([...readResults(folder, BEGUN.planId).keys()]).toEqual([1, 3])
  expect(readFileSync(path(), 'utf8')).toContain('"outc\n')
})

test('knows nothing of a plan that was never begun', () => {
  expect(readProgress(folder, 'plan-00000009')).toBeUndefined()
  expect(readResults(folder, 'plan-00000009').size).toBe(0)
  expect(begunPlans(join(folder, 'missing'))).toEqual([])
})
