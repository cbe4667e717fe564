import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { HttpRequest } from '../../../../src/client/http/transport-port.ts'
import { hasPostgres, teamDatabase } from '../../../client/ledger/team/postgres.ts'
import { seededRandom } from '../../../sandbox/service.ts'
import { planRow, writeTestPlan } from '../../../support/batch-plan.ts'
import { createBench } from '../../../support/run-pay.ts'
import type { Bench } from '../../../support/run-pay.ts'
import { createRefundingService } from './refunding-service.ts'

const PAYMENTS = 4
const ROWS_OF_EACH = 3
const ROWS = Array.from({ length: PAYMENTS * ROWS_OF_EACH }, (_, at) =>
  planRow(at + 1, `p${at % PAYMENTS}`, at % 5 === 0 ? { ticket: `T-${at}` } : {}),
)

const APPLY = `batch apply p.plan.ndjson --json --yes --expect-total '60.00 EUR' --expect-count ${ROWS.length}`

let url = ''
let sql: Awaited<ReturnType<typeof teamDatabase>>['sql']
let benches: readonly Bench[] = []

/** A service that takes its time, before and after it refunds. */
function slowService(seed: number) {
  const random = seededRandom(seed)
  const service = createRefundingService()
  const wait = () => new Promise((resolve) => setTimeout(resolve, random() * 12))
  return {
    ...service,
    serve: async (request: HttpRequest) => {
      await wait()
      const answer = service.serve(request)
      await wait()
      return answer
    },
  }
}

function machineOf(bench: Bench, serve: ReturnType<typeof slowService>['serve']) {
  const env = {
    PAY_BASE_URL: 'https://api.example.com',
    PAY_API_KEY: 'key-a',
    PAY_LEDGER: url,
    PAY_LEDGER_ACCOUNT: 'acme',
    HOME: bench.folder,
  }
  writeTestPlan(join(bench.folder, 'p.plan.ndjson'), ROWS, {
    account: 'acme',
    baseUrl: 'https://api.example.com',
  })
  return async () => {
    const r = await bench.runPay(APPLY, { service: serve, env })
    if (r.stdout === '') throw new Error(r.stderr)
    return { ...r, summary: JSON.parse(r.stdout) }
  }
}

describe.skipIf(!hasPostgres)("two machines that apply one plan at once on a team's ledger", () => {
  beforeAll(async () => {
    ;({ url, sql } = await teamDatabase())
  })
  beforeEach(async () => {
    await sql('TRUNCATE writes')
    benches = [createBench(), createBench({ idsAfter: 1000 })]
    // A reading of a payment is only known to be stale by the time that has passed since.
    const startMs = Date.UTC(2026, 2, 1, 12) - performance.now()
    for (const { clock } of benches)
      Object.defineProperty(clock, 'now', { get: () => new Date(startMs + performance.now()), set: () => {} })
  })
  afterEach(() => {
    for (const bench of benches) bench.dispose()
  })

  test.each([1, 2, 3, 4, 5, 6])('do each row once, and say so (%i)', async (seed) => {
    const { serve, refunded } = slowService(seed)
    const machines = benches.map((bench) => machineOf(bench, serve))
    const ends = await Promise.all(machines.map((apply) => apply()))

    expect(refunded).toEqual(
      new Map(Array.from({ length: PAYMENTS }, (_, at) => [`p${at}`, 500 * ROWS_OF_EACH])),
    )
    // A row that the other one is doing at the end is left to it; none is skipped.
    for (const { exitCode, stderr, summary } of ends) {
      expect(summary, stderr).toMatchObject({ skipped: 0, failed: 0, unknown: 0 })
      expect(exitCode, stderr).toBe(summary.left === 0 ? 0 : 14)
    }
    for (const apply of machines) {
      const { exitCode, stderr, summary, requests } = await apply()
      expect(exitCode, stderr).toBe(0)
      expect(summary).toMatchObject({ done: ROWS.length, totals: [{ amount: 500 * ROWS.length }] })
      expect(requests.filter(({ method }) => method === 'POST')).toEqual([])
    }
  })
})
