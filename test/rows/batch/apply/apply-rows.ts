import type { PlanIdentity } from '../../../../src/rows/batch/apply/ready-row.ts'
import { readyRowsOf } from '../../../../src/rows/batch/apply/ready-row.ts'
import type { RowResult } from '../../../../src/rows/batch/apply/row-result.ts'
import { applyRows } from '../../../../src/rows/batch/apply/run.ts'
import { DEFAULT_MAX_WAIT_MS, Patience } from '../../../../src/rows/send/patience.ts'
import type { Answer, Call } from '../../../../src/client/calls/call.ts'
import { EXIT } from '../../../../src/errors.ts'
import type { PlanRow } from '../../../../src/rows/batch/plan.ts'
import { createRunRows, planRow } from '../../../support/batch-plan.ts'

interface TestRun {
  readonly operation: PlanIdentity['operation']
  /** The amounts of the rows, which are all on payment p1. */
  readonly amounts: readonly number[]
  readonly figures: NonNullable<Parameters<typeof planRow>[2]>['figures']
  /** What earlier runs have noted. */
  readonly journal?: ReadonlyMap<number, RowResult>
  readonly call: (call: Call) => Promise<Answer>
}

/** Applies rows on one payment. Returns their results in the order of the file. */
export async function applyTestRows({ operation, amounts, figures, journal = new Map(), call }: TestRun) {
  const planned = amounts.map((amount, index) => planRow(index + 1, 'p1', { amount, figures }))
  const isLast = ({ row }: PlanRow) => row === amounts.length
  const final =
    operation === 'capture'
      ? planned.map((row) => (isLast(row) ? row : ({ ...row, final: false } as const)))
      : planned
  const rows = [...readyRowsOf(() => final)]
  const runRows = createRunRows(rows.map((row) => ({ row, result: journal.get(row.row) })))
  await applyRows({
    plan: { planId: 'plan-00000001', operation },
    rows,
    ready: rows.length,
    runRows,
    call,
    keyOf: ({ row }) => `key-${row}`,
    writesWith: async () => [],
    settleWrite: () => Promise.reject(new Error('nothing is open')),
    forbids: () => undefined,
    clean: (text) => text,
    concurrency: 4,
    maxFailures: undefined,
    patience: new Patience(DEFAULT_MAX_WAIT_MS, () => new Date(0)),
    stop: new AbortController().signal,
    sleep: async () => undefined,
    onProgress: () => undefined,
  })
  return rows.map(({ row }) => runRows.resultOf(row))
}

export const answerOf = (json: unknown): Answer => ({
  status: 200,
  text: '',
  json,
  exitCode: EXIT.done,
  requestId: undefined,
  operationId: undefined,
  idempotencyKey: undefined,
  note: undefined,
  warning: undefined,
})
