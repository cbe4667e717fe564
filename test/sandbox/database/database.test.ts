import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PayError } from '../../../src/errors.ts'
import { toDatabaseError } from '../../../src/sandbox/database/database-error.ts'
import { openDatabase } from '../../../src/sandbox/database/database-file.ts'
import { databaseOn, numberIn } from '../../../src/sandbox/database/database.ts'
import { paymentsIn } from '../../../src/sandbox/database/store/payments.ts'
import { CREATE_TABLES } from '../../../src/sandbox/database/tables.ts'
import { hasUsableSqlite, loadSqlite } from '../../../src/sandbox/database/sqlite.ts'
import { createPayment, newFolder, openService, refusal, seededRandom, textAt } from '../service.ts'
import type { Service } from '../service.ts'

const fileOf = (service: Service) => join(service.folder, 'sandbox.db')

async function withPayments(): Promise<Service> {
  const service = await openService()
  for (let count = 0; count < 30; count += 1) await createPayment(service, 'tok_visa')
  await service.sandbox.close()
  return service
}

/** A sound database's bytes, with all that was in its log. */
async function soundFile(): Promise<Buffer> {
  const path = fileOf(await withPayments())
  const connection = loadSqlite()(path)
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  connection.close()
  return readFileSync(path)
}

/** A folder of its own: a connection of this process that is not collected yet would see the change. */
async function withFile(content: Buffer): Promise<Service> {
  const service = await openService()
  writeFileSync(fileOf(service), content)
  return service
}

const PAGE = 4096

const DAMAGES: readonly [string, (sound: Buffer) => Buffer][] = [
  ['text', () => Buffer.from('this is no database, and long enough to be looked at '.repeat(100))],
  ['nothing', () => Buffer.alloc(0)],
  ['a file cut short', (sound) => sound.subarray(0, 5000)],
  ['zeroes after the first page', (sound) => Buffer.from(sound).fill(0, PAGE)],
]

