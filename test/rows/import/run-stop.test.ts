import { describe, expect, test } from 'vitest'
import type { RunStore } from '../../../src/rows/keep/run-store.ts'
import type { RunOptions } from '../../../src/rows/import/run-rows.ts'
import type { OnExists } from '../../../src/rows/import/send-record.ts'
import { LINES_OF_FIFTY, paceOf, resultsIn, runIn, useRunFolders } from './run-bench.ts'
import type { Fate, RunIn } from './run-bench.ts'

const newFolder = useRunFolders()

describe('a run ends early', () => {
  const run = (change: Partial<RunOptions>, more: Partial<RunIn> = {}) =>
    runIn({
      folder: newFolder(),
      lines: LINES_OF_FIFTY,
      records: new Map(),
      onExists: 'update',
      change,
      ...more,
    })

  test('when too many rows have failed, without sending new ones', async () => {
    let sent = 0
    const lines = LINES_OF_FIFTY.map((line, index) => (index < 5 ? `p${index};x` : line))
    const end = await run({ maxFailures: { count: 3 } }, { lines, onRequest: () => (sent += 1) })
    expect(end).toMatchObject({ ended: 'too-many-failures', counts: { rows: 4, failed: 4 } })
    expect(sent).toBe(0)
  })

  test('at a row that was answered before an earlier one, and still reports and counts it', async () => {
    const [folder, records] = [newFolder(), new Map<string, number[]>()]
    const lines = ['p1;1', 'p2;x', 'p3;3']
    // The first row waits for a connection while the second one is rejected.
    const stopped = await runIn({
      folder,
      records,
      lines,
      onExists: 'update',
      fates: ['ok', 'unconnected'],
      change: { maxFailures: { count: 0 } },
    })
    expect(stopped).toMatchObject({
      ended: 'too-many-failures',
      counts: { rows: 1, failed: 1 },
      problemRows: [{ row: 2, id: 'p2', outcome: 'failed' }],
      stoppedBy: { row: 2, id: 'p2', message: expect.stringContaining('value') },
    })
    expect(resultsIn(folder)).toMatchObject([
      { row: 2, outcome: 'failed', reject: expect.stringContaining('p2') },
    ])
    const whole = await runIn({ folder, records, lines, onExists: 'update' })
    expect(whole).toMatchObject({ ended: undefined, counts: { rows: 3, created: 2, failed: 1 } })
    expect(resultsIn(folder).map(({ row, outcome }) => [row, outcome])).toEqual([
      [1, 'created'],
      [2, 'failed'],
      [3, 'created'],
    ])
  })

  test('after a trial whose rows are all done', async () => {
    expect(await run({ maxRows: 7 })).toMatchObject({ ended: 'trial', counts: { rows: 7, created: 7 } })
  })

  test('but not if the trial covers the whole input', async () => {
    expect(await run({ maxRows: 50 })).toMatchObject({ ended: undefined, counts: { rows: 50 } })
  })

  test('at a record that cannot be read, after the rows before it', async () => {
    const lines = [...LINES_OF_FIFTY.slice(0, 20), '"p20;1', 'p21;1']
    const end = await run({}, { lines })
    expect(end.ended).toMatchObject({ code: 'unusable_file' })
    expect(end.counts).toMatchObject({ rows: 20, created: 20 })
  })

  test('when outcomes cannot be remembered, and their rows are sent again', async () => {
    const full = (store: RunStore): RunStore => ({
      ...store,
      noteDone: () => {
        throw new Error('disk full')
      },
    })
    const folder = newFolder()
    const end = await run({}, { folder, faulty: full })
    expect(end.ended).toMatchObject({ message: expect.stringContaining('disk full') })
    expect(await run({}, { folder })).toMatchObject({ ended: undefined, counts: { rows: 50 } })
  })

  test('when the disk is full, and counts only what it remembers', async () => {
    const folder = newFolder()
    const full = (store: RunStore): RunStore => ({
      ...store,
      noteDone: (row) => {
        if (row.row <= 10) store.noteDone(row)
      },
      end: () => {
        throw new Error('disk full')
      },
      get counts() {
        return store.counts
      },
    })
    const end = await run({}, { folder, faulty: full })
    expect(end).toMatchObject({ counts: { rows: 10, created: 10 }, isBlank: false })
    expect(resultsIn(folder)).toHaveLength(10)
  })

  test('blank if no row can be sent', async () => {
    const end = await run({}, { fates: ['unconnected'] })
    expect(end).toMatchObject({ isBlank: true, ended: { code: 'not_connected' }, counts: { rows: 0 } })
  })

  test('not blank if the first row may have been applied', async () => {
    const fates: readonly Fate[] = [
      'unconnected',
      'before',
      ...Array.from({ length: 70 }, () => 'unconnected' as const),
    ]
    const end = await run({ pace: paceOf(1) }, { fates })
    expect(end).toMatchObject({ isBlank: false, ended: { code: 'not_connected' }, counts: { rows: 0 } })
  })

  test.each<readonly [OnExists, string]>([
    ['skip', 'unknown'],
    ['update', 'updated'],
  ])('and a row in doubt stays in doubt in the next run: %s', async (onExists, outcome) => {
    const [folder, records] = [newFolder(), new Map<string, number[]>()]
    const options = { folder, records, lines: ['p1;1', 'p2;2'], onExists, change: { pace: paceOf(1) } }
    const lost: readonly Fate[] = [
      'unconnected',
      'after',
      ...Array.from({ length: 20 }, () => 'unconnected' as const),
    ]
    expect(await runIn({ ...options, fates: lost })).toMatchObject({ ended: { code: 'not_connected' } })
    expect(records.has('p1')).toBe(true)
    // Stopped once more before that row.
    const halt = new AbortController()
    halt.abort()
    expect(await runIn({ ...options, change: { halt } })).toMatchObject({ ended: 'halted' })
    expect(await runIn(options)).toMatchObject({ ended: undefined })
    expect(resultsIn(folder).map((one) => one.outcome)).toEqual([outcome, 'created'])
  })
})
