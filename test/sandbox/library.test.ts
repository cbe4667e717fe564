import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { identityIn } from '../../src/sandbox/database/database-file.ts'
import { startSandbox } from '../../src/sandbox/library.ts'
import type { Sandbox, SandboxOptions } from '../../src/sandbox/library.ts'
import { newFolder } from '../support/folder.ts'

const STANDING = { clock: '2026-01-01T00:00:00Z', seed: 7 } as const
const REFUNDS = { on: 'POST /payments/*/refund' } as const

async function started(options: SandboxOptions = STANDING): Promise<Sandbox> {
  const sandbox = await startSandbox(options)
  onTestFinished(() => sandbox.close())
  return sandbox
}

async function send(sandbox: Sandbox, path: string, body: unknown, key?: string) {
  const headers = new Headers(key === undefined ? {} : { 'X-Idempotency-Key': key })
  const response = await sandbox.fetch(path, { method: 'POST', body: JSON.stringify(body), headers })
  return { status: response.status, text: await response.text() }
}

const ORDER = { amount: 4990, currencyCode: 'EUR', orderId: 'A-1' } as const
const pay = (sandbox: Sandbox, token = 'tok_autocapture') =>
  send(sandbox, '/payments', { ...ORDER, paymentMethodToken: token })

async function payId(sandbox: Sandbox): Promise<string> {
  return /"id":"(\w+)"/.exec((await pay(sandbox)).text)?.[1] ?? ''
}

/** A session, its token and its payment: all kinds of IDs, dates and tokens. */
async function everything(sandbox: Sandbox): Promise<readonly string[]> {
  const session = (await send(sandbox, '/client-session', { currencyCode: 'EUR', orderId: 'A-2' })).text
  const clientToken = /"clientToken":"([^"]+)"/.exec(session)?.[1] ?? ''
  const token = await sandbox.tokenize('4111111111111111', { clientToken })
  return [session, token, (await pay(sandbox, await sandbox.tokenize('4111111111111111'))).text]
}

describe('a lost response', () => {
  test('is a network error, and the log shows that the refund was made once', async () => {
    const sandbox = await started()
    const id = await payId(sandbox)
    await sandbox.faults.add({ ...REFUNDS, do: 'drop-after', times: 1 })
    const refund = () => send(sandbox, `/payments/${id}/refund`, { amount: 500 }, 'refund-1')
    await expect(refund()).rejects.toThrow('fetch failed')
    expect(await refund()).toMatchObject({ status: 409 })
    const path = `/payments/${id}/refund`
    const seen = { method: 'POST', path, idempotencyKey: 'refund-1', body: { amount: 500 } }
    expect(await sandbox.requests(REFUNDS)).toEqual([
      { ...seen, status: 0, applied: true },
      { ...seen, status: 409, applied: false },
    ])
    expect(await sandbox.requests()).toHaveLength(3)
  })

  test('is over once the faults are cleared', async () => {
    const sandbox = await started()
    await sandbox.faults.add({ on: '/**', do: 'status=503' })
    expect(await pay(sandbox)).toMatchObject({ status: 503 })
    await sandbox.faults.clear()
    expect(await pay(sandbox)).toMatchObject({ status: 200 })
  })
})

test('the log keeps every body, however fast requests arrive', async () => {
  const sandbox = await started()
  await Promise.all(Array.from({ length: 50 }, () => pay(sandbox)))
  const requests = await sandbox.requests()
  expect(requests.map(({ body }) => body)).toEqual(
    Array.from({ length: 50 }, () => ({ ...ORDER, paymentMethodToken: 'tok_autocapture' })),
  )
})

describe('fetch', () => {
  test('sends the API key and the version, and what it is given in place of them', async () => {
    const sandbox = await started()
    const given = await sandbox.fetch('/payments', { headers: { 'x-api-key': 'wrong' } })
    expect(given.status).toBe(401)
    expect((await sandbox.fetch('/payments')).status).toBe(200)
    expect((await sandbox.fetch('/payments', { headers: { 'X-Api-Version': '1.0' } })).status).toBe(400)
  })

  test('any other client needs the address and the key', async () => {
    const { url, apiKey } = await started()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const response = await fetch(`${url}/payments`, { headers: { 'x-api-key': apiKey } })
    expect(response.status).toBe(200)
  })
})

