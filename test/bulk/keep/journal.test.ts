import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openJournal } from '../../../src/bulk/keep/journal.ts'
import { OUTCOMES } from '../../../src/import/counts.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pay-journal-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const CREATED = { outcome: 'created', errorId: undefined, message: undefined, retries: 0 } as const
const OPTIONS = { isSentSynced: false, outcomes: OUTCOMES } as const
/** A row, which ends at ten times its number. */
const at = (row: number) => ({ row, next: { byte: row * 10 } })
const journalPath = () => join(folder, 'journal')

test('remembers outcomes, what was read and how far rows were sent', () => {
  const journal = openJournal(journalPath(), undefined, OPTIONS)
  expect(journal.isFresh).toBe(true)
  journal.noteRead({ bytes: 10, hash: 'a' })
  journal.noteSent(at(1))
  journal.noteOutcome(at(2), CREATED)
  journal.close()
  const again = openJournal(journalPath(), undefined, OPTIONS)
  expect(again).toMatchObject({ isFresh: false, seen: [{ bytes: 10, hash: 'a' }] })
  expect([...again.ends]).toEqual([
    [1, 10],
    [2, 20],
  ])
  expect([...again.answered]).toEqual([[2, { outcome: 'created', retries: 0 }]])
  expect([again.maybeSent(1), again.maybeSent(1_000)]).toEqual([true, false])
  again.close()
})

test('drops what the checkpoint covers', () => {
  const journal = openJournal(journalPath(), undefined, OPTIONS)
  for (const row of [1, 2, 3]) journal.noteOutcome(at(row), CREATED)
  journal.compact({ ahead: [[at(3), CREATED]], inDoubt: undefined })
  journal.close()
  const again = openJournal(journalPath(), { row: 2, seen: { bytes: 20, hash: '' } }, OPTIONS)
  expect([...again.answered.keys()]).toEqual([3])
  again.close()
})

test('continues on a new line after one that was cut short', () => {
  writeFileSync(journalPath(), '["row",1,10,{"outcome":"created","retries":0}]\n["row",2,20,{"outc')
  const journal = openJournal(journalPath(), undefined, OPTIONS)
  journal.noteSent(at(5))
  journal.close()
  const again = openJournal(journalPath(), undefined, OPTIONS)
  expect([...again.answered.keys()]).toEqual([1])
  expect(again.maybeSent(5)).toBe(true)
  again.close()
})

test('leaves out what a power cut has turned into NUL bytes', () => {
  const lines = ['["seen",{"hash":"a","bytes":20}]', ROW, ROW.replace('1,10', '3,30')]
  for (const hole of ['\0\0\0', '["row",2,20,\0\0\0ed","retries":0}]\n']) {
    writeFileSync(journalPath(), `${lines[0]}\n${hole}${lines[1]}\n${lines[2]}\n`)
    const journal = openJournal(journalPath(), undefined, OPTIONS)
    expect([...journal.answered.keys()]).toEqual([1])
    journal.close()
    expect(readFileSync(journalPath(), 'utf8')).toBe(`${lines[0]}\n${lines[1]}\n`)
  }
})

const ROW = '["row",1,10,{"outcome":"created","retries":0}]'

test.each([
  ['no JSON', 'x'],
  ['an empty line', ''],
  ['another value', '{}'],
  ['another kind', '["other",1,10]'],
  ['a line without its end', '["out",1]'],
  ['a line with more than it has', '["out",1,10,20]'],
  ['a fraction', '["out",1.5,10]'],
  ['no outcome', '["row",1,10,null]'],
  ['an unknown outcome', '["row",1,10,{"outcome":"creatfd","retries":0}]'],
  ['an unknown field', '["row",1,10,{"outcome":"created","retries":0,"done":true}]'],
  ['no hash', '["seen",{"bytes":10}]'],
  ['a row that has an outcome already', `${ROW}\n${ROW}`],
  ['a row that ends elsewhere', `${ROW}\n["out",1,11]`],
  ['less sent than before', '["out",40,400]\n["out",4,40]'],
  ['less read than before', '["seen",{"hash":"a","bytes":9}]\n["seen",{"hash":"a","bytes":8}]'],
])('refuses %s', (_, text) => {
  writeFileSync(journalPath(), `${text}\n["out",90,900]\n`)
  expect(() => openJournal(journalPath(), undefined, OPTIONS)).toThrow(
    expect.objectContaining({
      code: 'run_damaged',
      exitCode: 6,
      message: expect.stringContaining(journalPath()),
    }),
  )
})

test.each(['created', 'skipped'])('writes the outcome %s as JSON.stringify does', (outcome) => {
  const journal = openJournal(journalPath(), undefined, OPTIONS)
  const plain = { outcome, errorId: undefined, message: undefined, retries: 0 }
  journal.noteOutcome(at(7), plain)
  journal.close()
  expect(readFileSync(journalPath(), 'utf8')).toBe(`${JSON.stringify(['row', 7, 70, plain])}\n`)
})
