import { describe, expect, test } from 'vitest'
import { confirmDone } from '../../../../src/rows/batch/apply/done-elsewhere.ts'
import type { ReadyRow } from '../../../../src/rows/batch/apply/ready-row.ts'
import type { BatchOperation } from '../../../../src/rows/batch/plan.ts'
import { answerOf } from './apply-rows.ts'

const FIGURES = { status: 'SETTLED', amount: 1_000, amountCaptured: 1_000, amountRefunded: 100 } as const
const ROW: ReadyRow = { row: 1, line: 2, paymentId: 'p1', amount: 300, currencyCode: 'EUR', figures: FIGURES }

/** The outcome of a row of 3.00 EUR whose key the service knows, and whether the ledger may have it as done. */
async function outcomeOf(
  operation: BatchOperation,
  row: Partial<ReadyRow>,
  payment: { readonly status?: string; readonly captured?: number; readonly refunds?: readonly number[] },
  moved = 300,
) {
  const { status = 'SETTLED', captured = 1_000, refunds = [] } = payment
  const json = {
    id: 'p1',
    status,
    amount: 1_000,
    currencyCode: 'EUR',
    processor: { amountCaptured: captured, amountRefunded: refunds.reduce((sum, amount) => sum + amount, 0) },
    transactions: refunds.map((amount) => ({
      transactionType: 'REFUND',
      amount,
      processorStatus: 'SETTLED',
    })),
  }
  const ports = {
    call: async () => answerOf(json),
    keyOf: () => 'key-1',
    forbids: () => undefined,
    clean: (text: string) => text,
  }
  const { result, processed } = await confirmDone(
    ports,
    { planId: 'plan-1', operation },
    { ...ROW, ...row },
    [moved - 300],
  )
  return `${result.outcome}${processed === undefined ? '' : ', recorded'}`
}

describe('a row with a ticket whose key the service knows', () => {
  const refund = (refunds: readonly number[], moved?: number) =>
    outcomeOf('refund', { ticket: 'T-1' }, { refunds }, moved)
  const capture = (captured: number, moved?: number) =>
    outcomeOf(
      'capture',
      { ticket: 'T-1', figures: { ...FIGURES, status: 'AUTHORIZED', amountCaptured: 0, amountRefunded: 0 } },
      { status: 'SETTLING', captured },
      moved,
    )

  test('is done if the rows of the plan explain all that was moved', async () => {
    expect(await refund([100, 300])).toBe('done, recorded')
    expect(await refund([100, 200, 300], 500)).toBe('done, recorded')
    expect(await capture(300)).toBe('done, recorded')
  })

  test('is unknown if more was moved: the ticket may have been used for that', async () => {
    expect(await refund([100, 300, 400])).toBe('unknown')
    expect(await capture(700)).toBe('unknown')
  })

  test('is unknown if less was moved', async () => {
    expect(await refund([100, 300], 600)).toBe('unknown')
    expect(await capture(300, 600)).toBe('unknown')
  })

  test('is done if every refund has its amount: it does not matter which one it is', async () => {
    expect(await refund([300, 300, 300])).toBe('done, recorded')
  })

  test('is skipped if the payment shows no such write: the ticket was used for another one', async () => {
    expect(await refund([100, 200])).toBe('skipped')
    expect(await capture(200)).toBe('skipped')
  })
})

describe('a row without a ticket whose key the service knows', () => {
  test('is done if the payment shows it, whatever else was moved', async () => {
    expect(await outcomeOf('refund', {}, { refunds: [100, 300, 400] })).toBe('done, recorded')
    expect(await outcomeOf('cancel', { amount: undefined }, { status: 'CANCELLED' })).toBe('done, recorded')
  })

  test('is unknown if the payment does not show it', async () => {
    expect(await outcomeOf('refund', {}, { refunds: [100, 299] })).toBe('unknown')
    expect(await outcomeOf('cancel', { amount: undefined }, { status: 'SETTLED' })).toBe('unknown')
  })
})
