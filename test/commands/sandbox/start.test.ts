import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isListening, payment, request } from './serving.ts'
import type { Serving } from './serving.ts'
import { useServers } from './use-servers.ts'

const servers = useServers()
const { start, files, temporary } = servers

describe('a server that is ready', () => {
  test('prints one line of JSON', async () => {
    const { firstLine } = await start()
    expect(firstLine.indexOf('\n')).toBe(firstLine.length - 1)
    const ready = JSON.parse(firstLine)
    expect(ready).toEqual({
      id: expect.stringMatching(/^[\w-]{16,}$/),
      pid: process.pid,
      machine: 'test-machine',
      url: `http://127.0.0.1:${ready.port}`,
      host: '127.0.0.1',
      port: expect.any(Number),
      dataDir: join(servers.bench.stateFolder, 'sandbox'),
      ephemeral: false,
      idempotency: 'reject',
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      version: '0.0.0-test',
      apiKeys: ['sandbox_all', 'sandbox_readonly', 'sandbox_nobeta'],
      dashboardUrl: `http://127.0.0.1:${ready.port}/dashboard`,
      checkoutUrl: `http://127.0.0.1:${ready.port}/checkout`,
    })
    expect(ready.port).toBeGreaterThan(0)
  })

  test('already answers, with its id', async () => {
    const { url, id } = await start()
    expect(await request(url, '/payments')).toMatchObject({ status: 200, json: { data: [] } })
    expect(await request(url, '/sandbox/status')).toMatchObject({ status: 200, json: { server: { id } } })
  })

  test('tells people its URL, its keys and how to stop it', async () => {
    const stop = new AbortController()
    const ran = await servers.bench.runPay('sandbox start --port 0', {
      signal: stop.signal,
      onStdout: () => stop.abort('SIGINT'),
    })
    expect(ran).toMatchObject({ exitCode: 0 })
    expect(ran.stdout.split('\n')[0]).toMatch(/http:\/\/127\.0\.0\.1:\d+$/)
    expect(ran.stdout).toMatch(/Dashboard +http:\/\/127\.0\.0\.1:\d+\/dashboard\n/)
    expect(ran.stdout).toContain('sandbox_all')
    expect(ran.stdout).toContain('Ctrl-C')
    expect(ran.stderr).toBe('embedded sandbox: no real money\n')
  })

  test.each([
    ['-o id', /^http:\/\/127\.0\.0\.1:\d+\n$/],
    ['--query url', /^"http:\/\/127\.0\.0\.1:\d+"\n$/],
    ["--json --query '{url: url, port: port}'", /^\{"url":"http:\/\/127\.0\.0\.1:\d+","port":\d+\}\n$/],
  ])('%s prints its URL on the first line', async (words, printed) => {
    const stop = new AbortController()
    const ran = await servers.bench.runPay(`sandbox start --port 0 ${words}`, {
      signal: stop.signal,
      onStdout: () => stop.abort('SIGINT'),
    })
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(printed) })
  })

  test('is registered in a file that only its owner can read', async () => {
    const { id } = await start()
    expect(files()).toEqual([`${id}.json`])
    const folder = join(servers.bench.stateFolder, 'sandbox-servers')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, `${id}.json`)).mode & 0o777).toBe(0o600)
  })
})

describe('stopping', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('exits with code 0 on %s', async (signal) => {
    const stop = new AbortController()
    const ran = await servers.bench.runPay('sandbox start --port 0 -o id', {
      signal: stop.signal,
      onStdout: () => stop.abort(signal),
    })
    expect(ran).toMatchObject({ exitCode: 0 })
    expect(await isListening(ran.stdout.trim())).toBe(false)
    expect(files()).toEqual([])
  })

  test('stops at once for an earlier signal', async () => {
    const ran = await servers.bench.runPay('sandbox start --port 0', { signal: AbortSignal.abort('SIGTERM') })
    expect(ran).toMatchObject({ exitCode: 0 })
    expect(files()).toEqual([])
  })

  test('stops if its first line cannot be printed', async () => {
    let url = ''
    const ran = await servers.bench.runPay('sandbox start --port 0 --ephemeral -o id', {
      onStdout: (text) => {
        url = text.trim()
        throw new Error('ENOSPC')
      },
    })
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' })
    expect(url).toMatch(/^http:/)
    expect(await isListening(url)).toBe(false)
    expect(files()).toEqual([])
    expect(temporary()).toEqual([])
  })
})

