import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadSqlite } from '../../../src/sandbox/database/sqlite.ts'
import { createPayment, newFolder, openService, refusal } from '../service.ts'
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