describe('the clock', () => {
  test('stands still at the given time, and moves when it is told to', async () => {
    const sandbox = await started({ clock: new Date('2026-01-01T00:00:00Z') })
    expect(await sandbox.clock.now()).toEqual(new Date('2026-01-01T00:00:00Z'))
    const { text } = await pay(sandbox)
    expect(text).toContain('"date":"2026-01-01T00:00:00.000000"')
    expect(await sandbox.clock.advance('1h30m')).toEqual(new Date('2026-01-01T01:30:00Z'))
    expect(await sandbox.clock.now()).toEqual(new Date('2026-01-01T01:30:00Z'))
  })

  test('runs with that of the machine otherwise', async () => {
    const sandbox = await started({})
    const behindMs = Date.now() - (await sandbox.clock.now()).getTime()
    expect(Math.abs(behindMs)).toBeLessThan(60_000)
  })
})

describe('the same clock and seed', () => {
  test('give the same bytes', async () => {
    const [one, other, different] = await Promise.all([
      started(),
      started(),
      started({ ...STANDING, seed: 8 }),
    ])
    expect(await everything(one)).toEqual(await everything(other))
    expect(await everything(different)).not.toEqual(await everything(one))
  })

  test('give the same IDs whatever the test controls and reads in between, and in a folder', async () => {
    const folder = newFolder()
    const [one, other] = [await started(), await started({ ...STANDING, folder: join(folder, 'data') })]
    await other.faults.add({ ...REFUNDS, do: 'drop-after', seed: 1 })
    await other.faults.add({ ...REFUNDS, do: 'drop-after', rate: 0.5 })
    await other.faults.clear()
    await other.tokenize('1234').catch(() => undefined)
    await other.requests()
    await other.restore(await other.snapshot())
    expect(await everything(one)).toEqual(await everything(other))
  })
})

describe('a snapshot', () => {
  test('brings back data, clock, keys, faults, log and the sequence of IDs', async () => {
    const sandbox = await started()
    const id = await payId(sandbox)
    await sandbox.faults.add({ on: 'GET /payments', do: 'status=503' })
    await sandbox.clock.advance('1h')
    const refund = () => send(sandbox, `/payments/${id}/refund`, { amount: 500 }, 'refund-1')
    await refund()
    const before = await sandbox.snapshot()
    const next = [await everything(sandbox), await refund()]
    await sandbox.clock.advance('5h')
    await sandbox.faults.clear()
    await sandbox.restore(before)
    expect(await sandbox.clock.now()).toEqual(new Date('2026-01-01T01:00:00Z'))
    expect(await sandbox.requests()).toHaveLength(2)
    expect([await everything(sandbox), await refund()]).toEqual(next)
    expect(await sandbox.fetch('/payments')).toMatchObject({ status: 503 })
  })

  test('survives JSON, and moves into another sandbox with its time and its IDs', async () => {
    const [from, into] = [await started(), await started({ clock: '2030-06-07T08:09:10Z', seed: 1 })]
    await everything(from)
    await pay(into)
    await into.restore(JSON.parse(JSON.stringify(await from.snapshot())))
    expect(await into.clock.now()).toEqual(new Date('2026-01-01T00:00:00Z'))
    expect(await everything(into)).toEqual(await everything(from))
  })

  test('of another version is refused', async () => {
    const sandbox = await started()
    const snapshot = { ...(await sandbox.snapshot()), version: 1 }
    await expect(sandbox.restore(snapshot)).rejects.toThrow('another version of payctl')
  })

  test.each([{ now: 'soon' }, { seed: 1.5 }, { drawn: -0.5 }])('with %j is refused', async (damage) => {
    const sandbox = await started()
    const snapshot = { ...(await sandbox.snapshot()), ...damage }
    await expect(sandbox.restore(snapshot)).rejects.toThrow('damaged')
    expect(await sandbox.clock.now()).toEqual(new Date(STANDING.clock))
  })
})

describe('a folder', () => {
  test('keeps the data', async () => {
    const folder = newFolder()
    const first = await startSandbox({ ...STANDING, folder })
    const id = await payId(first)
    await first.close()
    const second = await started({ ...STANDING, folder })
    expect((await second.fetch(`/payments/${id}`)).status).toBe(200)
  })
})

