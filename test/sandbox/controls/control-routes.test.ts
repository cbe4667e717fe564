import { describe, expect, test } from 'vitest'
import { openService, refusal, addFault, loggedIn } from '../service.ts'
import type { CallOptions, Json } from '../service.ts'
import { control } from './call-control.ts'

const CARD = { card: '4111111111111111' }

const REFUNDS = { on: 'POST /payments/*/refund', do: 'drop-after' }

const CALLS: readonly (readonly [method: string, path: string, body: Json | undefined])[] = [
  ['GET', '/sandbox/scenarios', undefined],
  ['POST', '/sandbox/tokenize', CARD],
  ['GET', '/sandbox/clock', undefined],
  ['POST', '/sandbox/clock/advance', { duration: '1h' }],
  ['GET', '/sandbox/faults', undefined],
  ['POST', '/sandbox/faults', REFUNDS],
  ['DELETE', '/sandbox/faults', undefined],
  ['GET', '/sandbox/requests', undefined],
  ['DELETE', '/sandbox/requests', undefined],
  ['GET', '/sandbox/records', undefined],
  ['GET', '/sandbox/settings', undefined],
  ['PUT', '/sandbox/settings', { threeDSecure: 'auto' }],
  ['POST', '/sandbox/reset', undefined],
]

describe.each(CALLS)('%s %s', (method, path, body) => {
  test('accepts only the key with every scope', async () => {
    const service = await openService()
    expect(await control(service, method, path, body)).toMatchObject({ status: 200 })
    for (const key of ['', 'nobody'])
      expect(await control(service, method, path, body, { key })).toMatchObject(refusal(401, 'Unauthorized'))
    for (const key of ['sandbox_readonly', 'sandbox_nobeta'])
      expect(await control(service, method, path, body, { key })).toMatchObject(refusal(403, 'Forbidden'))
  })

  test('accepts only its own input', async () => {
    const service = await openService()
    expect(await control(service, method, `${path}?nothing=1`, body)).toMatchObject({
      ...refusal(422, 'RequestValidationError'),
      body: { error: { validationErrors: [{ errors: [{ path: '$.nothing' }] }] } },
    })
    if (method === 'GET') return
    expect(await control(service, method, path, { ...body, nothing: 1 })).toMatchObject({
      ...refusal(422, 'RequestValidationError'),
      body: { error: { validationErrors: [{ errors: [{ path: '$.nothing' }] }] } },
    })
  })

  test('needs its body', async () => {
    if (body === undefined) return
    for (const text of ['', 'null'])
      expect(await control(await openService(), method, path, undefined, { text })).toMatchObject(
        refusal(422, 'RequestValidationError'),
      )
  })

  test('refuses another method and names the allowed ones', async () => {
    const answer = await control(await openService(), 'PATCH', path, {})
    expect(answer).toMatchObject(refusal(405, 'MethodNotAllowed'))
    expect(answer.headers['allow']?.split(', ')).toContain(method)
  })

  test('is not logged and meets no fault', async () => {
    const service = await openService()
    await addFault(service, { on: '* /**', do: 'hang', rate: 1, seed: 1, skip: 0 })
    const answer = await control(service, method, `${path}/`, body)
    expect(answer).toMatchObject({ status: 200 })
    expect(answer).not.toHaveProperty('deliveryFault')
    expect(await loggedIn(service, 10)).toEqual([])
  })
})

describe('routing', () => {
  test.each(['/sandbox', '/sandbox/', '/sandbox/nothing', '/sandbox/faults/1', '/sandbox//faults'])(
    'finds nothing at %s',
    async (path) => {
      expect(await control(await openService(), 'GET', path)).toMatchObject(refusal(404, 'NotFound'))
    },
  )

  test('suggests the nearest control', async () => {
    expect(await control(await openService(), 'GET', '/sandbox/fault')).toMatchObject({
      body: { error: { recoverySuggestion: 'Did you mean /sandbox/faults?' } },
    })
  })

  test.each([
    'http://127.0.0.1:4010/sandbox/clock',
    'HTTP://LOCALHOST/sandbox/clock?',
    '/sandbox/clock#here',
  ])('also accepts %s', async (url) => {
    expect(await control(await openService(), 'GET', url)).toMatchObject({ body: { offsetMs: 0 } })
  })

  test('logs /sandboxes like any other path', async () => {
    const service = await openService()
    expect(await control(service, 'GET', '/sandboxes')).toMatchObject(refusal(404, 'NotFound'))
    expect(await loggedIn(service, 1)).toMatchObject([{ path: '/sandboxes', status: 404 }])
  })

  test.each<[string, CallOptions, number, string]>([
    ['broken JSON', { text: '{"on":' }, 400, 'MalformedJson'],
    [
      'a form',
      { text: 'on=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'UnsupportedMediaType',
    ],
    ['a list', { text: '[]' }, 422, 'RequestValidationError'],
    ['a text', { text: '"on"' }, 422, 'RequestValidationError'],
    ['null', { text: 'null' }, 422, 'RequestValidationError'],
    [
      'more than a megabyte',
      { text: JSON.stringify({ on: 'x'.repeat(1024 * 1024) }) },
      413,
      'PayloadTooLarge',
    ],
  ])('refuses %s', async (_, options, status, errorId) => {
    const service = await openService()
    for (const path of ['/sandbox/faults', '/sandbox/tokenize', '/sandbox/clock/advance'])
      expect(await control(service, 'POST', path, undefined, options)).toMatchObject(refusal(status, errorId))
  })
})
