import { expect, test } from 'vitest'
import type { PlanRow } from '../../../../src/rows/batch/plan.ts'
import type { PaymentReader } from '../../../../src/rows/payments/payment-reader.ts'
import type { VerifiedRow } from '../../../../src/rows/batch/verify/compare.ts'
import { verifyRows } from '../../../../src/rows/batch/verify/verify-rows.ts'

const FIGURES = { status: 'SETTLED', amount: 1000, amountCaptured: 1000, amountRefunded: 0 }

test('rows come in file order, each payment is read once, and its rows share what was refunded', async () => {
  const rows = Array.from({ length: 400 }, (_, at): PlanRow => {
    const row = at + 1
    return {
      type: 'row',
      row,
      line: row + 1,
      verdict: row % 10 === 0 ? 'not_found' : 'ready',
      paymentId: row % 131 === 1 ? 'repeated' : `p${row}`,
      amount: 5,
      currencyCode: 'EUR',
      figures: FIGURES,
    }
  })
  const read: string[] = []
  const reader: PaymentReader = {
    byId: async (id) => {
      read.push(id)
      const figures = { ...FIGURES, amountRefunded: id === 'repeated' ? 10 : 5 }
      const facts = { id, orderId: undefined, status: 'SETTLED', currencyCode: 'EUR', figures, refunds: [] }
      return { kind: 'payment', facts }
    },
    byOrder: () => Promise.reject(new Error('not asked')),
  }
  const verified: VerifiedRow[] = []
  let parts = 0
  await verifyRows({
    operation: 'refund',
    plannedAt: new Date(0),
    rows: () => rows,
    reader,
    onRow: (row) => verified.push(row),
    onProgress: () => (parts += 1),
  })
  const ready = rows.filter(({ verdict }) => verdict === 'ready')
  expect(verified.map(({ row }) => row)).toEqual(ready.map(({ row }) => row))
  expect(parts).toBeGreaterThan(1)
  expect(read).toEqual([...new Set(ready.map(({ paymentId }) => paymentId))])
  // Rows 1, 132, 263 and 394 are of one payment, whose two refunds are those of the first two.
  expect(verified.filter(({ state }) => state !== 'asPlanned').map(({ row, found }) => [row, found])).toEqual(
    [
      [263, 0],
      [394, 0],
    ],
  )
})
