import { expect, test } from 'vitest'
import { buildReport } from '../../../src/views/ops/report.ts'
import type { ReportedWrite } from '../../../src/views/ops/report.ts'

const ABOUT = {
  from: '2026-03-01T00:00:00.000Z',
  to: '2026-03-02T00:00:00.000Z',
  reportedAt: '2026-03-02T00:00:00.000Z',
  reportedBy: 'ana@till',
  ledger: 'this machine only',
  checked: false,
}

const ROW: ReportedWrite = {
  outcome: 'done',
  operation: 'payment.refund',
  orderId: 'A-1',
  target: 'p1',
  amount: 500,
  currencyCode: 'EUR',
  money: '5.00 EUR',
  reason: null,
  user: 'ana',
  host: 'till',
  createdAt: '2026-03-01T10:00:00.000Z',
  endedAt: '2026-03-01T10:00:01.000Z',
  profile: 'shop',
  mode: 'live',
  baseUrl: 'https://api.example.com',
  planId: 'plan-1',
  plannedBy: 'ana@till',
  approvedBy: null,
  operationId: 'op-1',
  idempotencyKey: 'key-1',
  note: null,
}

test('rows of a plan that were applied without an approval stand apart from approved ones', () => {
  const rows = [ROW, { ...ROW, approvedBy: 'bob' }, { ...ROW, approvedBy: 'bob' }]
  expect(buildReport(ABOUT, rows).plans).toEqual([
    { planId: 'plan-1', plannedBy: 'ana@till', approvedBy: null, rows: 1 },
    { planId: 'plan-1', plannedBy: 'ana@till', approvedBy: 'bob', rows: 2 },
  ])
})
