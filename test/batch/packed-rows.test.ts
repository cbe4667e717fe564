import { expect, test } from 'vitest'
import { packRows } from '../../src/batch/packed-rows.ts'
import type { ReadyRow } from '../../src/batch/apply/ready-row.ts'

const figures = { status: 'SETTLED', amount: 4990, amountCaptured: 4990, amountRefunded: 0 }
const rowsOf = (count: number): readonly ReadyRow[] =>
  Array.from({ length: count }, (_, index) => ({
    row: index + 1,
    paymentId: `pay-${index}`,
    figures,
    amount: index,
    reason: 'Lieferung "beschädigt" 😀',
  }))

test.each([0, 1, 499, 500, 501, 1_234])('%i rows come back as they were, every time', (count) => {
  const rows = rowsOf(count)
  const packed = packRows(rows)
  expect([...packed]).toEqual(rows)
  expect([...packed]).toEqual(rows)
})

test('rows that are iterated at the same time are not mixed up', () => {
  const packed = packRows(rowsOf(600))
  for (const one of packed) for (const other of packed) if (other.row === one.row) expect(other).toEqual(one)
})
