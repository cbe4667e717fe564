import { describe, expect, test } from 'vitest'
import type { RunOptions } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'
import { useServers } from './use-servers.ts'

const servers = useServers()
const { start, leaveBehind } = servers

const TOKEN = 'ey.client.token'

/** Runs `pay sandbox open` with a browser that records what it is given. */
async function open(words: string, options: RunOptions = {}) {
  const opened: string[] = []
  const ran = await servers.bench.runPay(`sandbox open ${words}`, {
    openUrl: async (url) => void opened.push(url),
    ...options,
  })
  return { ...ran, opened }
}

describe('a page', () => {
  test.each([
    ['', '/dashboard'],
    ['dashboard', '/dashboard'],
    ['insights', '/dashboard/insights'],
    ['requests', '/dashboard/requests'],
    ['settings', '/dashboard/settings'],
    ['payment p1', '/dashboard/payments/p1'],
    ['payment a/b?c#d', '/dashboard/payments/a%2Fb%3Fc%23d'],
  ])('%j is opened, and its URL printed', async (words, path) => {
    const { url } = await start()
    const ran = await open(words)
    expect(ran).toMatchObject({ exitCode: 0, stdout: `${url}${path}\n`, opened: [`${url}${path}`] })
  })

  test('is only printed with --print', async () => {
    const { url } = await start()
    const ran = await open('insights --print --json')
    expect(ran).toMatchObject({ exitCode: 0, opened: [] })
    expect(JSON.parse(ran.stdout)).toEqual({ url: `${url}/dashboard/insights`, opened: false })
  })

  test('is printed with a warning if there is no browser', async () => {
    const { url } = await start()
    const ran = await open('', { openUrl: () => Promise.reject(new Error('spawn xdg-open ENOENT')) })
    expect(ran).toMatchObject({ exitCode: 0, stdout: `${url}/dashboard\n` })
    expect(ran.stderr).toContain(
      'no browser could be started (spawn xdg-open ENOENT). Open the URL yourself.',
    )
  })
})

describe('the checkout', () => {
  test.each([
    ['from stdin', 'checkout -', { stdin: `${TOKEN}\n` }],
    ['as an argument', `checkout ${TOKEN}`, {}],
  ])('gets its client token %s; the browser gets a link that works once', async (_, words, options) => {
    const { url } = await start()
    const ran = await open(words, options)
    expect(ran).toMatchObject({ exitCode: 0, stdout: `${url}/checkout#${TOKEN}\n` })
    const [link = ''] = ran.opened
    expect(link).toMatch(/\/open\/[\w-]+$/)
    expect(ran.opened.join()).not.toContain(TOKEN)
    const follow = () => fetch(link, { redirect: 'manual' })
    const first = await follow()
    expect([first.status, first.headers.get('location')]).toEqual([303, `/checkout#${TOKEN}`])
    expect((await follow()).status).toBe(404)
  })

  test('makes no link with --print', async () => {
    const { url } = await start()
    const ran = await open('checkout - --print -o id', { stdin: TOKEN })
    expect(ran).toMatchObject({ exitCode: 0, stdout: `${url}/checkout#${TOKEN}\n`, opened: [] })
  })

  test('of a server with its own keys is opened with them', async () => {
    await start('--host', '0.0.0.0', '--allow-host', 'sandbox.test')
    expect(await open('checkout -', { stdin: TOKEN })).toMatchObject({
      exitCode: 0,
      opened: [expect.stringContaining('/open/')],
    })
  })

  test('is not opened if the server makes no link', async () => {
    const other = await servers.listen(() => ({ server: { id: 'other-1' } }))
    leaveBehind({ id: 'other-1', url: other, pid: process.pid })
    const ran = await open('checkout -', { stdin: TOKEN })
    expect(ran).toMatchObject({ exitCode: 9, stdout: '', opened: [] })
    expect(ran.stderr).toContain('--print')
    expect(ran.stderr).not.toContain(TOKEN)
  })
})

describe('refused, with nothing opened', () => {
  test.each([
    ['an unknown page', 'paymnets', 'payment'],
    ['a payment without its ID', 'payment', 'Missing: ID'],
    ['a step up', 'payment ..', 'not a payment ID'],
    ['a checkout without a client token', 'checkout', 'Missing: CLIENT_TOKEN'],
    ['a page with more', 'insights p1', 'takes no further argument'],
    ['an invalid port', '--port 99999', '65535'],
  ])('%s: %s', async (_, words, message) => {
    await start()
    const ran = await open(words)
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', opened: [] })
    expect(ran.stderr).toContain(message)
  })

  test('an empty token on stdin', async () => {
    await start()
    expect(await open('checkout -', { stdin: '' })).toMatchObject({ exitCode: 2, opened: [] })
  })
})

describe('the server', () => {
  test('is missing: exit 9, with how to start one', async () => {
    leaveBehind()
    for (const words of ['--json', '--port 4010 --json', 'checkout - --json']) {
      const ran = await open(words, { stdin: TOKEN })
      expect(ran).toMatchObject({ exitCode: 9, stdout: '', opened: [] })
      const error = errorOf(ran)
      expect(error).toMatchObject({
        code: 'no_server',
        next: expect.arrayContaining([expect.stringContaining('pay sandbox start')]),
      })
    }
  })

  test('is the newest of several, unless --port says which', async () => {
    const one = await start()
    servers.bench.clock.now = new Date(servers.bench.clock.now.getTime() + 1_000)
    const other = await start()
    const newest = await open('')
    expect(newest.opened).toEqual([`${other.url}/dashboard`])
    expect(newest.stderr).toContain(
      `2 servers are running; this is the newest. Choose one with --port: ${one.port}, ${other.port}`,
    )
    expect((await open(`--port ${one.port}`)).opened).toEqual([`${one.url}/dashboard`])
  })
})

test('status lists the pages of each server', async () => {
  const { url } = await start()
  const ran = await servers.bench.runPay('sandbox status --json')
  expect(JSON.parse(ran.stdout)).toMatchObject([
    { url, dashboardUrl: `${url}/dashboard`, checkoutUrl: `${url}/checkout` },
  ])
})
