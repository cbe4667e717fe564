import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadSqlite } from '../../../src/sandbox/database/sqlite.ts'
import { MIGRATIONS, TABLES_VERSION } from '../../../src/sandbox/database/tables.ts'
import { checkoutWith, openCheckout, VISA } from '../checkout-calls.ts'
import { at, createPayment, newFolder, openService, refusal, textAt } from '../service.ts'
import type { Service } from '../service.ts'

const fileOf = (service: Service) => join(service.folder, 'sandbox.db')

async function withPayments(): Promise<Service> {
  const service = await openService()
  for (let count = 0; count < 30; count += 1) await createPayment(service, 'tok_visa')
  await service.sandbox.close()
  return service
}

async function newer(): Promise<Service> {
  const service = await withPayments()
  const connection = loadSqlite()(fileOf(service))
  connection.exec('PRAGMA user_version = 99')
  connection.close()
  return service
}

describe('a database of a newer program', () => {
  test('is refused with a clear error', async () => {
    const service = await newer()
    await expect(service.call('GET', '/payments')).rejects.toMatchObject({
      code: 'sandbox_newer',
      exitCode: 2,
    })
  })

  test('is kept on reset', async () => {
    const service = await newer()
    await service.sandbox.reset()
    expect(existsSync(`${fileOf(service)}.newer-1`)).toBe(true)
    expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
  })
})

/** A database as the first version of the program wrote it. */
function writeFirstVersion(path: string): void {
  const connection = loadSqlite()(path)
  connection.exec(readFileSync(new URL('../../fixtures/sandbox/version-1.sql', import.meta.url), 'utf8'))
  connection.close()
}

describe('a database of an older program', () => {
  test('is upgraded without losing data', async () => {
    const service = await openService()
    writeFirstVersion(fileOf(service))
    expect(await service.ok('GET', '/payments/Lscv9OuJU')).toMatchObject({ status: 'SETTLED' })
    const record = { paymentId: 'record-1', amount: 5 }
    expect(await service.ok('PATCH', '/observability/payments/record-1', { amount: 5 })).toMatchObject(record)
    const again = { headers: { 'x-idempotency-key': 'k' } }
    expect(await service.call('POST', '/payments/Lscv9OuJU/refund', {}, again)).toMatchObject(
      refusal(409, 'IdempotencyKeyAlreadyExists'),
    )
    expect(await service.sandbox.requests.list(10)).toHaveLength(3)
  })

  test('is upgraded once by several processes', async () => {
    const folder = newFolder()
    writeFirstVersion(join(folder, 'sandbox.db'))
    const services = await Promise.all([1, 2, 3].map((seed) => openService(folder, seed)))
    const answers = await Promise.all(services.map((service) => service.call('GET', '/payments/Lscv9OuJU')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })
})

test('waits for a database that another process is writing, even to upgrade it', async () => {
  const service = await openService()
  writeFirstVersion(fileOf(service))
  const other = loadSqlite()(fileOf(service))
  other.exec('BEGIN IMMEDIATE')
  const reading = service.ok('GET', '/payments/Lscv9OuJU')
  const isOver = await Promise.race([
    reading.then(() => true),
    new Promise((resolve) => {
      setTimeout(resolve, 30, false)
    }),
  ])
  expect(isOver).toBe(false)
  other.exec('ROLLBACK')
  other.close()
  expect(await reading).toMatchObject({ status: 'SETTLED' })
})

test('every earlier version can be upgraded', () => {
  expect(Object.keys(MIGRATIONS).map(Number)).toEqual(
    Array.from({ length: TABLES_VERSION - 1 }, (_, index) => index + 1),
  )
})

/** Undoes what version 4 changed in the tables. */
const BACK_TO_3 = `
  DROP INDEX payments_by_session;
  ALTER TABLE payments DROP COLUMN session_hash;
  ALTER TABLE requests DROP COLUMN exchanges;
`

test('lists records of version 2 by their time', async () => {
  const service = await openService()
  const { id } = await createPayment(service, 'tok_visa')
  const record = {
    currencyCode: 'EUR',
    processor: { name: 'ACME' },
    amount: 700,
    order: { id: 'order-9' },
    paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
  }
  const times = ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.5Z', '2027-01-01T00:00:00.123456789Z']
  for (const [index, createdAt] of times.entries())
    await service.ok('POST', '/observability/payments', { ...record, paymentId: `ext-${index}`, createdAt })
  await service.sandbox.close()
  const connection = loadSqlite()(fileOf(service))
  connection.exec(`
    ${BACK_TO_3}
    DROP TABLE record_additions;
    DROP INDEX external_payments_by_time;
    DROP INDEX payments_by_time;
    ALTER TABLE external_payments DROP COLUMN created_at;
    PRAGMA user_version = 2;
  `)
  connection.close()
  const upgraded = await openService(service.folder)
  const { data } = await upgraded.ok('GET', '/observability/payments')
  const ids = Array.isArray(data) ? data.map((entry) => at(entry, 'paymentId')) : []
  expect(ids).toEqual(['ext-2', id, 'ext-1', 'ext-0'])
})

test('keeps the request log of version 3, and the bodies of later requests', async () => {
  const service = await openService()
  const before = await service.call('GET', '/payments')
  await service.sandbox.close()
  const connection = loadSqlite()(fileOf(service))
  connection.exec(`${BACK_TO_3} PRAGMA user_version = 3`)
  connection.close()
  const later = await openService(service.folder, 2)
  const after = await later.call('GET', '/payments')
  expect(await later.sandbox.requests.find(before.headers['x-request-id'] ?? '')).toMatchObject({
    status: 200,
  })
  expect(await later.sandbox.requests.find(before.headers['x-request-id'] ?? '')).not.toHaveProperty(
    'response',
  )
  expect(await later.sandbox.requests.find(after.headers['x-request-id'] ?? '')).toMatchObject({
    response: { body: '{"data":[]}' },
  })
})

test('knows the payments of the sessions of version 3', async () => {
  const service = await openService()
  const checkout = await openCheckout(service)
  const { body } = await checkout.pay(VISA)
  await createPayment(service, 'tok_visa')
  await service.sandbox.close()
  const connection = loadSqlite()(fileOf(service))
  connection.exec(`
    ${BACK_TO_3}
    UPDATE payments SET doc = json_remove(doc, '$.sessionIdHash');
    PRAGMA user_version = 3;
  `)
  connection.close()
  const upgraded = checkoutWith(await openService(service.folder), checkout.clientToken)
  expect(await upgraded.call('GET', `/payments/${textAt(body, 'id')}`)).toMatchObject({ status: 200 })
  expect(await upgraded.pay(VISA)).toMatchObject(refusal(409, 'PaymentRequestLimitExceeded'))
})
