import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useServers } from './use-servers.ts'

const servers = useServers()
const { start, listen, folder, files, leaveBehind } = servers

describe('status', () => {
  test('succeeds if no server runs, with an empty list in JSON', async () => {
    expect(await servers.bench.runPay('sandbox status')).toMatchObject({
      exitCode: 0,
      stdout: 'No sandbox server is running.\n',
    })
    expect(await servers.bench.runPay('sandbox status --json')).toMatchObject({ exitCode: 0, stdout: '[]\n' })
    expect(await servers.bench.runPay('sandbox status -o id')).toMatchObject({ exitCode: 0, stdout: '' })
    expect(readdirSync(servers.bench.stateFolder)).toEqual([])
  })

  test('lists running servers as they announced themselves, without keys', async () => {
    const first = await start()
    servers.bench.clock.now = new Date(servers.bench.clock.now.getTime() + 1000)
    const second = await start('--ephemeral', '--idempotency', 'replay')
    const listed = await servers.bench.runPay('sandbox status --json')
    const said = [first, second].map(({ firstLine }) => {
      const { apiKeys: _, ...fields } = JSON.parse(firstLine)
      return fields
    })
    expect(JSON.parse(listed.stdout)).toEqual(said)
    const urls = await servers.bench.runPay('sandbox status -o id')
    expect(urls.stdout).toBe(`${first.url}\n${second.url}\n`)
  })

  test("shows people each server's URL, start time and folder", async () => {
    const { url, dataDir } = await start()
    const { stdout } = await servers.bench.runPay('sandbox status')
    const [header, line] = stdout.split('\n')
    expect(header).toMatch(/^URL +PID +SINCE +DATA$/)
    expect(line).toBe(`${url}  ${process.pid}  2026-03-01 12:00:00 UTC  ${dataDir}`)
  })

  test('removes what a killed server left behind', async () => {
    leaveBehind()
    writeFileSync(join(folder(), 'killed-1.log'), '')
    expect(await servers.bench.runPay('sandbox status --json')).toMatchObject({ exitCode: 0, stdout: '[]\n' })
    expect(files()).toEqual([])
  })

  test('keeps the log of a server that ended unexpectedly and prints its path', async () => {
    leaveBehind()
    writeFileSync(join(folder(), 'killed-1.log'), 'out of memory\n')
    const ran = await servers.bench.runPay('sandbox status --json')
    expect(ran).toMatchObject({ exitCode: 0, stdout: '[]\n' })
    expect(ran.stderr).toContain(join(folder(), 'killed-1.log'))
    expect(files()).toEqual(['killed-1.log'])
  })

  test('recognizes another program on the port', async () => {
    const url = await listen(() => ({ server: { id: 'another' } }))
    leaveBehind({ url })
    expect(await servers.bench.runPay('sandbox status --json')).toMatchObject({ stdout: '[]\n' })
    expect(files()).toEqual([])
  })

  test('keeps a server that does not answer in time', async () => {
    const url = await listen(() => new Promise(() => {}))
    servers.others[0]?.removeAllListeners('request')
    leaveBehind({ url, id: 'busy-1' })
    const ran = await servers.bench.runPay('sandbox status --json --timeout 50ms')
    expect(JSON.parse(ran.stdout)).toMatchObject([{ id: 'busy-1' }])
    expect(files()).toEqual(['busy-1.json'])
  })

  test('removes the ephemeral folder of a killed server, and no other', async () => {
    const fresh = mkdtempSync(join(servers.bench.folder, 'tmp/pay-sandbox-'))
    const mine = mkdtempSync(join(servers.bench.folder, 'tmp/mine-'))
    leaveBehind({ id: 'killed-1', ephemeral: true, dataDir: fresh })
    leaveBehind({ id: 'killed-2', ephemeral: true, dataDir: mine })
    leaveBehind({ id: 'killed-3', ephemeral: false, dataDir: fresh })
    await servers.bench.runPay('sandbox status')
    expect([existsSync(fresh), existsSync(mine)]).toEqual([false, true])
    expect(files()).toEqual([])
  })

  test("keeps the files of another machine's server, whose folder may be in use", async () => {
    const fresh = mkdtempSync(join(servers.bench.folder, 'tmp/pay-sandbox-'))
    leaveBehind({ machine: 'another-container', ephemeral: true, dataDir: fresh })
    expect(await servers.bench.runPay('sandbox status --json')).toMatchObject({ exitCode: 0, stdout: '[]\n' })
    expect(existsSync(fresh)).toBe(true)
    expect(files()).toEqual(['killed-1.json'])
  })

  test('keeps the files of a server that is shutting down', async () => {
    const fresh = mkdtempSync(join(servers.bench.folder, 'tmp/pay-sandbox-'))
    leaveBehind({ pid: process.pid, ephemeral: true, dataDir: fresh })
    expect(await servers.bench.runPay('sandbox status --json')).toMatchObject({ exitCode: 0, stdout: '[]\n' })
    expect(existsSync(fresh)).toBe(true)
    expect(files()).toEqual(['killed-1.json'])
  })

  test.each([
    ['no JSON', 'a.json', '{"id":'],
    ['other JSON', 'a.json', '[]'],
    ['an entry under another name', 'a.json', '{"id":"b"}'],
    ['another file', 'notes.txt', 'hello'],
  ])('leaves %s alone', async (_, name, text) => {
    mkdirSync(folder())
    writeFileSync(join(folder(), name), text)
    expect(await servers.bench.runPay('sandbox status --json')).toMatchObject({ exitCode: 0, stdout: '[]\n' })
    expect(files()).toEqual([name])
  })
})

describe('a command on a folder that no running server has', () => {
  const WORDS = [
    'requests',
    'clock show',
    'faults list',
    "faults add --on 'GET /payments' --do hang",
    'reset',
  ]

  test.each(WORDS)('names the folder of the server: %s', async (words) => {
    const { url, dataDir } = await start('--ephemeral')
    const notice = `The server at ${url} uses another folder. To act on it, add --data ${dataDir}\n`
    expect((await servers.bench.runPay(`sandbox ${words}`)).stderr).toContain(notice)
    expect((await servers.bench.runPay(`sandbox ${words} -q`)).stderr).toBe('')
    const there = await servers.bench.runPay(`sandbox ${words} --data '${dataDir}'`)
    expect(there).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('another folder') })
  })

  test('says nothing beside a server of the folder, or one that was killed', async () => {
    leaveBehind({ dataDir: join(servers.bench.folder, 'elsewhere') })
    expect((await servers.bench.runPay('sandbox requests')).stderr).not.toContain('another folder')
    await start()
    await start('--ephemeral')
    expect((await servers.bench.runPay('sandbox requests')).stderr).not.toContain('another folder')
  })
})
