import type { PlanRow } from '../../../../src/rows/batch/plan.ts'

/** A ready row. */
export const rowOf = (row: number, change: Partial<PlanRow> = {}): PlanRow => ({
  type: 'row',
  row,
  line: row + 1,
  verdict: 'ready',
  paymentId: `pay_${row}`,
  amount: 100 + row,
  currencyCode: row % 2 === 0 ? 'JPY' : 'EUR',
  figures: { status: 'SETTLED', amount: 500, amountCaptured: 500, amountRefunded: 0 },
  reason: 'größer "1"',
  ...change,
})
