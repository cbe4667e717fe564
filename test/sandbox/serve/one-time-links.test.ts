import { expect, test } from 'vitest'
import { oneTimeLinks } from '../../../src/sandbox/serve/one-time-links.ts'
import { NOW, refusal, loggedIn } from '../service.ts'
import { openServed, send } from './over-http.ts'

const links = () => {
  let nowMs = NOW.getTime()
  let made = 0
  return {
    links: oneTimeLinks(
      () => new Date(nowMs),
      () => `id-${(made += 1)}`,
    ),
    later: (ms: number) => {
      nowMs += ms
    },
  }
}

test('a link leads to the checkout once', () => {
  const { links: open } = links()
  const path = open.create('ey.a.b')
  expect(path).not.toContain('ey')
  expect(open.follow(path)).toBe('/checkout#ey.a.b')
  expect(open.follow(path)).toBeUndefined()
  expect(open.follow('/open/other')).toBeUndefined()
})

test('a token stays in the fragment, no matter what it contains', () => {
  const { links: open } = links()
  expect(open.follow(open.create('a b\r\nSet-Cookie: x#?'))).toBe(
    '/checkout#a%20b%0D%0ASet-Cookie%3A%20x%23%3F',
  )
})

test('a link lasts a minute', () => {
  const { links: open, later } = links()
  const [used, late] = [open.create('a'), open.create('b')]
  later(59_999)
  expect(open.follow(used)).toBe('/checkout#a')
  later(1)
  expect(open.follow(late)).toBeUndefined()
})

test('a hundred links are kept, the newest', () => {
  const { links: open } = links()
  const paths = Array.from({ length: 101 }, (_, at) => open.create(`t${at}`))
  expect(open.follow(paths[0] ?? '')).toBeUndefined()
  expect(open.follow(paths[1] ?? '')).toBe('/checkout#t1')
  expect(open.follow(paths[100] ?? '')).toBe('/checkout#t100')
})

test('only the controls make links; the request log shows neither them nor their tokens', async () => {
  const { server, sandbox } = await openServed()
  const open = (headers: Record<string, string>, body: string) =>
    send(server.url, {
      method: 'POST',
      url: '/sandbox/open',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
  const body = JSON.stringify({ clientToken: 'ey.secret.token' })
  expect(await open({}, body)).toMatchObject({ status: 401 })
  expect(await open({ 'x-api-key': 'sandbox_readonly' }, body)).toMatchObject({ status: 403 })
  for (const wrong of ['{}', '[]', '{"clientToken":""}', '{"clientToken":5}'])
    expect(await open({ 'x-api-key': 'sandbox_all' }, wrong)).toMatchObject({ status: 422 })
  const made = await open({ 'x-api-key': 'sandbox_all' }, body)
  const { path } = Object(JSON.parse(made.body))
  const follow = () => send(server.url, { method: 'GET', url: String(path), headers: {}, body: undefined })
  expect(await follow()).toMatchObject({
    status: 303,
    body: '',
    headers: {
      location: '/checkout#ey.secret.token',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
  })
  const again = await follow()
  expect({ status: again.status, body: JSON.parse(again.body) }).toMatchObject(refusal(404, 'NotFound'))
  expect(await loggedIn({ sandbox }, 10)).toEqual([])
})
