import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openJournal } from '../../../src/bulk/keep/journal.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pay-journal-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const CREATED = { outcome: 'created', errorId: undefined, message: undefined, retries: 0 } as const
const journalPath = () => join(folder, 'journal')

test('remembers outcomes, what was read and how far rows were sent', () => {
  const journal = openJournal(journalPath(), 0, { isSentSynced: false })
  expect(journal.isFresh).toBe(true)
  journal.noteRead({ bytes: 10, hash: 'a' })
  journal.noteSent(1)
  journal.noteOutcome(2, CREATED)
  journal.close()
  const again = openJournal(journalPath(), 0, { isSentSynced: false })
  expect(again).toMatchObject({ isFresh: false, seen: { bytes: 10, hash: 'a' } })
  expect([...again.answered]).toEqual([[2, { outcome: 'created', retries: 0 }]])
  expect([again.maybeSent(1), again.maybeSent(1_000)]).toEqual([true, false])
  again.close()
})

test('drops what the checkpoint covers', () => {
  const journal = openJournal(journalPath(), 0, { isSentSynced: false })
  for (const row of [1, 2, 3]) journal.noteOutcome(row, CREATED)
  journal.compact({ ahead: [[3, CREATED]], inDoubt: undefined })
  journal.close()
  const again = openJournal(journalPath(), 2, { isSentSynced: false })
  expect([...again.answered.keys()]).toEqual([3])
  again.close()
})

test('continues on a new line after one that was cut short', () => {
  writeFileSync(journalPath(), '["row",1,{"outcome":"created","retries":0}]\n["row",2,{"outc')
  const journal = openJournal(journalPath(), 0, { isSentSynced: false })
  journal.noteSent(5)
  journal.close()
  const again = openJournal(journalPath(), 0, { isSentSynced: false })
  expect([...again.answered.keys()]).toEqual([1])
  expect(again.maybeSent(5)).toBe(true)
  again.close()
})

test('ignores lines that it cannot read', () => {
  writeFileSync(journalPath(), 'x\n{}\n["row"]\n["row",1,null]\n["seen",{}]\n["other",1]\n[]\n')
  const journal = openJournal(journalPath(), 0, { isSentSynced: false })
  expect(journal.answered.size).toBe(0)
  expect(journal.seen).toBeUndefined()
  journal.close()
})

test.each(['created', 'skipped'])('writes the outcome %s as JSON.stringify does', (outcome) => {
  const journal = openJournal(journalPath(), 0, { isSentSynced: false })
  const plain = { outcome, errorId: undefined, message: undefined, retries: 0 }
  journal.noteOutcome(7, plain)
  journal.close()
  expect(readFileSync(journalPath(), 'utf8')).toBe(`${JSON.stringify(['row', 7, plain])}\n`)
})
