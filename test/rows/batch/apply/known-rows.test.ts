import { describe, expect, test } from 'vitest'
import { findKnownRows, movedBy } from '../../../../src/rows/batch/apply/known-rows.ts'
import type { RecordedWrite } from '../../../../src/rows/batch/apply/known-rows.ts'
import type { ReadyRow } from '../../../../src/rows/batch/apply/ready-row.ts'
import type { RowResult } from '../../../../src/rows/batch/apply/row-result.ts'
import { createRunRows } from '../../../support/batch-plan.ts'

const row = (number: number, more: Partial<ReadyRow> = {}): ReadyRow => ({
  row: number,
  line: number + 1,
  paymentId: 'p1',
  amount: 300,
  figures: { status: 'SETTLED', amount: 1_000, amountCaptured: 1_000, amountRefunded: 0 },
  ...more,
})

const write = (more: Partial<RecordedWrite> = {}): RecordedWrite => ({
  id: 'op-1',
  idempotencyKey: 'key-1',
  state: 'confirmed',
  amount: 300,
  exitCode: 0,
  note: null,
  ...more,
})

/** What is known about each row: its outcome, or `open`. */
async function knownOf(
  rows: readonly ReadyRow[],
  writes: readonly RecordedWrite[],
  noted: readonly (readonly [number, RowResult])[] = [],
) {
  const runRows = createRunRows(noted.map(([number, result]) => ({ row: row(number), result })))
  const { open } = await findKnownRows({
    rows,
    keyOf: (one) => `key-${one.row}`,
    runRows,
    writesWith: async (keys) => writes.filter(({ idempotencyKey }) => keys.includes(idempotencyKey ?? '')),
  })
  return Object.fromEntries([
    ...rows.flatMap((one) => {
      const result = runRows.resultOf(one.row)
      return result === undefined ? [] : [[one.row, result.outcome]]
    }),
    ...open.map((one) => [one.row.row, `open as ${one.write.id}`]),
  ])
}

describe('what this machine knows about a row', () => {
  test('comes from its own write: done, or processed and refused', async () => {
    expect(await knownOf([row(1), row(2)], [write()])).toEqual({ 1: 'done' })
    expect(await knownOf([row(1)], [write({ exitCode: 13 })])).toEqual({ 1: 'failed' })
    const cancellation = row(1, { amount: undefined })
    expect(await knownOf([cancellation], [write({ amount: null })])).toEqual({ 1: 'done' })
  })

  test('is nothing if the write was refused, abandoned or is not finished', async () => {
    for (const more of [{ state: 'rejected' }, { state: 'abandoned' }, { exitCode: 8 }] as const)
      expect(await knownOf([row(1)], [write(more)])).toEqual({})
  })

  test('is that it is open, unless its end has been recorded since', async () => {
    for (const state of ['sending', 'in-doubt'] as const) {
      expect(await knownOf([row(1)], [write({ state })])).toEqual({ 1: 'open as op-1' })
      expect(await knownOf([row(1)], [write({ state }), write()])).toEqual({ 1: 'done' })
    }
  })

  test('does not come from a write of another amount, which only shares its ticket', async () => {
    const withTicket = row(1, { ticket: 'T-1' })
    const other = { amount: 700 }
    expect(await knownOf([withTicket], [write({ ...other, state: 'in-doubt' })])).toEqual({})
    expect(await knownOf([withTicket], [write(other)])).toEqual({ 1: 'skipped' })
    expect(await knownOf([row(1)], [write(other)])).toEqual({})
  })
})

describe('the journal', () => {
  test('adds rows that were skipped, but not those that failed', async () => {
    const journal = [
      [1, { outcome: 'skipped' }],
      [2, { outcome: 'failed' }],
      [3, { outcome: 'unknown' }],
    ] as const
    expect(await knownOf([row(1), row(2), row(3)], [], journal)).toEqual({ 1: 'skipped' })
  })

  test('yields to the ledger', async () => {
    const skipped = [[1, { outcome: 'skipped' }]] as const
    expect(await knownOf([row(1)], [write()], skipped)).toEqual({ 1: 'done' })
    expect(await knownOf([row(1)], [write({ state: 'in-doubt' })], skipped)).toEqual({ 1: 'open as op-1' })
  })

  test('is damaged if it has a row as done that the ledger does not have, or a row that is not ready', async () => {
    const done = [[1, { outcome: 'done' }]] as const
    await expect(knownOf([row(1)], [], done)).rejects.toThrow('has row 1 as done, and the ledger does not')
    await expect(knownOf([row(1)], [write({ exitCode: 13 })], done)).rejects.toThrow('as done')
    expect(await knownOf([row(1)], [write({ state: 'in-doubt' })], done)).toEqual({ 1: 'open as op-1' })
    const unknown = [[7, { outcome: 'failed' }]] as const
    await expect(knownOf([row(1)], [], unknown)).rejects.toThrow('has row 7, which is not a ready row')
  })
})

test('what the rows of a payment have moved includes one found by its ticket, or not', () => {
  const [done, byTicket] = [{ outcome: 'done' }, { outcome: 'done', isAnyTime: true }] as const
  const moved = (...results: readonly (RowResult | undefined)[]) =>
    movedBy(results.map((result, at) => ({ row: row(at + 1, { amount: 10 ** at }), result })))
  expect(moved()).toEqual([0])
  expect(moved(done, { outcome: 'failed' }, undefined, done)).toEqual([1001])
  expect(moved(byTicket, done, byTicket)).toEqual([111, 110, 11, 10])
})
