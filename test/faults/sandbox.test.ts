import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TransportFailure } from '../../src/client/http/transport-port.ts'
import type { HttpRequest } from '../../src/client/http/transport-port.ts'
import { openSandbox } from '../../src/sandbox/sandbox.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { callOf, runCall } from '../support/client-bench.ts'
import type { Ending } from '../support/client-bench.ts'
import type { WriteId } from '../support/simulated-service.ts'

let folder: string
let sandbox: Sandbox
let seed: number
beforeEach(async () => {
  seed = 1
  folder = mkdtempSync(join(tmpdir(), 'pay-faults-'))
  sandbox = await openSandbox({
    folder,
    now: () => new Date('2026-03-01T12:00:00.000Z'),
    random: () => {
      seed = (seed * 16_807) % 2_147_483_647
      return seed / 2_147_483_647
    },
  })
})
afterEach(async () => {
  await sandbox.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Sends one write to the sandbox; `isDropped` performs the first attempt and loses its response. */
function send(id: WriteId, value: unknown, params = {}, isDropped = false): Promise<Ending> {
  let writes = 0
  return runCall(
    callOf(id, { params, body: { value, text: JSON.stringify(value) }, idempotencyKey: undefined }),
    {
      service: async (request: HttpRequest) => {
        const key = request.headers['x-idempotency-key']
        const headers = {
          ...request.headers,
          'x-api-key': 'sandbox_all',
          // Every call makes the same first key, and the sandbox remembers keys.
          ...(key === undefined ? {} : { 'x-idempotency-key': `${id}-${key}` }),
        }
        const answer = await sandbox.handle({ ...request, headers })
        if (request.method !== 'GET') writes += 1
        if (isDropped && writes === 1 && request.method !== 'GET')
          throw new TransportFailure('cut', true, 'applied, and then cut')
        return answer
      },
    },
  )
}

async function idOf(created: Promise<Ending>): Promise<string> {
  const json: unknown = (await created).answer?.json
  if (typeof json !== 'object' || json === null || !('id' in json)) throw new Error('no payment was created')
  return String(json.id)
}
const create = (token = 'tok_visa', isDropped = false) =>
  send(
    'payment.create',
    {
      paymentMethodToken: token,
      amount: 1_000,
      currencyCode: 'EUR',
      orderId: 'A-1',
      paymentMethod: { authorizationType: 'ESTIMATED' },
    },
    {},
    isDropped,
  )

test('a created payment whose response was lost is read back', async () => {
  expect(await create('tok_visa', true)).toMatchObject({
    exitCode: 0,
    answer: { json: { status: 'AUTHORIZED' } },
  })
})

test('a declined payment whose response was lost exits 13', async () => {
  expect(await create('tok_declined', true)).toMatchObject({
    exitCode: 13,
    answer: { json: { status: 'DECLINED' } },
  })
})

test('a capture and a refund whose responses were lost happen once', async () => {
  const id = await idOf(create())
  const captured = await send('payment.capture', { amount: 700 }, { id }, true)
  expect(captured).toMatchObject({ exitCode: 0, answer: { json: { processor: { amountCaptured: 700 } } } })
  const refunded = await send('payment.refund', { amount: 300 }, { id }, true)
  expect(refunded).toMatchObject({ exitCode: 0, answer: { json: { processor: { amountRefunded: 300 } } } })
})

test('a refund that is still pending when it is read back exits 0', async () => {
  const id = await idOf(create('tok_refund_fails'))
  await send('payment.capture', {}, { id })
  const refunded = await send('payment.refund', { amount: 300 }, { id }, true)
  expect(refunded).toMatchObject({ exitCode: 0 })
  expect(refunded.answer?.text).toContain('PENDING')
  expect(refunded.writes).toHaveLength(2)
})

test('an adjustment whose response was lost is read back', async () => {
  const id = await idOf(create())
  const adjusted = await send('payment.adjust', { amount: 1_500 }, { id }, true)
  expect(adjusted).toMatchObject({ exitCode: 0, answer: { json: { amount: 1_500 } } })
  expect(adjusted.writes).toHaveLength(1)
})

test('a cancellation whose response was lost is read back', async () => {
  const id = await idOf(create())
  const cancelled = await send('payment.cancel', {}, { id }, true)
  expect(cancelled).toMatchObject({ exitCode: 0, answer: { json: { status: 'CANCELLED' } } })
})

test('a record whose response was lost is updated to the same fields', async () => {
  const record = {
    paymentId: 'ext-1',
    currencyCode: 'EUR',
    processor: { name: 'ACQUIRER' },
    amount: 5,
    createdAt: '2026-01-31T09:30:00Z',
    order: { id: 'A-1' },
    paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
  }
  const pushed = await send('observability.push', record, {}, true)
  expect(pushed).toMatchObject({ exitCode: 0, answer: { json: { paymentId: 'ext-1', amount: 5 } } })
  expect(pushed.sent.map(({ method }) => method)).toEqual(['POST', 'POST', 'PATCH'])
})

test('points whose response was lost are redeemed once and in doubt', async () => {
  const value = { connectionId: 'points-1', customerId: 'C-1', orderId: 'A-1', value: 10 }
  const redeemed = await send('loyalty.create', value, {}, true)
  expect(redeemed).toMatchObject({ exitCode: 10, settled: { state: 'in-doubt' } })
  expect(redeemed.writes).toHaveLength(1)
})