describe('closing', () => {
  test('ends the server, also for requests that would wait for hours, and what uses it', async () => {
    const sandbox = await startSandbox(STANDING)
    await sandbox.faults.add({ on: 'GET /payments', do: 'delay=2h' })
    await sandbox.faults.add({ on: 'POST /payments', do: 'hang' })
    const waiting = [sandbox.fetch('/payments'), pay(sandbox)].map((response) =>
      expect(response).rejects.toThrow('fetch failed'),
    )
    await vi.waitUntil(async () => (await sandbox.requests()).length === 2)
    await Promise.all([sandbox.close(), sandbox[Symbol.asyncDispose](), ...waiting])
    await expect(fetch(sandbox.url)).rejects.toThrow('fetch failed')
    await expect(sandbox.fetch('/payments')).rejects.toThrow('The sandbox is closed.')
    await expect(sandbox.clock.now()).rejects.toThrow('The sandbox is closed.')
  })
})

describe('thirty at once', () => {
  test('are independent', async () => {
    const sandboxes = await Promise.all(Array.from({ length: 30 }, () => started()))
    await Promise.all(sandboxes.map((sandbox) => pay(sandbox)))
    const counts = await Promise.all(sandboxes.map(async (sandbox) => (await sandbox.requests()).length))
    expect(counts).toEqual(Array.from({ length: 30 }, () => 1))
  })
})

/** As from callers without TypeScript. */
const untyped = (json: string) => JSON.parse(json)
const VISA = '4111111111111111'

describe('wrong input', () => {
  test.each([
    [
      'a clock that is no date',
      () => startSandbox({ clock: 'yesterday' }),
      "clock is not a date: 'yesterday'",
    ],
    [
      'a mistyped option',
      () => startSandbox(untyped('{"sed":7}')),
      "no option 'sed', only clock, seed and folder",
    ],
    ['a seed in a text', () => startSandbox(untyped('{"seed":"7"}')), "seed is not a whole number: '7'"],
    ['a fraction as a seed', () => startSandbox({ seed: 1.5 }), 'seed is not a whole number: 1.5'],
    ['a clock of null', () => startSandbox(untyped('{"clock":null}')), 'clock is not a date: null'],
    ['a folder without a name', () => startSandbox({ folder: '' }), "folder is not a path: ''"],
    ['a folder that is a number', () => startSandbox(untyped('{"folder":5}')), 'folder is not a path: 5'],
    ['a shared folder', () => startSandbox({ folder: '/tmp' }), /Other users can write|belongs/],
  ])('%s is refused', async (_, start, message) => {
    await expect(start()).rejects.toThrow(message)
  })

  test.each([
    [(sandbox: Sandbox) => sandbox.faults.add({ on: 'POTS /payments', do: 'explode' }), 'did you mean POST?'],
    [(sandbox: Sandbox) => sandbox.requests({ on: 'payments' }), '$.on must start with'],
    [(sandbox: Sandbox) => sandbox.requests(untyped('{"limit":"1"}')), '$.limit is not a known field'],
    [(sandbox: Sandbox) => sandbox.clock.advance('soon'), '$.duration must be a duration such as'],
    [(sandbox: Sandbox) => sandbox.clock.advance(untyped('5')), '$.duration must be a string'],
    [(sandbox: Sandbox) => sandbox.tokenize('1234'), 'Unknown test card number'],
    [(sandbox: Sandbox) => sandbox.tokenize(untyped('4111111111111111')), '$.card must be a string'],
    [(sandbox: Sandbox) => sandbox.tokenize(VISA, untyped('{"session":"x"}')), '$.session is not a known'],
  ])('%s says what is wrong', async (use, message) => {
    await expect(use(await started())).rejects.toThrow(message)
  })
})

test('a reset makes another sandbox of it, and restoring a snapshot makes it the earlier one again', async () => {
  const folder = newFolder()
  const sandbox = await startSandbox({ folder })
  onTestFinished(() => sandbox.close())
  const first = identityIn(folder)
  expect(first).toMatch(/^[\da-f-]{36}$/)
  const before = await sandbox.snapshot()
  await sandbox.fetch('/sandbox/reset', { method: 'POST' })
  const second = identityIn(folder)
  expect(second).toMatch(/^[\da-f-]{36}$/)
  expect(second).not.toBe(first)
  await sandbox.restore(before)
  expect(identityIn(folder)).toBe(first)
})
