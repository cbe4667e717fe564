import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { errorOf } from '../../support/run-result.ts'
import { isListening, request, serve } from './serving.ts'
import { useServers } from './use-servers.ts'

const servers = useServers()
const { start, listen, files, leaveBehind } = servers

describe('stop', () => {
  test('does nothing if no server runs', async () => {
    leaveBehind()
    for (const words of ['', '--all', '--port 4010'])
      expect(await servers.bench.runPay(`sandbox stop ${words}`)).toMatchObject({
        exitCode: 0,
        stdout: 'No sandbox server is running.\n',
      })
    expect(await servers.bench.runPay('sandbox stop --json')).toMatchObject({ exitCode: 0, stdout: '[]\n' })
  })

  test('stops the only server, which removes all its files', async () => {
    const serving = await start('--ephemeral')
    const ran = await servers.bench.runPay('sandbox stop')
    expect(ran).toMatchObject({ exitCode: 0, stdout: `Stopped ${serving.url}\n` })
    expect(await isListening(serving.url)).toBe(false)
    expect(existsSync(serving.dataDir)).toBe(false)
    expect(files()).toEqual([])
    expect(await serving.ended).toMatchObject({ exitCode: 0 })
  })

  test('prints the stopped server as JSON', async () => {
    const { id } = await start()
    const ran = await servers.bench.runPay('sandbox stop --json')
    expect(JSON.parse(ran.stdout)).toMatchObject([{ id }])
  })

  test('asks you to choose if several run, and stops none', async () => {
    const [one, other] = [await start(), await start()]
    const ran = await servers.bench.runPay('sandbox stop --json')
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    const error = errorOf(ran)
    expect(error).toMatchObject({
      code: 'several_servers',
      message: expect.stringMatching(/^Several servers are running: http:/),
      hint: 'Choose one with --port, or use --all.',
      next: expect.arrayContaining([
        `pay sandbox stop --port ${one.port}`,
        `pay sandbox stop --port ${other.port}`,
        'pay sandbox stop --all',
      ]),
    })
    expect(error.message).toContain(one.url)
    expect([await isListening(one.url), await isListening(other.url)]).toEqual([true, true])
  })

  test('stops only the server on the given port', async () => {
    const [one, other] = [await start(), await start()]
    const ran = await servers.bench.runPay(`sandbox stop --port ${one.port}`)
    expect(ran).toMatchObject({ exitCode: 0, stdout: `Stopped ${one.url}\n` })
    expect([await isListening(one.url), await isListening(other.url)]).toEqual([false, true])
  })

  test('stops every server with --all', async () => {
    const [one, other] = [await start(), await start()]
    expect(await servers.bench.runPay('sandbox stop --all')).toMatchObject({ exitCode: 0 })
    expect([await isListening(one.url), await isListening(other.url)]).toEqual([false, false])
    expect(files()).toEqual([])
  })

  test('does not stop a server that took over the port of a killed one', async () => {
    const serving = await start()
    leaveBehind({ url: serving.url, port: serving.port, startedAt: '2025-01-01T00:00:00.000Z' })
    await servers.bench.runPay('sandbox stop --port 1')
    expect(await isListening(serving.url)).toBe(true)
    expect(await servers.bench.runPay('sandbox status --json --query [].id')).toMatchObject({
      stdout: expect.stringContaining(serving.id),
    })
  })

  test('gives up on a server that keeps running, and suggests no kill by process ID', async () => {
    const asked: (string | undefined)[] = []
    const url = await listen(({ url: path }) => {
      asked.push(path)
      return { server: { id: 'stays-1' } }
    })
    leaveBehind({ id: 'stays-1', url, pid: 4711 })
    const ran = await servers.bench.runPay('sandbox stop --json')
    expect(ran).toMatchObject({ exitCode: 8, stdout: '' })
    expect(ran.stderr).toContain('process 4711 on test-machine')
    expect(ran.stderr).not.toMatch(/kill/)
    expect(asked).toContain('/sandbox/stop')
    expect(files()).toEqual(['stays-1.json'])
  })

  test('accepts that a server is killed in the meantime', async () => {
    const url = await listen(({ url: path, socket }) => {
      if (path === '/sandbox/stop') servers.others[0]?.close()
      if (path === '/sandbox/stop') socket.destroy()
      return { server: { id: 'killed-2' } }
    })
    leaveBehind({ id: 'killed-2', url })
    expect(await servers.bench.runPay('sandbox stop')).toMatchObject({
      exitCode: 0,
      stdout: `Stopped ${url}\n`,
    })
    expect(files()).toEqual([])
  })

  test('can be interrupted while it waits', async () => {
    const stop = new AbortController()
    const url = await listen(({ url: path }) => {
      if (path === '/sandbox/stop') stop.abort('SIGINT')
      return { server: { id: 'stays-1' } }
    })
    leaveBehind({ id: 'stays-1', url })
    expect(await servers.bench.runPay('sandbox stop', { signal: stop.signal })).toMatchObject({
      exitCode: 130,
    })
  })

  test.each(['--port 0x1', '--port 65536', '--port 1 --all', '4010'])('refuses %s', async (words) => {
    expect(await servers.bench.runPay(`sandbox stop ${words}`)).toMatchObject({ exitCode: 2, stdout: '' })
  })
})

