import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { PayError } from '../../../src/errors.ts'
import { loadSqlite } from '../../../src/store/sqlite.ts'
import { openDatabase } from '../../../src/sandbox/database/database-file.ts'
import { transactionsIn } from '../../../src/sandbox/database/transactions.ts'
import { makeIdentifiers } from '../../../src/sandbox/domain/identifiers.ts'
import { createPayment, newFolder, NOW, openService } from '../service.ts'
import type { Service } from '../service.ts'

const fileOf = (service: Service) => join(service.folder, 'sandbox.db')

async function withPayments(): Promise<Service> {
  const service = await openService()
  for (let count = 0; count < 30; count += 1) await createPayment(service, 'tok_visa')
  await service.sandbox.close()
  return service
}

/** The bytes of an intact database, including its log. */
async function soundFile(): Promise<Buffer> {
  const path = fileOf(await withPayments())
  const connection = loadSqlite()(path)
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  connection.close()
  return readFileSync(path)
}

/** Uses a new folder: an uncollected connection of this process would notice the change. */
async function withFile(content: Buffer): Promise<Service> {
  const service = await openService()
  writeFileSync(fileOf(service), content)
  return service
}

const PAGE = 4096

const DAMAGES: readonly [string, (sound: Buffer) => Buffer][] = [
  ['text', () => Buffer.from('this is no database, and long enough to be looked at '.repeat(100))],
  ['a file cut short', (sound) => sound.subarray(0, 5000)],
  ['zeroes after the first page', (sound) => Buffer.from(sound).fill(0, PAGE)],
]

describe('a damaged database', () => {
  test.each(DAMAGES)('%s: is reported and left as it is', async (_, damage) => {
    const content = damage(await soundFile())
    const service = await withFile(content)
    const failure: unknown = await service.call('GET', '/payments').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(PayError)
    expect(failure).toMatchObject({
      code: 'sandbox_damaged',
      exitCode: 2,
      details: { next: ['pay sandbox reset'] },
    })
    expect(String(failure)).toContain(fileOf(service))
    expect(readFileSync(fileOf(service)).equals(content)).toBe(true)
  })

  test.each(DAMAGES)('%s: is kept on reset, next to the new one', async (_, damage) => {
    const content = damage(await soundFile())
    const service = await withFile(content)
    await service.sandbox.reset()
    expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
    expect(readFileSync(fileOf(service)).equals(content)).toBe(true)
  })

  test('is also kept on reset if only a check of every page finds the damage', async () => {
    const content = Buffer.concat([await soundFile(), Buffer.alloc(PAGE)])
    // The number of pages in the file header: the last page isn't used.
    content.writeUInt32BE(content.length / PAGE, 28)
    const service = await withFile(content)
    await service.sandbox.reset()
    expect(readFileSync(fileOf(service)).equals(content)).toBe(true)
    expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
  })

  test('keeps each of several damaged files', async () => {
    const service = await openService()
    const files = ['sandbox.db', 'sandbox-2.db'].map((name) => join(service.folder, name))
    for (const file of files) {
      await service.sandbox.close()
      writeFileSync(file, `damaged: ${file}`)
      await service.sandbox.reset()
    }
    expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
    for (const file of files) expect(readFileSync(file, 'utf8')).toBe(`damaged: ${file}`)
  })
})

test('of two processes that find the damage, one begins a new database, and the other keeps it', () => {
  const folder = newFolder()
  const file = join(folder, 'sandbox.db')
  writeFileSync(file, 'no database')
  const find = () => {
    const transactions = transactionsIn({ folder, now: () => NOW, ids: makeIdentifiers(Math.random) })
    try {
      transactions.transact(() => undefined, { isDurable: true })
    } catch (error) {
      onTestFinished(() => transactions.close())
      return () => transactions.replace(error)
    }
    throw new Error('the database is sound')
  }
  const [one, other] = [find(), find()]
  expect(one()).toBe(true)
  openDatabase(folder).database.close()
  expect(other()).toBe(true)
  expect(readdirSync(folder).filter((name) => name.endsWith('.db'))).toEqual(['sandbox-2.db', 'sandbox.db'])
  expect(readFileSync(file, 'utf8')).toBe('no database')
})

describe('an unreadable document', () => {
  async function withDamage(doc: string, isDue = false): Promise<Service> {
    const service = await withPayments()
    const connection = loadSqlite()(fileOf(service))
    connection.exec(`UPDATE documents SET doc = '${doc}' WHERE seq = 7`)
    if (isDue) connection.exec('UPDATE records SET due_at = 1 WHERE seq = 7')
    connection.close()
    return service
  }

  test.each(['{"x', '{}'])('is reported, and reset starts over: %s', async (doc) => {
    const service = await withDamage(doc, true)
    await expect(service.call('GET', '/payments?limit=1')).rejects.toMatchObject({
      code: 'sandbox_damaged',
      details: { next: ['pay sandbox reset'] },
    })
    await service.sandbox.reset()
    expect(existsSync(join(service.folder, 'sandbox-2.db'))).toBe(true)
    expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
  })

  test('affects only requests that read it', async () => {
    const service = await withDamage('{"x')
    expect(await service.ok('GET', '/payments?limit=1')).toMatchObject({ data: [{}] })
    await expect(service.call('GET', '/payments')).rejects.toMatchObject({ code: 'sandbox_damaged' })
  })
})
