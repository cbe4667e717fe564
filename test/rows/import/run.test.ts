import { cpSync } from 'node:fs'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OnExists } from '../../../src/rows/import/send-record.ts'
import { copyOf, resultsIn, runIn, useRunFolders } from './run-bench.ts'
import type { Fate, Records } from './run-bench.ts'

const newFolder = useRunFolders()

const FATES = fc
  .array(fc.constantFrom<Fate>('ok', 'before', 'after', '503', '429', 'unconnected'), { maxLength: 12 })
  // Ends with answers, because with 429 alone it would never end.
  .map((fates): readonly Fate[] => [...fates, 'ok', 'ok'])
const LINES = fc.array(
  fc.tuple(
    fc.integer({ min: 0, max: 30 }),
    fc.oneof({ weight: 9, arbitrary: fc.nat(999) }, fc.constant('x')),
  ),
  { minLength: 1, maxLength: 80 },
)

test('killed at any point and resumed, a run reports every row once, in order and truthfully, and the last row of an ID wins', async () => {
  await fc.assert(
    fc.asyncProperty(
      LINES,
      FATES,
      fc.constantFrom<OnExists>('update', 'skip', 'fail'),
      fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 4 }),
      async (rows, fates, onExists, there, killsAt) => {
        const lines = rows.map(([id, value]) => `p${id};${value}`)
        const before: Records = new Map(there.map((id) => [`p${id}`, [-1]]))
        let [folder, records] = [newFolder(), copyOf(before)]
        // What a kill leaves: a copy of the files, and of what was applied, at that moment.
        for (const killAt of killsAt) {
          const [left, applied] = [newFolder(), new Map<string, number[]>()]
          let isKilled = false
          const onRequest = (count: number) => {
            if (count !== killAt) return
            isKilled = true
            cpSync(folder, left, { recursive: true })
            for (const [id, values] of copyOf(records)) applied.set(id, values)
          }
          await runIn({ folder, lines, records, onExists, fates, onRequest })
          if (!isKilled) break
          ;[folder, records] = [left, applied]
        }
        let end = await runIn({ folder, lines, records, onExists, fates })
        // A run that cannot connect stops; running it again resumes.
        for (let again = 0; end.ended !== undefined && again < 50; again += 1)
          end = await runIn({ folder, lines, records, onExists, fates: ['ok'] })
        expect(end.ended).toBeUndefined()

        const results = resultsIn(folder)
        expect(results.map(({ row }) => row)).toEqual(lines.map((_, index) => index + 1))
        expect(results.map(({ paymentId }) => paymentId)).toEqual(lines.map((line) => line.split(';')[0]))
        const made = new Set(before.keys())
        const maybeMade = new Set<string>()
        for (const [index, { paymentId, outcome }] of results.entries()) {
          const isFailedOrUnknown = rows[index]?.[1] === 'x'
          if (isFailedOrUnknown) expect(outcome).toBe('failed')
          else if (onExists === 'update') expect(['created', 'updated', 'unknown']).toContain(outcome)
          // It did not exist before, so only this run can have created it.
          else if (!made.has(paymentId)) expect(['created', 'unknown']).toContain(outcome)
          else {
            const known = [onExists === 'skip' ? 'skipped' : 'failed', 'unknown']
            expect(maybeMade.has(paymentId) ? [...known, 'created'] : known).toContain(outcome)
          }
          if (isFailedOrUnknown) continue
          made.add(paymentId)
          if (outcome === 'unknown') maybeMade.add(paymentId)
          else maybeMade.delete(paymentId)
        }
        const { counts } = end
        for (const outcome of ['created', 'updated', 'skipped', 'failed', 'unknown'] as const)
          expect(counts[outcome]).toBe(results.filter((one) => one.outcome === outcome).length)
        expect(counts.rows).toBe(lines.length)
        for (const { paymentId, outcome } of results)
          if (outcome === 'created' || outcome === 'updated') expect(records.has(paymentId)).toBe(true)
        if (onExists === 'update')
          for (const [id, values] of records) {
            const last = results.findLastIndex(
              ({ paymentId, outcome }) => paymentId === id && outcome !== 'failed',
            )
            if (last !== -1 && results[last]?.outcome !== 'unknown')
              expect(values.at(-1)).toBe(rows[last]?.[1])
          }
      },
    ),
    { numRuns: Number(process.env['PAY_TEST_RUNS'] ?? 100) },
  )
}, 600_000)
