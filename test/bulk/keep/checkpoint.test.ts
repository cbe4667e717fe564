import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readCheckpoint, removeCheckpoint, writeCheckpoint } from '../../../src/bulk/keep/checkpoint.ts'
import type { Checkpoint } from '../../../src/bulk/keep/checkpoint.ts'
import { NO_COUNTS } from '../../../src/bulk/keep/counts.ts'
import { openJournal } from '../../../src/bulk/keep/journal.ts'

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

test('is read as it was written, for its owner alone, and leaves nothing beside it', () => {
  writeCheckpoint(path, CHECKPOINT)
  writeCheckpoint(path, { ...CHECKPOINT, row: 4 })
  expect(readCheckpoint(path)).toEqual({ ...CHECKPOINT, row: 4 })
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['run.json'])
})

test('is none where there is none', () => {
  expect(readCheckpoint(path)).toBeUndefined()
  expect(() => removeCheckpoint(path)).not.toThrow()
})

test.each<readonly [string, unknown]>([
  ['is cut short', undefined],
  ['is a list', []],
  ['is of another version', { ...CHECKPOINT, version: 1 }],
  ['lacks a count', { ...CHECKPOINT, counts: { rows: 3 } }],
  ['has a count that is none', { ...CHECKPOINT, counts: { ...CHECKPOINT.counts, failed: '1' } }],
  ['has a place before the beginning', { ...CHECKPOINT, next: { byte: -1, line: 5 } }],
  ['has a place without a line', { ...CHECKPOINT, next: { byte: 100 } }],
  ['does not tell what was read', { ...CHECKPOINT, seen: { bytes: 1 } }],
  ['has a trouble that is none', { ...CHECKPOINT, troubles: [null] }],
])('one that %s is refused with what to do', (_, value) => {
  writeFileSync(path, value === undefined ? JSON.stringify(CHECKPOINT).slice(0, 60) : JSON.stringify(value))
  expect(() => readCheckpoint(path)).toThrow(
    expect.objectContaining({ code: 'checkpoint_damaged', exitCode: 2 }),
  )
})

describe('the journal', () => {
  const CREATED = { outcome: 'created', errorId: undefined, message: undefined, retries: 0 } as const
  const journalPath = () => join(folder, 'journal')

  test('remembers what was answered, what was read and how far rows were sent', () => {
    const journal = openJournal(journalPath(), 0, { isSentSynced: false })
    expect(journal.isFresh).toBe(true)
    journal.see({ bytes: 10, hash: 'a' })
    journal.start(1)
    journal.answer(2, CREATED)
    journal.close()
    const again = openJournal(journalPath(), 0, { isSentSynced: false })
    expect(again).toMatchObject({ isFresh: false, seen: { bytes: 10, hash: 'a' } })
    expect([...again.answered]).toEqual([[2, { outcome: 'created', retries: 0 }]])
    expect([again.maybeSent(1), again.maybeSent(1_000)]).toEqual([true, false])
    again.close()
  })

  test('what stands before a checkpoint is let go', () => {
    const journal = openJournal(journalPath(), 0, { isSentSynced: false })
    for (const row of [1, 2, 3]) journal.answer(row, CREATED)
    journal.startAnew({ ahead: [[3, CREATED]], inDoubt: undefined })
    journal.close()
    const again = openJournal(journalPath(), 2, { isSentSynced: false })
    expect([...again.answered.keys()]).toEqual([3])
    again.close()
  })

  test('goes on in a line of its own behind one that was cut short', () => {
    writeFileSync(journalPath(), '["row",1,{"outcome":"created","retries":0}]\n["row",2,{"outc')
    const journal = openJournal(journalPath(), 0, { isSentSynced: false })
    journal.start(5)
    journal.close()
    const again = openJournal(journalPath(), 0, { isSentSynced: false })
    expect([...again.answered.keys()]).toEqual([1])
    expect(again.maybeSent(5)).toBe(true)
    again.close()
  })

  test('lines that make no sense are none', () => {
    writeFileSync(journalPath(), 'x\n{}\n["row"]\n["row",1,null]\n["seen",{}]\n["other",1]\n[]\n')
    const journal = openJournal(journalPath(), 0, { isSentSynced: false })
    expect(journal.answered.size).toBe(0)
    expect(journal.seen).toBeUndefined()
    journal.close()
  })
})
