import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PayError } from '../../../src/errors.ts'
import type { OnExists } from '../../../src/rows/import/send-record.ts'
import { loadSqlite } from '../../../src/store/sqlite.ts'
import { copyOf, resultsIn, runIn, useRunFolders } from './run-bench.ts'
import type { Records } from './run-bench.ts'

/** 1 changes every byte of what a run remembers in every way: DAMAGE_STEP=1 npx vitest run test/rows/import/run-damage.test.ts */
const STEP = Number(process.env['DAMAGE_STEP'] ?? 1499)
const REPLACEMENTS = Buffer.from([0x00, 0x01, 0x30, 0x39, 0x61, 0x7f, 0x80, 0xff])
const TIMEOUT_MS = 30_000 + 600_000 / STEP

const newFolder = useRunFolders()

const isBad = (index: number): boolean => index % 9 === 4
const LINES = Array.from({ length: 50 }, (_, index) => `p${index};${isBad(index) ? 'x' : index}`)

interface Killed {
  readonly folder: string
  readonly records: Records
}

/** What a kill in the middle of a run leaves behind. */
async function killed(onExists: OnExists): Promise<Killed> {
  const [folder, left] = [newFolder(), newFolder()]
  const records: Records = new Map()
  let known: Records = records
  await runIn({
    folder,
    lines: LINES,
    records,
    onExists,
    onRequest: (count) => {
      if (count !== 36) return
      cpSync(folder, left, { recursive: true })
      known = copyOf(records)
    },
  })
  // Everything into the one file.
  const connection = loadSqlite()(join(left, FILE))
  connection.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
  connection.close()
  for (const suffix of ['-wal', '-shm']) rmSync(join(left, FILE + suffix), { force: true })
  return { folder: left, records: known }
}

/** Resumes with what the kill left behind, but for the change. Returns the error, or expects every row to be done. */
async function resumeWith(
  { folder, records }: Killed,
  onExists: OnExists,
  change: (text: Buffer) => Buffer,
): Promise<string | undefined> {
  const again = newFolder()
  cpSync(folder, again, { recursive: true })
  writeFileSync(join(again, FILE), change(readFileSync(join(folder, FILE))))
  const known = copyOf(records)
  let sent = 0
  try {
    const end = await runIn({
      folder: again,
      lines: LINES,
      records: known,
      onExists,
      onRequest: () => (sent += 1),
    })
    expect(end).toMatchObject({
      ended: undefined,
      counts: { rows: 50, failed: LINES.filter((_, index) => isBad(index)).length, skipped: 0 },
    })
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    expect(sent).toBe(0)
    return error.code
  }
  for (const [index, { row, outcome }] of resultsIn(again).entries()) {
    expect(row).toBe(index + 1)
    expect(outcome === 'failed').toBe(isBad(index))
  }
  for (const [index] of LINES.entries())
    expect(known.get(`p${index}`)?.at(-1)).toBe(isBad(index) ? undefined : index)
  return undefined
}

const replaced = (text: Buffer, at: number, by: number): Buffer => {
  const changed = Buffer.from(text)
  changed[at] = by
  return changed
}

const FILE = 'run.db'

describe.each(['update', 'skip'] as const)('where existing records are met with %s', (onExists) => {
  test(
    'any changed byte is refused, or changes nothing',
    async () => {
      const left = await killed(onExists)
      const text = readFileSync(join(left.folder, FILE))
      expect(text.length).toBeGreaterThan(3000)
      let refused = 0
      // Each run changes other bytes.
      for (let at = Math.floor(Math.random() * STEP); at < text.length * REPLACEMENTS.length; at += STEP) {
        const [byte, by] = [Math.floor(at / REPLACEMENTS.length), REPLACEMENTS[at % REPLACEMENTS.length] ?? 0]
        const words = `byte ${byte}, ${text[byte]} to ${by}`
        const code = await resumeWith(left, onExists, (whole) => replaced(whole, byte, by)).catch(
          (cause: unknown) => {
            throw new Error(words, { cause })
          },
        )
        if (text[byte] === by) expect(code, words).toBeUndefined()
        if (code === undefined) continue
        refused += 1
        expect(['run_damaged', 'input_changed'], words).toContain(code)
      }
      expect(refused).toBeGreaterThan(3)
    },
    TIMEOUT_MS,
  )
})

test('a byte that makes it readable only is refused before anything is sent', async () => {
  const left = await killed('update')
  // https://www.sqlite.org/fileformat.html, "file format write version".
  expect(await resumeWith(left, 'update', (whole) => replaced(whole, 18, 0x30))).toBe('run_damaged')
})

test.each([
  ['lost row', 'DELETE FROM rows WHERE row = (SELECT min(row) FROM rows)'],
  ['invented row', `INSERT INTO rows VALUES (45, 46, 'p44', 'created', NULL, NULL, 0, NULL)`],
  ['row of another number', 'UPDATE rows SET row = 49 WHERE row = (SELECT min(row) FROM rows)'],
  ['row of another ID', `UPDATE rows SET id = 'p77' WHERE row = (SELECT min(row) FROM rows)`],
  ['row of another outcome', `UPDATE rows SET outcome = 'updated' WHERE row = (SELECT min(row) FROM rows)`],
  ['row of another reason', `UPDATE rows SET message = 'x' WHERE row = (SELECT min(row) FROM rows)`],
  ['unknown outcome', `UPDATE rows SET outcome = 'creatfd' WHERE row = (SELECT min(row) FROM rows)`],
  ['changed memory', `UPDATE run SET memory = replace(memory, '"sentTo":', '"sentTo":1')`],
  ['changed mark', `UPDATE run SET memory = replace(memory, '"mark":{"rows":', '"mark":{"rows":1')`],
  ['earlier version', 'PRAGMA user_version = 1'],
  ['other version', 'PRAGMA user_version = 7'],
  ['missing table', 'DROP TABLE rows'],
])('a %s is refused', async (_, sql) => {
  const left = await killed('update')
  const connection = loadSqlite()(join(left.folder, FILE))
  connection.exec(sql)
  connection.close()
  expect(await resumeWith(left, 'update', (text) => text)).toBe('run_damaged')
})
