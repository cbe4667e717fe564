import { describe, expect, test } from 'vitest'
import type { Operation } from '../../../src/api/operation.ts'
import { OPERATIONS } from '../../../src/api/table.ts'
import { loadSqlite } from '../../../src/store/sqlite.ts'
import { isWrite, checkRequest } from '../../../src/sandbox/pipeline/check-request.ts'
import { createPayment, openService, clearFaults, loggedIn } from '../service.ts'

const operations: readonly Operation[] = OPERATIONS

const checkedRequestFor = ({ method, path }: Operation, key: string) =>
  checkRequest(
    {
      method,
      url: `${path.replace(/\{\w+\}/, 'x')}${path === '/client-session' && method === 'GET' ? '?clientToken=x' : ''}`,
      headers: { 'x-api-key': key },
      body: BODIES[`${method} ${path}`],
    },
    'r',
  )

/** The smallest body that each operation accepts. */
const BODIES: Readonly<Record<string, string>> = {
  'PATCH /client-session': '{"clientToken":"x"}',
  'POST /payments': '{"paymentMethodToken":"tok_visa"}',
  'POST /payments/{id}/authorize': '{"processor":{"processorMerchantId":"alpha-1"}}',
  'POST /payments/{id}/adjust-authorization': '{"amount":1}',
  'POST /payments/{id}/resume': '{"resumeToken":"x"}',
  'POST /observability/payments':
    '{"paymentId":"p","currencyCode":"EUR","processor":{"name":"a"},"amount":1,"createdAt":"2026-01-01T00:00:00Z","order":{"id":"o"},"paymentMethod":{"paymentMethodType":"PAYMENT_CARD"}}',
  'PATCH /observability/payments/{paymentId}': '{}',
  'POST /loyalty-transactions': '{"connectionId":"points-1","customerId":"c","orderId":"o","value":1}',
  'POST /payment-instruments/{paymentMethodToken}/vault': '{"customerId":"c"}',
}

describe('what must be on disk before it is answered', () => {
  test.each(
    operations.filter(({ path }) => path !== '/payment-instruments').map((row) => [row.id, row] as const),
  )('%s', (_, operation) => {
    const hint = 'an operation whose body is required needs a row in BODIES'
    expect(isWrite(checkedRequestFor(operation, 'sandbox_all')), hint).toBe(operation.risk !== 'read')
    expect(isWrite(checkedRequestFor(operation, 'nobody'))).toBe(false)
  })
})

test('logs a request that meets a bug and changes nothing', async () => {
  const service = await openService()
  await createPayment(service, 'tok_visa')
  const connection = loadSqlite()(`${service.folder}/sandbox.db`)
  connection.exec(
    `INSERT INTO faults (doc) VALUES ('{"on":"POST /payments","do":"of a newer program","rate":1,"seed":1,"skip":0}')`,
  )
  connection.close()
  await expect(createPayment(service, 'tok_visa')).rejects.toThrow('must be one of refuse')
  await clearFaults(service)
  const [defect, good] = await loggedIn(service, 2)
  expect(defect).toMatchObject({ method: 'POST', path: '/payments', status: 500, applied: false })
  expect(good).toMatchObject({ status: 200, applied: true })
})
