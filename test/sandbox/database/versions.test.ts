import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadSqlite } from '../../../src/store/sqlite.ts'
import { TABLES_VERSION } from '../../../src/sandbox/database/tables.ts'
import { createPayment, openService, textAt } from '../service.ts'
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
    const { ino } = statSync(fileOf(service))
    await service.sandbox.reset()
    expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
    expect(statSync(fileOf(service)).ino).toBe(ino)
  })
})

test('a process that still has a kept database open removes nothing of the new one when it closes it', async () => {
  const service = await ofVersion(99)
  const old = loadSqlite()(fileOf(service))
  old.exec('PRAGMA user_version = 99')
  await service.sandbox.reset()
  const id = textAt(await createPayment(service, 'tok_visa'), 'id')
  old.close()
  // SQLite removes the log by its name, some time after it has looked whether the database still has its own.
  for (const suffix of ['-wal', '-shm']) rmSync(fileOf(service) + suffix, { force: true })
  const third = await openService(service.folder, 2)
  expect(await third.ok('GET', '/payments')).toMatchObject({ data: [{ id }] })
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
