import { beforeEach, expect, test } from 'vitest'
import { accountOf } from '../../../../src/client/calls/build-intent.ts'
import { planRow } from '../../../support/batch-plan.ts'
import { jsonAnswer } from '../../../support/run-pay.ts'
import type { RunOptions } from '../../../support/run-pay.ts'
import { writesOf } from '../../../support/run-result.ts'
import { useApplyBench } from './bench.ts'
import { createRefundingService } from './refunding-service.ts'
import type { RefundingService } from './refunding-service.ts'

const bench = useApplyBench()
let service: RefundingService

beforeEach(() => {
  service = createRefundingService()
})

const ENV = { PAY_BASE_URL: 'https://sandbox.pay.example', PAY_API_KEY: 'test_key_1234' }

const plan = (rows: number) =>
  bench.plan(
    Array.from({ length: rows }, (_, index) => planRow(index + 1, `p${index + 1}`)),
    { account: accountOf({ baseUrl: ENV.PAY_BASE_URL, apiKey: ENV.PAY_API_KEY }), baseUrl: ENV.PAY_BASE_URL },
  )
const apply = (words: string, options: RunOptions) =>
  bench.runPay(`batch apply p.plan.ndjson --json ${words}`, { env: ENV, service: service.serve, ...options })

test('Ctrl-C lets the row in progress end, begins no other, and the same command continues', async () => {
  plan(3)
  const stop = new AbortController()

  const r = await apply('--concurrency 1 --results r.csv', {
    signal: stop.signal,
    service: (request) => {
      if (request.method === 'POST') stop.abort('SIGINT')
      return service.serve(request)
    },
  })

  expect(r.exitCode).toBe(130)
  expect(JSON.parse(r.stdout)).toMatchObject({ done: 1, left: 2 })
  expect(r.stderr).toContain('Interrupted: 1 done, 2 left')
  expect(bench.lines('r.csv')).toHaveLength(2)
  const again = await apply('--results r.csv', {})
  expect(again.exitCode).toBe(0)
  expect(writesOf(again)).toHaveLength(2)
  expect([...service.refunded.values()]).toEqual([500, 500, 500])
  expect(bench.lines('r.csv')).toHaveLength(4)
})

test('Ctrl-C before the first write sends nothing', async () => {
  plan(2)
  const stop = new AbortController()

  const r = await apply('', {
    signal: stop.signal,
    service: (request) => {
      stop.abort('SIGTERM')
      return service.serve(request)
    },
  })

  expect(r.exitCode).toBe(143)
  expect(writesOf(r)).toEqual([])
  expect(service.refunded.size).toBe(0)
})

test('a key that the service refuses stops the run before a second row', async () => {
  plan(40)
  const r = await apply('--concurrency 1', {
    service: () => jsonAnswer(401, { error: { errorId: 'Unauthorized', description: 'no' } }),
  })
  expect(r).toMatchObject({ exitCode: 4, stdout: '' })
  expect(r.requests).toHaveLength(1)
})

test('a key that is refused halfway leaves the other rows', async () => {
  plan(3)
  let posts = 0

  const r = await apply('--concurrency 1', {
    service: (request) => {
      if (request.method === 'POST') posts += 1
      return posts > 1
        ? jsonAnswer(403, { error: { errorId: 'Forbidden', description: 'no refunds' } })
        : service.serve(request)
    },
  })

  expect(r.exitCode).toBe(14)
  expect(JSON.parse(r.stdout)).toMatchObject({ done: 1, left: 2 })
  expect(r.stderr).toContain('"code":"forbidden"')
})

test('a payment that shows no figures is skipped', async () => {
  plan(1)
  const r = await apply('--results r.csv', {
    service: () => jsonAnswer(200, { id: 'p1', status: 'SETTLED', currencyCode: 'EUR' }),
  })
  expect(JSON.parse(r.stdout)).toMatchObject({ skipped: 1 })
  expect(bench.lines('r.csv')[1]).toContain('does not show all of its figures')
})

test("another payment's answer is no answer, and never compared", async () => {
  plan(1)
  const r = await apply('--max-retries 0', {
    service: (request) => service.serve({ ...request, url: request.url.replace('p1', 'p9') }),
  })
  expect(JSON.parse(r.stdout)).toMatchObject({ done: 0, failed: 1 })
  expect(writesOf(r)).toEqual([])
})

test('masks secrets in what the service says', async () => {
  plan(1)

  const r = await apply('--results r.csv', {
    service: (request) =>
      request.method === 'GET'
        ? service.serve(request)
        : jsonAnswer(422, {
            error: { errorId: 'RequestValidationError', description: `key test_key_1234 \u001b[31m` },
          }),
  })

  expect(JSON.parse(r.stdout)).toMatchObject({ failed: 1 })
  expect(bench.lines('r.csv')[1]).toContain('failed,500,EUR,RequestValidationError,')
  expect(`${bench.lines('r.csv').join('\n')}${r.stderr}`).not.toMatch(/test_key_1234|\u001b/)
})
