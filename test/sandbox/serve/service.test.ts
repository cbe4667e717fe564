import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { toJson, loggedIn } from '../service.ts'
import { openServed } from './over-http.ts'

/** Calls as any client would; `headers` include `x-api-key`. */
const curl = async (url: string, headers: readonly string[], data?: string): Promise<string> => {
  const words = ['x-api-key: sandbox_all', ...headers].flatMap((header) => ['-H', header])
  const body = data === undefined ? [] : ['-d', data]
  return (await promisify(execFile)('curl', ['-sS', '-i', ...words, ...body, url])).stdout
}

test('logs a refused body', async () => {
  const service = await openServed()
  await service.call('POST', '/payments', undefined, { text: '1'.repeat(1024 * 1024 + 1) })
  expect(await loggedIn(service, 5)).toMatchObject([
    { method: 'POST', path: '/payments', status: 413, errorId: 'PayloadTooLarge', applied: false },
  ])
})

test('joins repeated headers, including cookies', async () => {
  const { server } = await openServed()
  const answer = await curl(`${server.url}/payments`, ['set-cookie: a=1', 'set-cookie: b=2'])
  expect(answer).toContain('HTTP/1.1 200 OK')
  expect(answer).toContain('{"data":[]}')
})

test('accepts a body from curl in chunks and after 100 Continue', async () => {
  const { server } = await openServed()
  const body = '{"orderId":"A-1","currencyCode":"EUR","amount":700}'
  for (const how of ['Transfer-Encoding: chunked', 'Expect: 100-continue']) {
    const answer = await curl(`${server.url}/client-session`, [how, 'content-type: application/json'], body)
    expect(answer).toContain('HTTP/1.1 200 OK')
    expect(toJson(JSON.parse(answer.split('\r\n\r\n').at(-1) ?? ''))).toMatchObject({ amount: 700 })
  }
})
