import { describe, expect, test } from 'vitest'
import { at, openService, settledPayment, clearFaults, loggedIn, addFault } from '../service.ts'
import { send } from './sending.ts'

describe('a refund that meets a fault', () => {
  const NOTHING = { status: 0, headers: {}, body: '' }
  const whole = { status: 200, headers: { 'content-type': 'application/json' } }
  const FAULTS: readonly (readonly [string, object, { applied: boolean; status: number | undefined }])[] = [
    ['refuse', { ...NOTHING, deliveryFault: { kind: 'refused' } }, { applied: false, status: undefined }],
    ['hang', { ...NOTHING, deliveryFault: { kind: 'no-response' } }, { applied: false, status: undefined }],
    [
      'drop-before',
      { ...NOTHING, deliveryFault: { kind: 'dropped' } },
      { applied: false, status: undefined },
    ],
    ['status=503', { status: 503 }, { applied: false, status: 503 }],
    ['status=304', { status: 304 }, { applied: false, status: 304 }],
    ['429', { status: 429, headers: { 'retry-after': '1' } }, { applied: false, status: 429 }],
    ['429=30', { status: 429, headers: { 'retry-after': '30' } }, { applied: false, status: 429 }],
    [
      '429=Sun, 01 Mar 2026 12:00:30 GMT',
      { status: 429, headers: { 'retry-after': 'Sun, 01 Mar 2026 12:00:30 GMT' } },
      { applied: false, status: 429 },
    ],
    ['drop-after', { deliveryFault: { kind: 'dropped' } }, { applied: true, status: undefined }],
    ['delay=2s', { ...whole, deliveryFault: { kind: 'delayed', ms: 2000 } }, { applied: true, status: 200 }],
    ['truncate', { ...whole, deliveryFault: { kind: 'truncated' } }, { applied: true, status: 200 }],
    ['malformed', whole, { applied: true, status: 200 }],
    ['html', { status: 502, headers: { 'content-type': 'text/html' } }, { applied: true, status: 502 }],
    ['partial', whole, { applied: true, status: 200 }],
  ]

  test.each(FAULTS)('%s', async (what, answer, { applied, status }) => {
    const service = await openService()
    const id = await settledPayment(service)
    await addFault(service, { on: 'POST /payments/*/refund', do: what })
    expect(await send(service, 'POST', `/payments/${id}/refund`, { amount: 300 })).toMatchObject(answer)
    const [entry] = await loggedIn(service, 1)
    expect({ fault: entry?.fault, applied: entry?.applied, status: entry?.status }).toEqual({
      fault: what,
      applied,
      status,
    })
    await clearFaults(service)
    const payment = await service.ok('GET', `/payments/${id}`)
    expect(at(payment, 'processor', 'amountRefunded')).toBe(applied ? 300 : 0)
    // A request that wasn't processed hasn't used its key.
    const again = await send(service, 'POST', `/payments/${id}/refund`, { amount: 300 })
    expect(again.status).toBe(applied ? 409 : 200)
  })

  async function bodyUnder(what: string): Promise<string> {
    const service = await openService()
    const id = await settledPayment(service)
    await addFault(service, { do: what })
    return (await send(service, 'POST', `/payments/${id}/refund`, {})).body
  }

  test('a status uses the error envelope, with a request id', async () => {
    expect(JSON.parse(await bodyUnder('status=500'))).toEqual({
      error: {
        errorId: 'SandboxFault',
        description: expect.stringContaining('500'),
        diagnosticsId: expect.any(String),
      },
    })
  })

  test('malformed is not JSON', async () => {
    const body = await bodyUnder('malformed')
    expect(body).toMatch(/^\{"id":/)
    expect(() => JSON.parse(body)).toThrow(SyntaxError)
  })

  test('html is an HTML page', async () => {
    expect(await bodyUnder('html')).toContain('<h1>502 Bad Gateway</h1>')
  })

  test('partial keeps only the id', async () => {
    expect(JSON.parse(await bodyUnder('partial'))).toEqual({ id: expect.stringMatching(/^\w{9}$/) })
  })
})

test('partial keeps ids and error ids, in lists too', async () => {
  const service = await openService()
  const id = await settledPayment(service)
  await addFault(service, { do: 'partial' })
  const partial = async (url: string) => JSON.parse((await send(service, 'GET', url)).body)
  expect(await partial('/payments')).toEqual({ data: [{ id }] })
  expect(await partial('/payments/nothing')).toEqual({ error: { errorId: 'PaymentError' } })
  expect(await partial('/nothing')).toEqual({ error: { errorId: 'NotFound' } })
})

test('refused requests also meet faults', async () => {
  const service = await openService()
  await addFault(service, { do: 'hang' })
  const nobody = { method: 'GET', url: '/nothing', headers: {}, body: undefined }
  expect(await service.sandbox.handle(nobody)).toMatchObject({ deliveryFault: { kind: 'no-response' } })
  expect(await loggedIn(service, 1)).toMatchObject([{ path: '/nothing', fault: 'hang', applied: false }])
})
