import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createPayment, refusal, textAt, toJson, loggedIn } from '../service.ts'
import { openServed, send } from './over-http.ts'

/** Calls as any client would; `headers` include `x-api-key`. */
const curl = async (url: string, headers: readonly string[], data?: string): Promise<string> => {
  const words = ['x-api-key: sandbox_all', ...headers].flatMap((header) => ['-H', header])
  const body = data === undefined ? [] : ['-d', data]
  return (await promisify(execFile)('curl', ['-sS', '-i', ...words, ...body, url])).stdout
}

test('payments work over HTTP as they do in process', async () => {
  const service = await openServed()
  const id = textAt(await createPayment(service, 'tok_visa'), 'id')
  expect(await service.ok('POST', `/payments/${id}/capture`, { amount: 700 })).toMatchObject({
    status: 'SETTLED',
  })
  expect(await service.ok('POST', `/payments/${id}/refund`, { amount: 200 })).toMatchObject({
    processor: { amountCaptured: 700, amountRefunded: 200 },
  })
  const inProcess = await service.sandbox.handle({
    method: 'GET',
    url: `/payments/${id}`,
    headers: { 'x-api-key': 'sandbox_all', 'x-api-version': '2.1' },
    body: undefined,
  })
  expect(await service.ok('GET', `/payments/${id}`)).toEqual(JSON.parse(inProcess.body))
})

test('checks in the order of the service: route, key, version, body', async () => {
  const service = await openServed()
  const wrong = { key: 'wrong', headers: { 'x-api-version': '9', 'content-encoding': 'gzip' }, text: '{' }
  expect(await service.call('POST', '/nowhere', undefined, wrong)).toMatchObject(refusal(404, 'NotFound'))
  const keyed = { ...wrong, key: 'sandbox_all' }
  expect(await service.call('POST', '/payments', undefined, wrong)).toMatchObject(
    refusal(401, 'Unauthorized'),
  )
  expect(await service.call('POST', '/payments', undefined, keyed)).toMatchObject(
    refusal(400, 'UnsupportedApiVersion'),
  )
  const known = { ...keyed, headers: { 'content-encoding': 'gzip' } }
  expect(await service.call('POST', '/payments', undefined, known)).toMatchObject(
    refusal(415, 'UnsupportedMediaType'),
  )
})

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

test('serves the controls over HTTP', async () => {
  const { server } = await openServed()
  const headers = { 'x-api-key': 'sandbox_all' }
  const shown = await send(server.url, { method: 'GET', url: '/sandbox/clock', headers, body: undefined })
  expect(JSON.parse(shown.body)).toMatchObject({ offsetMs: 0 })
})