describe('data', () => {
  test('shares data with pay --sandbox in both directions', async () => {
    const made = await servers.bench.runPay(
      "--sandbox payment create --token tok_visa --amount '1.00 EUR' --order-id A-1 -o id",
    )
    const { url } = await start()
    const seen = await request(url, `/payments/${made.stdout.trim()}`)
    expect(seen).toMatchObject({ status: 200, json: { orderId: 'A-1' } })
    await request(url, '/payments', { method: 'POST', body: payment('A-2') })
    const listed = await servers.bench.runPay('--sandbox payment list --json --query data[].orderId')
    expect(JSON.parse(listed.stdout)).toEqual(['A-2', 'A-1'])
  })

  test('shares data between two servers on one folder', async () => {
    const [one, other] = [await start(), await start()]
    expect(one.port).not.toBe(other.port)
    const made = await request(one.url, '/payments', { method: 'POST', body: payment('A-1') })
    const { id } = Object(made.json)
    expect(await request(other.url, `/payments/${id}`)).toMatchObject({ status: 200 })
    const refunded = await request(other.url, `/payments/${id}/refund`, { method: 'POST', body: {} })
    expect(refunded.json).toMatchObject({ processor: { amountRefunded: 1000 } })
    expect((await request(one.url, `/payments/${id}`)).json).toMatchObject({
      processor: { amountRefunded: 1000 },
    })
  })

  test('stores data in --data, relative to the working directory', async () => {
    const { url, dataDir } = await start('--data', 'other data')
    expect(dataDir).toBe(join(servers.bench.folder, 'other data'))
    await request(url, '/payments', { method: 'POST', body: payment('A-1') })
    expect(existsSync(dataDir)).toBe(true)
    expect(existsSync(join(servers.bench.stateFolder, 'sandbox'))).toBe(false)
  })

  test('uses a new private folder with --ephemeral and removes it afterwards', async () => {
    await servers.bench.runPay("--sandbox payment create --token tok_visa --amount '1.00 EUR' --order-id A-1")
    const { url, dataDir, firstLine, end } = await start('--ephemeral')
    expect(JSON.parse(firstLine)).toMatchObject({ ephemeral: true })
    expect(temporary().map((name) => join(servers.bench.folder, 'tmp', name))).toEqual([dataDir])
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(await request(url, '/payments')).toMatchObject({ json: { data: [] } })
    await end()
    expect(temporary()).toEqual([])
  })
})

test('--allow-origin lets pages of other origins show the checkout in a frame', async () => {
  const policyOf = async ({ url }: Serving, page: string) =>
    (await fetch(`${url}${page}`)).headers.get('content-security-policy')
  const open = await start(
    '--allow-origin',
    'https://shop.test',
    '--allow-origin',
    'http://192.168.1.20:3000',
  )
  expect(await policyOf(open, '/checkout')).toMatch(/ https:\/\/shop\.test http:\/\/192\.168\.1\.20:3000$/)
  expect(await policyOf(open, '/dashboard')).toMatch(/frame-ancestors 'none'$/)
  expect(await policyOf(await start(), '/checkout')).not.toContain('shop.test')
})

test.each([
  ['reject', 409],
  ['replay', 200],
])('--idempotency %s answers a used key with %i', async (style, status) => {
  const { url } = await start('--idempotency', style)
  const create = () =>
    request(url, '/payments', {
      method: 'POST',
      body: payment('A-1'),
      headers: { 'x-idempotency-key': 'key-1' },
    })
  const first = await create()
  const second = await create()
  expect([first.status, second.status]).toEqual([200, status])
  expect((await request(url, '/payments')).json).toMatchObject({ data: [{ orderId: 'A-1' }] })
})
