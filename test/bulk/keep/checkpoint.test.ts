import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readCheckpoint, removeCheckpoint, writeCheckpoint } from '../../../src/bulk/keep/checkpoint.ts'
import type { Checkpoint } from '../../../src/bulk/keep/checkpoint.ts'
import { NO_COUNTS } from '../../../src/import/counts.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pay-checkpoint-'))
  path = join(folder, 'run.json')
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const TROUBLE = { row: 1, paymentId: 'p1', outcome: 'failed', message: 'no' } as const

const CHECKPOINT: Checkpoint = {
  version: 3,
  run: 'run',
  next: { byte: 100, line: 5 },
  row: 3,
  counts: { ...NO_COUNTS, rows: 3, created: 2, failed: 1 },
  seen: { bytes: 400, hash: 'abc' },
  troubles: [TROUBLE],
  seconds: 1.5,
  results: '/r.csv',
  rejects: null,
}

test('is read as written, is readable by its owner only, and leaves no other file', () => {
  writeCheckpoint(path, CHECKPOINT)
  writeCheckpoint(path, { ...CHECKPOINT, row: 4 })
  expect(readCheckpoint(path, NO_COUNTS)).toEqual({ ...CHECKPOINT, row: 4 })
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['run.json'])
})

test('is undefined if there is no file', () => {
  expect(readCheckpoint(path, NO_COUNTS)).toBeUndefined()
  expect(() => removeCheckpoint(path)).not.toThrow()
})

test.each<readonly [string, unknown]>([
  ['is cut short', undefined],
  ['is a list', []],
  ['is of another version', { ...CHECKPOINT, version: 2 }],
  ['lacks a count', { ...CHECKPOINT, counts: { rows: 3 } }],
  ['has a count that is not a number', { ...CHECKPOINT, counts: { ...CHECKPOINT.counts, failed: '1' } }],
  ['has a place before the start', { ...CHECKPOINT, next: { byte: -1, line: 5 } }],
  ['has a place without a line', { ...CHECKPOINT, next: { byte: 100 } }],
  ['has no hash of the input', { ...CHECKPOINT, seen: { bytes: 1 } }],
  ['has a problem row that is not an object', { ...CHECKPOINT, troubles: [null] }],
  ['has an unknown field', { ...CHECKPOINT, resultsBytes: 50 }],
  ['has an unknown outcome', { ...CHECKPOINT, counts: { ...CHECKPOINT.counts, creatfd: 0 } }],
  ['has a count that is no whole number', { ...CHECKPOINT, row: 3.5 }],
  ['counts other outcomes than rows', { ...CHECKPOINT, counts: { ...CHECKPOINT.counts, created: 3 } }],
  ['counts more rows than it has', { ...CHECKPOINT, row: 2 }],
  ['is beyond what was read', { ...CHECKPOINT, next: { byte: 401, line: 5 } }],
  ['has a problem row after its last row', { ...CHECKPOINT, row: 3, troubles: [{ ...TROUBLE, row: 4 }] }],
  ['has a problem row twice', { ...CHECKPOINT, troubles: [TROUBLE, TROUBLE] }],
  ['has a problem row with an unknown outcome', { ...CHECKPOINT, troubles: [{ ...TROUBLE, outcome: 'f' }] }],
])('one that %s is refused', (_, value) => {
  writeFileSync(path, value === undefined ? JSON.stringify(CHECKPOINT).slice(0, 60) : JSON.stringify(value))
  expect(() => readCheckpoint(path, NO_COUNTS)).toThrow(
    expect.objectContaining({ code: 'run_damaged', exitCode: 6 }),
  )
})