describe('a server that other machines can reach', () => {
  test('has its own keys, printed once, and is listed and stopped without showing them', async () => {
    const serving = await start('--host', '0.0.0.0', '--allow-host', 'shop.test')
    const [all = '', ...lesser] = Object(JSON.parse(serving.firstLine)).apiKeys
    expect(all).toMatch(/^sandbox_all_[\w]{16,}$/)
    expect(lesser).toHaveLength(2)
    expect(await request(serving.url, '/payments')).toMatchObject({ status: 401 })
    expect(await request(serving.url, '/payments', { headers: { 'x-api-key': all } })).toMatchObject({
      status: 200,
    })
    const listed = await servers.bench.runPay('sandbox status --json')
    expect(JSON.parse(listed.stdout)).toMatchObject([{ url: serving.url }])
    const requests = await servers.bench.runPay('sandbox requests --json')
    expect(JSON.parse(requests.stdout)).toMatchObject([{ key: 'sandbox_all' }, { key: 'unknown' }])
    const stopped = await servers.bench.runPay('sandbox stop --json')
    expect(stopped).toMatchObject({ exitCode: 0 })
    expect(await serving.ended).toMatchObject({ exitCode: 0 })
    const [ready, ...printed] = [serving.firstLine, listed.stdout, stopped.stdout, requests.stdout]
    for (const key of [all, ...lesser]) {
      expect(ready).toContain(key)
      expect(printed.join()).not.toContain(key)
    }
  })

  test('accepts a key that the environment names, with every scope, and shows it nowhere', async () => {
    const key = 'ci-key/2f9a'
    const env = { PAY_SANDBOX_KEY: key }
    const words = ['--host', '0.0.0.0', '--allow-host', 'shop.test', '--ephemeral']
    const serving = await serve(servers.bench, words, { env })
    onTestFinished(async () => void (await serving.end()))
    expect(await request(serving.url, '/sandbox/requests', { headers: { 'x-api-key': key } })).toMatchObject({
      status: 200,
    })
    const listed = await servers.bench.runPay('sandbox status --json')
    expect(serving.firstLine + listed.stdout).not.toContain(key)
    const registered = servers.files().map((name) => readFileSync(join(servers.folder(), name), 'utf8'))
    expect(registered.join()).toContain('sandbox_all_')
    expect(registered.join()).not.toContain(key)
  })

  test.each([
    ['sandbox_all', 'is one of the published keys'],
    ['short', 'takes 8 to 200'],
    ['with a blank', 'takes 8 to 200'],
  ])('refuses %j as its key', async (key, message) => {
    const ran = await servers.bench.runPay(
      'sandbox start --host 0.0.0.0 --allow-host shop.test --ephemeral --port 0',
      { env: { PAY_SANDBOX_KEY: key } },
    )
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toContain(message)
  })

  test('needs no named key on this machine', async () => {
    const serving = await serve(servers.bench, ['--ephemeral'], { env: { PAY_SANDBOX_KEY: 'ci-key/2f9a' } })
    onTestFinished(async () => void (await serving.end()))
    expect(
      await request(serving.url, '/payments', { headers: { 'x-api-key': 'ci-key/2f9a' } }),
    ).toMatchObject({ status: 401 })
  })
})
