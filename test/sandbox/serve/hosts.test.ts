import { describe, expect, test } from 'vitest'
import { addFault, faultsIn, loggedIn } from '../service.ts'
import { makeServerKeys } from '../../../src/sandbox/serve/server-keys.ts'
import { openServed, send } from './over-http.ts'
import { openRaw, answersIn } from './raw-client.ts'

/** Which host names, pages and keys a server accepts. */

const answerTo = async (port: number, head: string) => {
  const client = await openRaw(port)
  client.send(`${head}\r\n\r\n`)
  const [answer] = answersIn(await client.until(/\r\n\r\n.*\}/s))
  return answer
}

const asked = async (port: number, host: string, path = '/payments', more = 'X-API-KEY: sandbox_all') =>
  answerTo(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}`)

describe('a server on loopback', () => {
  test.each([
    'localhost',
    'LOCALHOST:4010',
    'localhost.',
    'shop.localhost:80',
    '127.0.0.1',
    '127.1.2.3:9',
    '[::1]:4010',
    '[0:0:0:0:0:0:0:1]',
  ])('answers to %s', async (host) => {
    const { server } = await openServed()
    expect(await asked(server.port, host)).toMatchObject({ status: 200 })
  })

  test.each([
    'evil.com',
    'evil.com:4010',
    'localhost.evil.com',
    'notlocalhost',
    '127.0.0.1.evil.com',
    '127.0.0.1@evil.com',
    'evil.com#localhost',
    '128.0.0.1',
    '127.0.0.256',
    '127.0.0.01',
    '127.0.0',
    '0.0.0.0',
    '[::2]',
    '[::1',
    '192.168.1.20:80',
    '',
    'a'.repeat(5_000),
  ])('does not answer to %j', async (host) => {
    const { server } = await openServed()
    const answer = await asked(server.port, host)
    expect(answer).toMatchObject({ status: 403 })
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({
      error: { errorId: 'Forbidden', recoverySuggestion: expect.stringContaining('--allow-host') },
    })
    expect(answer?.body.length).toBeLessThan(1_000)
  })

  test.each(['/sandbox/requests', '/sandbox/status', '/sandbox/nothing', '/nowhere', '/payments'])(
    'checks the name before key and path: %s',
    async (path) => {
      const { server } = await openServed()
      expect(await asked(server.port, 'evil.com', path, 'X-API-KEY: none')).toMatchObject({ status: 403 })
    },
  )

  test('changes nothing for another name', async () => {
    const { server, sandbox } = await openServed()
    await addFault({ sandbox }, { on: '* /nothing', do: 'hang', rate: 1, seed: 1, skip: 0 })
    const answer = await answerTo(
      server.port,
      'POST /sandbox/reset HTTP/1.1\r\nHost: evil.com\r\nX-API-KEY: sandbox_all\r\nContent-Length: 0',
    )
    expect(answer).toMatchObject({ status: 403 })
    expect(await faultsIn({ sandbox })).toHaveLength(1)
  })

  test.each(['HTTP/1.0', 'HTTP/1.1'])('needs a Host header in %s', async (version) => {
    const { server } = await openServed()
    const answer = await answerTo(server.port, `GET /payments ${version}\r\nX-API-KEY: sandbox_all`)
    expect(answer).toMatchObject({
      status: 400,
      body: expect.stringContaining('The Host header is missing.'),
    })
  })

  test.each(['evil.com', 'localhost', ''])('refuses a second Host header: %j', async (second) => {
    const { server } = await openServed()
    for (const [one, other] of [
      ['localhost', second],
      [second, 'localhost'],
    ])
      expect(
        await answerTo(
          server.port,
          `GET /payments HTTP/1.1\r\nHost: ${one}\r\nX-API-KEY: sandbox_all\r\nhOST: ${other}`,
        ),
      ).toMatchObject({ status: 400, body: expect.stringContaining('There is more than one Host header.') })
  })

  test('answers to its allowed names, not to parts of them', async () => {
    const { server } = await openServed({ allowedHosts: ['Shop.test', 'fd00::1'] })
    for (const host of ['shop.test', 'SHOP.TEST:4010', '[fd00::1]:80', 'localhost'])
      expect(await asked(server.port, host)).toMatchObject({ status: 200 })
    for (const host of ['a.shop.test', 'shop.test.evil.com', 'op.test'])
      expect(await asked(server.port, host)).toMatchObject({ status: 403 })
  })
})

describe('a page', () => {
  test.each(['http://localhost:3000', 'https://shop.localhost', 'http://127.0.0.1', 'http://[::1]:5173'])(
    'from %s may use it',
    async (origin) => {
      const { server } = await openServed()
      const more = `X-API-KEY: sandbox_all\r\nOrigin: ${origin}`
      expect(await asked(server.port, 'localhost', '/payments', more)).toMatchObject({ status: 200 })
    },
  )

  test.each('http://evil.com https://localhost.evil.com null file:// http://localhost@evil.com'.split(' '))(
    'from %s may not',
    async (origin) => {
      const { server } = await openServed()
      const more = `X-API-KEY: sandbox_all\r\nOrigin: ${origin}`
      const answer = await asked(server.port, 'localhost', '/sandbox/requests', more)
      expect(answer).toMatchObject({ status: 403, body: expect.stringContaining('Forbidden') })
    },
  )

  test('from an allowed host may use it', async () => {
    const { server } = await openServed({ allowedHosts: ['shop.test'] })
    const more = 'X-API-KEY: sandbox_all\r\nOrigin: https://shop.test'
    expect(await asked(server.port, 'shop.test', '/payments', more)).toMatchObject({ status: 200 })
  })
})

describe('a server with its own keys', () => {
  let made = 0
  const keys = makeServerKeys(() => `secret-${(made += 1)}`)
  const [all = '', readonly = '', noBeta = ''] = keys.keys()
  const statusWith = async (base: string, key: string | undefined, method: string, url: string) => {
    const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-api-key': key }) }
    const { status } = await send(base, { method, url, headers, body: method === 'POST' ? '{}' : undefined })
    return status
  }

  test('accepts them with their scopes, and no published key', async () => {
    const { server } = await openServed({ keys })
    const status = (key: string | undefined, method = 'POST', url = '/client-session') =>
      statusWith(server.url, key, method, url)
    expect([await status(all), await status(readonly), await status(noBeta)]).toEqual([200, 403, 200])
    for (const key of [undefined, '', 'sandbox_all', 'sandbox_nobeta', 'sandbox_all_', `${all}x`])
      expect(await status(key)).toBe(401)
    expect(await status(undefined, 'GET', '/sandbox/health')).toBe(200)
    expect(await status(all, 'GET', '/sandbox/status')).toBe(200)
    expect(await status(all, 'GET', '/sandbox/faults')).toBe(200)
    expect(await status(readonly, 'GET', '/sandbox/faults')).toBe(403)
    for (const url of '/sandbox/status /sandbox/faults /sandbox/requests /sandbox/changes /payments'.split(
      ' ',
    ))
      for (const key of ['sandbox_all', 'sandbox_readonly', 'sandbox_nobeta', undefined])
        expect(await status(key, 'GET', url)).toBe(401)
    for (const url of ['/sandbox/open', '/sandbox/stop', '/sandbox/reset', '/sandbox/tokenize'])
      expect(await status('sandbox_all', 'POST', url)).toBe(401)
  })

  test('logs which key it was, not its value', async () => {
    const { server, sandbox } = await openServed({ keys })
    await statusWith(server.url, readonly, 'GET', '/payments')
    await statusWith(server.url, 'sandbox_all', 'GET', '/payments')
    expect((await loggedIn({ sandbox }, 2)).map(({ key }) => key)).toEqual(['unknown', 'sandbox_readonly'])
  })
})