describe('a damaged database', () => {
  test.each(DAMAGES)('of %s is reported and left as it is', async (_, damage) => {
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

  test.each(DAMAGES)('of %s is kept beside the new one by a reset', async (_, damage) => {
    const content = damage(await soundFile())
    const service = await withFile(content)
    await service.sandbox.reset()
    expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
    expect(readFileSync(`${fileOf(service)}.damaged-1`).equals(content)).toBe(true)
  })

  test('that only a look at every page finds is kept by a reset too', async () => {
    const content = Buffer.concat([await soundFile(), Buffer.alloc(PAGE)])
    // The number of pages in the file's header: the last one belongs to nothing.
    content.writeUInt32BE(content.length / PAGE, 28)
    const service = await withFile(content)
    await service.sandbox.reset()
    expect(readFileSync(`${fileOf(service)}.damaged-1`).equals(content)).toBe(true)
    expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
  })

  test('keeps each of several', async () => {
    const service = await openService()
    for (const text of ['one', 'two']) {
      await service.sandbox.close()
      writeFileSync(fileOf(service), text)
      await service.sandbox.reset()
    }
    expect(readFileSync(`${fileOf(service)}.damaged-2`, 'utf8')).toBe('two')
    expect(readFileSync(`${fileOf(service)}.damaged-1`, 'utf8')).toBe('one')
  })
})

async function newer(): Promise<Service> {
  const service = await withPayments()
  const connection = loadSqlite()(fileOf(service))
  connection.exec('PRAGMA user_version = 99')
  connection.close()
  return service
}

test('a log whose database was removed is not read into the new one', async () => {
  const before = await openService()
  await createPayment(before, 'tok_visa')
  const log = readFileSync(`${fileOf(before)}-wal`)
  expect(log.length).toBeGreaterThan(PAGE)
  const after = await openService()
  writeFileSync(`${fileOf(after)}-wal`, log)
  expect(await after.ok('GET', '/payments')).toEqual({ data: [] })
  await after.sandbox.reset()
  expect(readdirSync(after.folder).filter((name) => name.includes('damaged'))).toEqual([])
})

describe('a database of a newer program', () => {
  test('is refused with words', async () => {
    const service = await newer()
    await expect(service.call('GET', '/payments')).rejects.toMatchObject({
      code: 'sandbox_newer',
      exitCode: 2,
    })
  })

  test('is kept by a reset', async () => {
    const service = await newer()
    await service.sandbox.reset()
    expect(existsSync(`${fileOf(service)}.newer-1`)).toBe(true)
    expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
  })
})

/** A database as the first version of the program left it. */
function writeFirstVersion(path: string): void {
  const connection = loadSqlite()(path)
  connection.exec(readFileSync(new URL('../../fixtures/sandbox/version-1.sql', import.meta.url), 'utf8'))
  connection.close()
}

describe('a database of an older program', () => {
  test('is brought up to date, and loses nothing', async () => {
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

  test('is brought up to date once by several at the same time', async () => {
    const folder = newFolder()
    writeFirstVersion(join(folder, 'sandbox.db'))
    const services = await Promise.all([1, 2, 3].map((seed) => openService(folder, seed)))
    const answers = await Promise.all(services.map((service) => service.call('GET', '/payments/Lscv9OuJU')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })
})

describe('a database that somebody takes away', () => {
  test('is made anew: nothing is written where nobody will find it', async () => {
    const service = await withPayments()
    await createPayment(service, 'tok_visa')
    rmSync(fileOf(service))
    expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
    const id = textAt(await createPayment(service, 'tok_visa'), 'id')
    const other = await openService(service.folder, 2)
    expect(await other.ok('GET', `/payments/${id}`)).toMatchObject({ id })
  })

  test('with its folder, which is a file now, is an error that says so and applies nothing', async () => {
    const service = await withPayments()
    await createPayment(service, 'tok_visa')
    rmSync(service.folder, { recursive: true })
    writeFileSync(service.folder, 'a file')
    await expect(createPayment(service, 'tok_visa')).rejects.toMatchObject({
      code: 'sandbox_not_writable',
      details: { outcome: 'none' },
    })
  })

  test('by a reset of another process is left', async () => {
    const service = await openService()
    await createPayment(service, 'tok_visa')
    renameSync(fileOf(service), `${fileOf(service)}.damaged-1`)
    const other = await openService(service.folder, 2)
    const id = textAt(await createPayment(other, 'tok_visa'), 'id')
    expect(await service.ok('GET', '/payments')).toMatchObject({ data: [{ id }] })
  })
})

test('a database that another process is just changing is waited for, also where it is to be brought up to date', async () => {
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

describe('a document that cannot be read', () => {
  async function withDamage(column: string): Promise<Service> {
    const service = await withPayments()
    const connection = loadSqlite()(fileOf(service))
    connection.exec(`UPDATE payments SET ${column} WHERE seq = 7`)
    connection.close()
    return service
  }

  test.each([`doc = '{"x', due_at = 1`, `doc = '{}', due_at = 1`])(
    'is told of, and a reset begins anew: %s',
    async (change) => {
      const service = await withDamage(change)
      await expect(service.call('GET', '/payments?limit=1')).rejects.toMatchObject({
        code: 'sandbox_damaged',
        details: { next: ['pay sandbox reset'] },
      })
      await service.sandbox.reset()
      expect(existsSync(`${fileOf(service)}.damaged-1`)).toBe(true)
      expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
    },
  )

  test('concerns those alone that ask for it', async () => {
    const service = await withDamage(`doc = '{"x'`)
    expect(await service.ok('GET', '/payments?limit=1')).toMatchObject({ data: [{}] })
    await expect(service.call('GET', '/payments')).rejects.toMatchObject({ code: 'sandbox_damaged' })
  })
})

test('what a kill left of making a database is removed, once it is old', async () => {
  const service = await openService()
  const [old, young] = ['old', 'young'].map((name) => `${fileOf(service)}.new-${name}`)
  for (const path of [old, young]) writeFileSync(path ?? '', 'half a database')
  utimesSync(old ?? '', new Date(0), new Date(0))
  await createPayment(service, 'tok_visa')
  expect(readdirSync(service.folder).filter((name) => name.includes('.new-'))).toEqual([
    'sandbox.db.new-young',
  ])
})

describe('files', () => {
  test('are for their owner alone, and so is the folder', async () => {
    const folder = join(newFolder(), 'state', 'sandbox')
    const service = await openService(folder)
    await createPayment(service, 'tok_visa')
    const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777])
    expect(modes.length).toBeGreaterThanOrEqual(2)
    for (const [name, mode] of modes) expect([name, mode]).toEqual([name, 0o600])
    for (const made of [folder, join(folder, '..')]) expect(statSync(made).mode & 0o777).toBe(0o700)
  })

  test('are not made before the sandbox is used', async () => {
    const folder = join(newFolder(), 'sandbox')
    await openService(folder)
    expect(existsSync(folder)).toBe(false)
  })

  test('hold no card number, client token or resume token', async () => {
    const service = await openService()
    const session = await service.ok('POST', '/client-session', {
      orderId: 'o',
      currencyCode: 'EUR',
      amount: 5,
    })
    const card = '4916994064252017'
    const clientToken = String(session['clientToken'])
    const { paymentMethodToken } = await service.sandbox.tokenize({ card, clientToken })
    const payment = await service.ok('POST', '/payments', { paymentMethodToken })
    const action = String(Object(payment['requiredAction'])['clientToken'])
    const { resumeToken } = await service.sandbox.challenge({ clientToken: action, outcome: 'pass' })
    await service.sandbox.close()
    const bytes = readdirSync(service.folder)
      .map((name) => readFileSync(join(service.folder, name), 'latin1'))
      .join('')
    expect(bytes).toContain(String(payment['id']))
    for (const secret of [card, clientToken, action, resumeToken]) expect(bytes.includes(secret)).toBe(false)
  })

  test('below a file are refused with words', async () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    const service = await openService(join(file, 'sandbox'))
    await expect(service.call('GET', '/payments')).rejects.toMatchObject({ code: 'sandbox_not_writable' })
  })

  test.skipIf(process.getuid?.() === 0)('in a folder that is read-only are refused with words', async () => {
    const service = await withPayments()
    chmodSync(fileOf(service), 0o400)
    chmodSync(service.folder, 0o500)
    const failure = createPayment(service, 'tok_visa')
    await expect(failure).rejects.toMatchObject({ code: 'sandbox_not_writable', exitCode: 2 })
    chmodSync(service.folder, 0o700)
  })
})

describe('words for the errors of the database', () => {
  test.each([
    [8, 'sandbox_not_writable', 'none'],
    [14, 'sandbox_not_writable', 'none'],
    [5, 'sandbox_busy', 'none'],
    // SQLITE_BUSY_SNAPSHOT
    [517, 'sandbox_busy', 'none'],
    [13, 'sandbox_disk_full', 'none'],
    [10, 'sandbox_disk', 'unknown'],
    // SQLITE_IOERR_WRITE
    [778, 'sandbox_disk', 'unknown'],
    [26, 'sandbox_damaged', 'none'],
    [11, 'sandbox_damaged', 'none'],
  ])('result code %i', (errcode, code, outcome) => {
    const error = Object.assign(new Error('whatever it says'), { code: 'ERR_SQLITE_ERROR', errcode })
    const worded = toDatabaseError(error, '/state/sandbox.db')
    expect(worded).toMatchObject({ code, details: { outcome, cause: error } })
    expect(String(worded)).toContain('/state/sandbox.db')
  })

  test.each([
    ['EROFS', 'sandbox_not_writable'],
    ['ENOSPC', 'sandbox_disk_full'],
  ])('system code %s', (systemCode, code) => {
    const error = Object.assign(new Error('whatever it says'), { code: systemCode })
    expect(toDatabaseError(error, '/state/sandbox.db')).toMatchObject({ code })
  })

  test('an error that is none of them stays as it is', () => {
    const error = new TypeError('a defect of ours')
    expect(toDatabaseError(error, '/x')).toBe(error)
  })
})

const open = () => openDatabase(newFolder(), seededRandom(1)).database

const insert = (name: string) => ['INSERT INTO settings (name, value) VALUES (?, ?)', name, 'x'] as const

describe('transactions', () => {
  const names = 'SELECT name FROM settings ORDER BY name'

  test('write nothing when the work throws', async () => {
    const database = open()
    const work = () =>
      database.transaction(() => {
        database.run(...insert('a'))
        throw new Error('no')
      })
    expect(work).toThrow('no')
    expect(database.all(names)).toEqual([])
    database.close()
  })

  test('keep what was written around a failed attempt', async () => {
    const database = open()
    database.transaction(() => {
      database.run(...insert('before'))
      expect(() =>
        database.attempt(() => {
          database.run(...insert('within'))
          throw new Error('no')
        }),
      ).toThrow('no')
      database.run(...insert('later'))
    })
    expect(database.all(names).map((row) => row['name'])).toEqual(['before', 'later'])
    database.close()
  })

  test('that SQLite has rolled back by itself end for everybody in them', () => {
    const database = open()
    const work = () =>
      database.transaction(() => {
        database.run(...insert('before'))
        database.attempt(() => {
          database.run('ROLLBACK')
          throw new Error('out of memory')
        })
      })
    expect(work).toThrow(expect.objectContaining({ code: 'sandbox_disk', details: expect.anything() }))
    expect(database.all(names)).toEqual([])
    database.close()
  })

  test('reach the disk before they are over, unless nothing depends on it', () => {
    const database = open()
    const syncing = () => numberIn(database.get('PRAGMA synchronous'), 'synchronous')
    const FULL = 2
    database.transaction(() => database.run(...insert('a')))
    expect(syncing()).toBe(FULL)
    database.transaction(() => database.run(...insert('b')), { isDurable: false })
    expect(syncing()).toBeLessThan(FULL)
    database.transaction(() => database.run(...insert('c')), { isDurable: true })
    expect(syncing()).toBe(FULL)
    database.close()
  })

  test('prepare one statement for lists of any length', () => {
    const prepared = new Set<string>()
    const connection = loadSqlite()(join(newFolder(), 'statements.db'))
    connection.exec(CREATE_TABLES)
    const spying = {
      ...connection,
      exec: (sql: string) => connection.exec(sql),
      prepare: (sql: string) => {
        prepared.add(sql)
        return connection.prepare(sql)
      },
      close: () => connection.close(),
    }
    const payments = paymentsIn(databaseOn(spying, 'statements.db'))
    for (let length = 1; length <= 60; length += 1)
      payments.list({ orderId: Array.from({ length }, (_, index) => `o-${index}`) }, undefined, 10)
    expect(prepared.size).toBe(1)
    expect(payments.list({ orderId: Array.from({ length: 40_000 }, String) }, undefined, 10)).toEqual([])
    connection.close()
  })

  test('a statement that SQLite refuses is an error of ours', async () => {
    const database = open()
    expect(() => database.run('INSERT INTO nothing VALUES (1)')).toThrow('nothing')
    database.close()
  })
})

test.each([
  ['20.20.2', false],
  ['22.12.0', false],
  ['22.13.0', true],
  ['23.0.0', true],
  ['26.1.0', true],
])('Node %s has an SQLite of its own: %s', (version, usable) => {
  expect(hasUsableSqlite(version)).toBe(usable)
})
