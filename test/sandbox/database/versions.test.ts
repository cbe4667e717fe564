import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadSqlite } from '../../../src/store/sqlite.ts'
import { TABLES_VERSION } from '../../../src/sandbox/database/tables.ts'
import { createPayment, openService } from '../service.ts'
import type { Service } from '../service.ts'

const fileOf = (service: Service) => join(service.folder, 'sandbox.db')

async function ofVersion(version: number): Promise<Service> {
  const service = await openService()
  await createPayment(service, 'tok_visa')
  await service.sandbox.close()
  const connection = loadSqlite()(fileOf(service))
  connection.exec(`PRAGMA user_version = ${version}`)
  connection.close()
  return service
}

describe.each([
  ['newer', 99],
  ['older', TABLES_VERSION - 1],
])('a database of a program that is %s', (kind, version) => {
  test('is refused with a clear error', async () => {
    const service = await ofVersion(version)
    await expect(service.call('GET', '/payments')).rejects.toMatchObject({
      code: `sandbox_${kind}`,
      exitCode: 2,
      details: { next: ['pay sandbox reset'] },
    })
  })

  test('is kept on reset', async () => {
    const service = await ofVersion(version)
    await service.sandbox.reset()
    expect(existsSync(`${fileOf(service)}.${kind}-1`)).toBe(true)
    expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
  })
})

test('waits for a database that another process is writing', async () => {
  const service = await ofVersion(TABLES_VERSION)
  const other = loadSqlite()(fileOf(service))
  other.exec('BEGIN IMMEDIATE')
  const reading = service.ok('GET', '/payments')
  const isOver = await Promise.race([
    reading.then(() => true),
    new Promise((resolve) => {
      setTimeout(resolve, 30, false)
    }),
  ])
  expect(isOver).toBe(false)
  other.exec('ROLLBACK')
  other.close()
  expect(await reading).toMatchObject({ data: [{}] })
})
