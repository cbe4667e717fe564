import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LINES_OF_FIFTY, copyOf, resultsIn, runIn, useRunFolders } from './run-bench.ts'
import type { Records } from './run-bench.ts'

const newFolder = useRunFolders()

describe('resuming with an input that has changed', () => {
  /** A run that was stopped after some rows, with a checkpoint. */
  async function stopped(folder: string, lines = LINES_OF_FIFTY): Promise<Records> {
    const halt = new AbortController()
    const records: Records = new Map()
    const onRequest = (count: number) => {
      if (count === 25) halt.abort()
    }
    const end = await runIn({ folder, lines, records, onExists: 'skip', onRequest, change: { halt } })
    expect(end).toMatchObject({ ended: 'halted' })
    expect(end.counts.rows).toBeGreaterThan(5)
    return records
  }
  const changed = (row: number) =>
    LINES_OF_FIFTY.map((line, index) => (index === row ? `q${index};${index}` : line))

  test.each([
    ['in a reported row', changed(2)],
    ['in a row that was in flight', changed(21)],
    ['by a missing row', LINES_OF_FIFTY.slice(1)],
    ['by an earlier end', LINES_OF_FIFTY.slice(0, 4)],
  ])('%s is refused before anything is sent', async (_, lines) => {
    const folder = newFolder()
    await stopped(folder)
    const results = resultsIn(folder)
    const onRequest = () => {
      throw new Error('nothing may be sent')
    }
    const end = runIn({ folder, lines, records: new Map(), onExists: 'skip', onRequest })
    await expect(end).rejects.toMatchObject({ code: 'input_changed', exitCode: 2 })
    expect(resultsIn(folder)).toEqual(results)
  })

  test('only in the size of its chunks is the same input', async () => {
    const folder = newFolder()
    const records = await stopped(folder)
    const end = await runIn({ folder, lines: LINES_OF_FIFTY, records, onExists: 'skip', chunkBytes: 1_000 })
    expect(end).toMatchObject({ ended: undefined, counts: { rows: 50, created: 50 } })
  })

  test('only after what was read continues with the new rows', async () => {
    const folder = newFolder()
    const records = await stopped(folder)
    const end = await runIn({ folder, lines: changed(49), records, onExists: 'skip' })
    expect(end).toMatchObject({ ended: undefined, counts: { rows: 50, created: 50 } })
    expect(records.has('q49')).toBe(true)
  })

  test('without the latest outcomes, as after a power cut, sends their rows again and reports the same', async () => {
    const [folder, left] = [newFolder(), newFolder()]
    const records: Records = new Map()
    await runIn({
      folder,
      lines: LINES_OF_FIFTY,
      records,
      onExists: 'update',
      onRequest: (count) => {
        if (count === 25) cpSync(folder, left, { recursive: true })
      },
    })
    const log = join(left, 'run.db-wal')
    const text = readFileSync(log)
    for (const length of [text.length - 3, text.length / 2, 0]) {
      const again = newFolder()
      cpSync(left, again, { recursive: true })
      writeFileSync(join(again, 'run.db-wal'), text.subarray(0, length))
      rmSync(join(again, 'run.db-shm'))
      const end = await runIn({
        folder: again,
        lines: LINES_OF_FIFTY,
        records: copyOf(records),
        onExists: 'update',
      })
      expect(end).toMatchObject({ ended: undefined, counts: { rows: 50, failed: 0, unknown: 0 } })
      expect(resultsIn(again).map(({ row }) => row)).toEqual(LINES_OF_FIFTY.map((_, index) => index + 1))
    }
  })
})

describe('what is done is not read again', () => {
  /** Rows of every kind, over line breaks in quotes, empty lines and both kinds of line breaks. */
  const LINES = Array.from({ length: 60 }, (_, index) => {
    const end = ['', '\r', '\n', '\r\n\r'][index % 4]
    // The first rows say that those with decimals later are bad.
    if (index > 15 && index % 3 === 1) return `p${index};${index}.50${end}`
    const id = `${index > 15 ? 'd' : 'p'}${index % 5 === 0 ? '\n' : ''}${index}`
    return `"${id}";${index % 6 === 0 ? 'out' : index % 4 === 0 ? ` ${index}` : index}${end}`
  })
  const told = (end: Awaited<ReturnType<typeof runIn>>, folder: string) => ({
    leftOut: end.leftOut,
    warnings: end.warnings.map(({ text, count }) => ({ text, count })),
    counts: { ...end.counts, retries: 0 },
    results: resultsIn(folder),
  })

  test.each([1, 7, 64, 1_000])(
    'and tells the same, in chunks of %i bytes, wherever it was killed',
    async (chunkBytes) => {
      const whole = newFolder()
      const run = { lines: LINES, onExists: 'update', chunkBytes } as const
      const end = await runIn({ ...run, folder: whole, records: new Map() })
      expect(end).toMatchObject({ leftOut: [{ value: 'out', rows: 10 }], warnings: [{ count: 6 }], read: 60 })
      expect(end.counts.failed).toBe(15)
      let fewest = Infinity
      for (let killAt = 1; killAt <= end.counts.created; killAt += 1) {
        const [folder, left] = [newFolder(), newFolder()]
        const onRequest = (count: number) => {
          if (count === killAt) cpSync(folder, left, { recursive: true })
        }
        await runIn({ ...run, folder, records: new Map(), onRequest })
        const again = await runIn({ ...run, folder: left, records: new Map() })
        expect(told(again, left)).toEqual(told(end, whole))
        fewest = Math.min(fewest, again.read)
      }
      expect(fewest).toBeLessThan(chunkBytes < 1_000 ? 40 : 61)
    },
  )
})
