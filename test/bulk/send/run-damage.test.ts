import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PayError } from '../../../src/errors.ts'
import type { OnExists } from '../../../src/import/record-operation.ts'
import { copyOf, resultsIn, runIn, useRunFolders } from './run-bench.ts'
import type { Records } from './run-bench.ts'

/** 1 changes every byte of what a run remembers in every way: DAMAGE_STEP=1 npx vitest run test/bulk/send/run-damage.test.ts */
const STEP = Number(process.env['DAMAGE_STEP'] ?? 61)
const REPLACEMENTS = Buffer.from('019e"x],\n -')
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
  return { folder: left, records: known }
}

/** Resumes with what the kill left behind, but for the change. Returns the error, or expects every row to be done. */
async function resumeWith(
  { folder, records }: Killed,
  onExists: OnExists,
  file: string,
  change: (text: Buffer) => Buffer,
): Promise<string | undefined> {
  const again = newFolder()
  cpSync(folder, again, { recursive: true })
  writeFileSync(join(again, file), change(readFileSync(join(folder, file))))
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

const FILES = ['checkpoint', 'journal'] as const

describe.each(['update', 'skip'] as const)('where existing records are met with %s', (onExists) => {
  test.each(FILES)(
    'any changed byte of the %s is refused, or changes nothing',
    async (file) => {
      const left = await killed(onExists)
      const text = readFileSync(join(left.folder, file))
      expect(text.length).toBeGreaterThan(300)
      let refused = 0
      for (let at = 0; at < text.length * REPLACEMENTS.length; at += STEP) {
        const [byte, by] = [Math.floor(at / REPLACEMENTS.length), REPLACEMENTS[at % REPLACEMENTS.length] ?? 0]
        const before = text[byte]
        const words = `byte ${byte}, ${JSON.stringify(String.fromCharCode(before ?? 0, by))}`
        const code = await resumeWith(left, onExists, file, (whole) => replaced(whole, byte, by)).catch(
          (cause: unknown) => {
            throw new Error(words, { cause })
          },
        )
        if (before === by) expect(code, words).toBeUndefined()
        if (code === undefined) continue
        refused += 1
        expect(['run_damaged', 'input_changed'], words).toContain(code)
      }
      expect(refused).toBeGreaterThan(10)
    },
    TIMEOUT_MS,
  )
})

describe('a journal whose lines were', () => {
  type Edit = (lines: readonly string[]) => readonly string[]
  const isRow = (line: string): boolean => line.startsWith('["row"')
  const edited = (edit: Edit) => (text: Buffer) =>
    Buffer.from(`${edit(text.toString().trimEnd().split('\n')).join('\n')}\n`)

  test.each<readonly [string, Edit]>([
    ['given twice', (lines) => [...lines, lines.find(isRow) ?? '']],
    ['invented', (lines) => [...lines, '["row",45,400,{"outcome":"created","retries":0}]']],
    ['invented by an earlier version', (lines) => [...lines, '["row",45,{"outcome":"created","retries":0}]']],
    [
      'given to other rows',
      (lines) =>
        lines.map((line) => (isRow(line) ? line.replace(/^\["row",\d+/, (start) => `${start}0`) : line)),
    ],
  ])('%s is refused', async (_, edit) => {
    expect(await resumeWith(await killed('update'), 'update', 'journal', edited(edit))).toBe('run_damaged')
  })

  test.each<readonly [string, Edit]>([
    ['swapped', (lines) => lines.toSorted()],
    ['removed', (lines) => lines.filter((line) => !isRow(line))],
    ['all removed', () => []],
  ])('%s is refused, or its rows are sent again', async (_, edit) => {
    const left = await killed('update')
    expect([undefined, 'run_damaged']).toContain(await resumeWith(left, 'update', 'journal', edited(edit)))
  })
})

test('a checkpoint that is moved by a row is refused', async () => {
  const left = await killed('update')
  const moved = (text: Buffer) =>
    Buffer.from(
      text.toString().replace(/"next":\{"byte":(\d+)/, (_, byte) => `"next":{"byte":${Number(byte) + 6}`),
    )
  expect(await resumeWith(left, 'update', 'checkpoint', moved)).toBe('run_damaged')
})
