import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { errorOf } from '../../support/run-result.ts'
import { request } from './serving.ts'
import { useServers } from './use-servers.ts'

const servers = useServers()
const { start, files, temporary } = servers

describe('a server that cannot start', () => {
  test('reports a port in use, with what to do', async () => {
    const { port } = await start()
    const ran = await servers.bench.runPay(`sandbox start --port ${port} --ephemeral --json`)
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    const error = errorOf(ran)
    expect(error).toMatchObject({
      code: 'port_in_use',
      outcome: 'none',
      hint: 'Choose another --port (0 takes any free one), or stop the program that uses it.',
    })
    expect(error.message).toContain(String(port))
    expect(temporary()).toEqual([])
  })

  test('warns about an address of another machine, then reports the error', async () => {
    // An address reserved for documentation (RFC 5737).
    const ran = await servers.bench.runPay(
      'sandbox start --host 192.0.2.1 --allow-host 192.0.2.1 --port 0 -q',
    )
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toMatch(/Warning: other machines can reach 192\.0\.2\.1\./)
    expect(ran.stderr).not.toContain('embedded sandbox')
  })

  test.each([
    ['0.0.0.0', 'pay sandbox start --host 0.0.0.0 --allow-host NAME'],
    ['192.0.2.1', 'pay sandbox start --host 192.0.2.1 --allow-host 192.0.2.1'],
    ['::', 'pay sandbox start --host :: --allow-host NAME'],
  ])('requires --allow-host for %s', async (host, next) => {
    const ran = await servers.bench.runPay(`sandbox start --host ${host} --port 0 --json`)
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(errorOf(ran)).toMatchObject({ code: 'missing_input', next: [next] })
    expect([files(), temporary()]).toEqual([[], []])
  })

  test('does not warn about loopback addresses', async () => {
    const serving = await start('--host', 'localhost')
    expect((await serving.end()).stderr).not.toContain('Warning')
  })

  test('reports a damaged database before it is ready, and keeps it', async () => {
    mkdirSync(join(servers.bench.stateFolder, 'sandbox'))
    const file = join(servers.bench.stateFolder, 'sandbox/sandbox.db')
    writeFileSync(file, 'no database '.repeat(100))
    const ran = await servers.bench.runPay('sandbox start --port 0 --json')
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toContain('"code":"sandbox_damaged"')
    expect(readFileSync(file, 'utf8')).toContain('no database')
    expect(files()).toEqual([])
  })

  test('reports a missing temporary folder', async () => {
    vi.stubEnv('TMPDIR', join(servers.bench.folder, 'nowhere'))
    const ran = await servers.bench.runPay('sandbox start --port 0 --ephemeral')
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('TMPDIR') })
  })

  test('warns about a state folder that is not writable, but serves', async () => {
    writeFileSync(join(servers.bench.stateFolder, 'sandbox-servers'), 'a file')
    const serving = await start('--ephemeral')
    expect(await request(serving.url, '/payments')).toMatchObject({ status: 200 })
    const ran = await serving.end()
    expect(ran).toMatchObject({ exitCode: 0 })
    expect(ran.stderr).toMatch(/Warning: .*sandbox-servers.*pay sandbox stop/s)
    expect(temporary()).toEqual([])
  })

  test('reports a lost database to every client, and once on stderr', async () => {
    const { url, dataDir, end } = await start('--data', 'lost')
    rmSync(join(dataDir, 'sandbox.db'))
    writeFileSync(join(dataDir, 'sandbox.db'), 'no database '.repeat(100))
    for (const path of ['/payments', '/payments?limit=1'])
      expect(await request(url, path)).toMatchObject({
        status: 503,
        json: { error: { errorId: 'SandboxUnavailable' } },
      })
    const { exitCode, stderr } = await end()
    expect(exitCode).toBe(0)
    expect(stderr.match(/Warning: a request failed: /g)).toHaveLength(1)
  })

  test.each([
    ['--port 65536', '65535'],
    ['--port 4o10', '4o10'],
    ['--port -1', ''],
    ['--host ""', '--host'],
    ["--host 'a b'", 'a b'],
    ['--host http://localhost', '127.0.0.1'],
    ['--allow-host http://shop.test', 'shop.test'],
    ['--allow-host shop.test:4010', '--allow-host'],
    ["--allow-host '*'", '--allow-host'],
    ['--allow-origin shop.test', 'https://shop.example.test'],
    ['--allow-origin https://shop.test/path', 'without a path'],
    ['--allow-origin ftp://shop.test', '--allow-origin'],
    ['--allow-origin https://jo@shop.test', '--allow-origin'],
    ['--allow-origin https://[fd00::1]', '--allow-origin'],
    ["--allow-origin 'https://*'", '--allow-origin'],
    ["--allow-origin 'https://a.test; script-src *'", '--allow-origin'],
    ['--idempotency replai', 'Did you mean replay?'],
    ['--data ""', '--data'],
    ['--data x --ephemeral', '--ephemeral'],
    ['--dry-run', '--dry-run'],
    ['--prot 1', '--port'],
    ['4010', ''],
    ["--query 'url['", '--query'],
  ])('refuses %s and serves nothing', async (words, said) => {
    const ran = await servers.bench.runPay(`sandbox start ${words}`)
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toContain(said)
    expect([files(), temporary()]).toEqual([[], []])
  })
})
