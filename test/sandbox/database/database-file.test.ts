import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createPayment, newFolder, openService, textAt, answered, tokenized } from '../service.ts'
import type { Service } from '../service.ts'

const fileOf = (service: Service) => join(service.folder, 'sandbox.db')

async function withPayments(): Promise<Service> {
  const service = await openService()
  for (let count = 0; count < 30; count += 1) await createPayment(service, 'tok_visa')
  await service.sandbox.close()
  return service
}

const PAGE = 4096

test('a new database ignores the log of a removed one', async () => {
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

describe('a database that is removed while open', () => {
  test('is created again, so no write goes to the removed file', async () => {
    const service = await withPayments()
    await createPayment(service, 'tok_visa')
    rmSync(fileOf(service))
    expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
    const id = textAt(await createPayment(service, 'tok_visa'), 'id')
    const other = await openService(service.folder, 2)
    expect(await other.ok('GET', `/payments/${id}`)).toMatchObject({ id })
  })

  test('is an error that applies nothing if its folder was replaced by a file', async () => {
    const service = await withPayments()
    await createPayment(service, 'tok_visa')
    rmSync(service.folder, { recursive: true })
    writeFileSync(service.folder, 'a file')
    await expect(createPayment(service, 'tok_visa')).rejects.toMatchObject({
      code: 'sandbox_not_writable',
      details: { outcome: 'none' },
    })
  })

  test("is reopened after another process's reset", async () => {
    const service = await openService()
    await createPayment(service, 'tok_visa')
    writeFileSync(join(service.folder, 'sandbox-2.db'), '')
    const other = await openService(service.folder, 2)
    const id = textAt(await createPayment(other, 'tok_visa'), 'id')
    expect(await service.ok('GET', '/payments')).toMatchObject({ data: [{ id }] })
  })
})

test('an empty file, as a killed process leaves it, becomes a database', async () => {
  const service = await openService()
  writeFileSync(fileOf(service), '')
  expect(await service.ok('GET', '/payments')).toEqual({ data: [] })
})

describe('files', () => {
  test('and their folder are private to their owner', async () => {
    const folder = join(newFolder(), 'state', 'sandbox')
    const service = await openService(folder)
    await createPayment(service, 'tok_visa')
    const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777])
    expect(modes.length).toBeGreaterThanOrEqual(2)
    for (const [name, mode] of modes) expect([name, mode]).toEqual([name, 0o600])
    for (const made of [folder, join(folder, '..')]) expect(statSync(made).mode & 0o777).toBe(0o700)
  })

  test('are not created before first use', async () => {
    const folder = join(newFolder(), 'sandbox')
    await openService(folder)
    expect(existsSync(folder)).toBe(false)
  })

  test('contain no card number, client token or resume token', async () => {
    const service = await openService()
    const session = await service.ok('POST', '/client-session', {
      orderId: 'o',
      currencyCode: 'EUR',
      amount: 5,
    })
    const card = '4916994064252017'
    const clientToken = String(session['clientToken'])
    const paymentMethodToken = await tokenized(service, { card, clientToken })
    const payment = await service.ok('POST', '/payments', { paymentMethodToken })
    const action = String(Object(payment['requiredAction'])['clientToken'])
    const resumeToken = await answered(service, { clientToken: action, outcome: 'pass' })
    await service.sandbox.close()
    const bytes = readdirSync(service.folder)
      .map((name) => readFileSync(join(service.folder, name), 'latin1'))
      .join('')
    expect(bytes).toContain(String(payment['id']))
    for (const secret of [card, clientToken, action, resumeToken]) expect(bytes.includes(secret)).toBe(false)
  })

  test('give a clear error below a file', async () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    const service = await openService(join(file, 'sandbox'))
    await expect(service.call('GET', '/payments')).rejects.toMatchObject({ code: 'sandbox_not_writable' })
  })

  test.skipIf(process.getuid?.() === 0)('give a clear error in a read-only folder', async () => {
    const service = await withPayments()
    chmodSync(fileOf(service), 0o400)
    chmodSync(service.folder, 0o500)
    const failure = createPayment(service, 'tok_visa')
    await expect(failure).rejects.toMatchObject({ code: 'sandbox_not_writable', exitCode: 2 })
    chmodSync(service.folder, 0o700)
  })
})
