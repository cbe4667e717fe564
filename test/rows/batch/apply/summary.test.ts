import { expect, test } from 'vitest'
import type { RowOutcome } from '../../../../src/rows/batch/apply/row-result.ts'
import { countsInWords, summarize } from '../../../../src/rows/batch/apply/summary.ts'
import type { ReadyRow } from '../../../../src/rows/batch/apply/ready-row.ts'
import { createRunRows } from '../../../support/batch-plan.ts'

const FIGURES = { status: 'SETTLED', amount: 1_000, amountCaptured: 1_000, amountRefunded: 0 } as const
const TRAILER = { type: 'end', rows: 9, ready: 7, refused: 2, totals: [], verdicts: {}, digest: '' } as const

const row = (number: number, amount: number, currencyCode = 'EUR'): ReadyRow => ({
  row: number,
  line: number + 1,
  paymentId: `p${number}`,
  amount,
  currencyCode,
  figures: FIGURES,
})

test('counts rows by outcome, and totals those that are done, by currency', () => {
  const rows = [
    row(1, 100),
    row(2, 250),
    row(3, 7, 'JPY'),
    row(4, 1_000),
    row(5, 2_000),
    row(6, 4_000),
    row(7, 8_000),
  ]
  const outcomes: readonly RowOutcome[] = ['done', 'done', 'done', 'skipped', 'failed', 'unknown']
  const known = rows.map((one, at) => {
    const outcome = outcomes[at]
    return outcome === undefined ? { row: one } : { row: one, result: { outcome } }
  })
  const summary = summarize({ planId: 'plan-1', trailer: TRAILER }, createRunRows(known).counts(), 1.26)
  expect(summary).toEqual({
    planId: 'plan-1',
    rows: 9,
    done: 3,
    skipped: 1,
    failed: 1,
    unknown: 1,
    left: 1,
    totals: [
      { currencyCode: 'EUR', count: 2, amount: 350 },
      { currencyCode: 'JPY', count: 1, amount: 7 },
    ],
    seconds: 1.3,
  })
  expect(countsInWords(summary)).toBe('3 done, 1 skipped, 1 failed, 1 unknown, 1 left')
})
