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

const CHECKPOINT: Checkpoint = {
  version: 2,
  run: 'run',
  next: { byte: 100, line: 5 },
  row: 3,
  resultsBytes: 50,
  rejectsBytes: 0,
  counts: { ...NO_COUNTS, rows: 3, created: 3 },
  seen: { bytes: 400, hash: 'abc' },
  troubles: [{ row: 1, paymentId: 'p1', outcome: 'failed', message: 'no' }],
  seconds: 1.5,
  results: '/r.csv',
  rejects: null,
}

test('is read as written, is readable by its owner only, and leaves no other file', () => {
  writeCheckpoint(path, CHECKPOINT)
  writeCheckpoint(path, { ...CHECKPOINT, row: 4 })
  expect(readCheckpoint(path)).toEqual({ ...CHECKPOINT, row: 4 })
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['run.json'])
})

test('is undefined if there is no file', () => {
  expect(readCheckpoint(path)).toBeUndefined()
  expect(() => removeCheckpoint(path)).not.toThrow()
})

test.each<readonly [string, unknown]>([
  ['is cut short', undefined],
  ['is a list', []],
  ['is of another version', { ...CHECKPOINT, version: 1 }],
  ['lacks a count', { ...CHECKPOINT, counts: { rows: 3 } }],
  ['has a count that is not a number', { ...CHECKPOINT, counts: { ...CHECKPOINT.counts, failed: '1' } }],
  ['has a place before the start', { ...CHECKPOINT, next: { byte: -1, line: 5 } }],
  ['has a place without a line', { ...CHECKPOINT, next: { byte: 100 } }],
  ['has no hash of the input', { ...CHECKPOINT, seen: { bytes: 1 } }],
  ['has a problem row that is not an object', { ...CHECKPOINT, troubles: [null] }],
])('one that %s is refused', (_, value) => {
  writeFileSync(path, value === undefined ? JSON.stringify(CHECKPOINT).slice(0, 60) : JSON.stringify(value))
  expect(() => readCheckpoint(path)).toThrow(
    expect.objectContaining({ code: 'checkpoint_damaged', exitCode: 2 }),
  )
})
