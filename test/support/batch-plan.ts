import { CREATE_TABLES, rowsOn } from '../../src/rows/batch/apply/run-rows.ts'
import type { RunRow, RunRows } from '../../src/rows/batch/apply/run-rows.ts'
import { databaseOn } from '../../src/store/database.ts'
import { loadSqlite } from '../../src/store/sqlite.ts'

import { accountOf } from '../../src/client/calls/build-intent.ts'
import { writePlan } from '../../src/rows/batch/file/write-plan.ts'
import type { PlanHeader, PlanRow, PlanTrailer } from '../../src/rows/batch/plan.ts'

export const SANDBOX_ACCOUNT = { baseUrl: 'http://sandbox.localhost', apiKey: 'sandbox_all' }

/** The header of a plan of refunds in the embedded sandbox, made when the test clock starts. */
export const planHeader = (more: Partial<PlanHeader> = {}): PlanHeader => ({
  type: 'plan',
  version: 1,
  planId: 'plan-00000001',
  operation: 'refund',
  profile: 'sandbox',
  account: accountOf(SANDBOX_ACCOUNT),
  mode: 'test',
  baseUrl: SANDBOX_ACCOUNT.baseUrl,
  planner: 'tester@test-machine',
  createdAt: '2026-03-01T12:00:00.000Z',
  input: 'refunds.csv',
  source: { format: 'csv', delimiter: ',', encoding: 'utf-8', hasMark: false },
  ...more,
})

/** A ready row that refunds 5.00 of a captured payment of 49.90 EUR. */
export const planRow = (row: number, paymentId: string, more: Partial<PlanRow> = {}): PlanRow => {
  const amount = more.amount ?? 500
  return {
    type: 'row',
    row,
    line: row + 1,
    verdict: 'ready',
    paymentId,
    amount,
    currencyCode: 'EUR',
    figures: { status: 'SETTLED', amount: 4990, amountCaptured: 4990, amountRefunded: 0 },
    ...more,
  }
}

/** The input of a plan that has none. */
export const NO_INPUT = { bytes: 0, hash: '' }

/** Writes a plan file and returns its trailer. */
export function writeTestPlan(
  path: string,
  rows: Iterable<PlanRow>,
  header: Partial<PlanHeader> = {},
): PlanTrailer {
  const writer = writePlan({ path, shown: path, header: planHeader(header), replaces: true })
  for (const row of rows) writer.add(row)
  return writer.finish(NO_INPUT)
}

/** The notes of a plan's runs, in memory. */
export function createRunRows(noted: readonly RunRow[]): RunRows {
  const connection = loadSqlite()(':memory:')
  connection.exec(CREATE_TABLES)
  const database = databaseOn(connection, {
    explain: (error) => error,
    isFailure: () => true,
    rolledBack: (cause) => new Error('SQLite has rolled back', { cause }),
  })
  const runRows = rowsOn(database, ':memory:')
  runRows.noteAll(noted)
  return runRows
}
