import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import type { HttpRequest } from '../../../src/client/http/transport-port.ts'
import { SERVICE_ENV, envelope } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'
import { useBatchBench } from './batch-bench.ts'

const { bench, write, rowsIn } = useBatchBench()

const idOf = ({ url }: HttpRequest): string => new URL(url).pathname.split('/').at(-1) ?? ''
const settled = (id: string, orderId?: string) => ({
  id,
  orderId,
  status: 'SETTLED',
  amount: 1000,
  currencyCode: 'EUR',
  processor: { amountCaptured: 1000, amountRefunded: 0 },
})
const rowsOf = (count: number) => Array.from({ length: count }, (_, at) => `p${at},1\n`).join('')

function plan(
  csv: string,
  flags: string,
  service: NonNullable<RunOptions['service']>,
  more: RunOptions = {},
) {
  write('in.csv', csv)
  return bench().runPay(`batch plan refund in.csv --json ${flags}`, { env: SERVICE_ENV, service, ...more })
}
const planFiles = () => readdirSync(bench().folder).filter((name) => name.includes('plan'))

describe('reading the payments of a plan', () => {
  test('waits out a 429 without losing a row, as long as the service asks', async () => {
    const ran = await plan(`paymentId,amount\n${rowsOf(20)}`, '--max-retries 0', (request, attempt) =>
      attempt % 7 === 3
        ? jsonAnswer(429, {}, { 'retry-after': '5' })
        : jsonAnswer(200, settled(idOf(request))),
    )
    expect(ran.exitCode).toBe(0)
    expect(rowsIn('in.plan.ndjson').map(({ paymentId }) => paymentId)).toEqual(
      Array.from({ length: 20 }, (_, at) => `p${at}`),
    )
    expect(ran.stderr).toContain('The service asks to slow down. Waiting 5 s.')
    expect(bench().waits).toContain(5_000)
  })

  test.each([
    ['nothing but 429', '1'],
    ['a Retry-After of 31 years', '999999999'],
  ])('stops with exit code 7 and without a plan after %s', async (_, retryAfter) => {
    const ran = await plan(`paymentId,amount\n${rowsOf(20)}`, '', () =>
      jsonAnswer(429, {}, { 'retry-after': retryAfter }),
    )
    expect(ran).toMatchObject({ exitCode: 7, stdout: '' })
    expect(errorOf(ran)).toMatchObject({ code: 'rate_limited', outcome: 'none', retryable: true })
    expect(planFiles()).toEqual([])
  })

  test('a payment that is always answered 429 is unread while others are read', async () => {
    const ran = await plan(`paymentId,amount\n${rowsOf(20)}`, '', (request) =>
      idOf(request) === 'p3'
        ? jsonAnswer(429, {}, { 'retry-after': '1' })
        : jsonAnswer(200, settled(idOf(request))),
    )
    expect(ran.exitCode).toBe(14)
    expect(JSON.parse(ran.stdout)).toMatchObject({ verdicts: { ready: 19, unread: 1 } })
  })

  test('keeps to --rate', async () => {
    await plan(`paymentId,amount\n${rowsOf(20)}`, '--rate 10/s', (request) =>
      jsonAnswer(200, settled(idOf(request))),
    )
    const waited = bench().waits.reduce((sum, ms) => sum + ms, 0)
    expect(waited).toBeGreaterThan(1_500)
  })

  test('keeps to --concurrency', async () => {
    let [inFlight, most] = [0, 0]
    await plan(`paymentId,amount\n${rowsOf(20)}`, '--concurrency 3', async (request) => {
      inFlight += 1
      most = Math.max(most, inFlight)
      await Promise.resolve()
      await Promise.resolve()
      inFlight -= 1
      return jsonAnswer(200, settled(idOf(request)))
    })
    expect(most).toBe(3)
  })

  test('reads a payment once for all its rows', async () => {
    const ran = await plan('paymentId,amount\np1,1\np1,2\np1,3\n', '', (request) =>
      jsonAnswer(200, settled(idOf(request))),
    )
    expect(ran.requests).toHaveLength(1)
  })

  test('repeats a read that failed, and does not believe an answer about another payment', async () => {
    const ran = await plan('paymentId,amount\np1,all\np2,all\n', '--concurrency 1', (request, attempt) => {
      if (attempt === 1) throw new TransportFailure('timeout', true, 'no response in 30 s')
      return jsonAnswer(200, settled(idOf(request) === 'p2' ? 'p9' : 'p1'))
    })
    expect(ran.exitCode).toBe(14)
    expect(rowsIn('in.plan.ndjson').map(({ verdict, message }) => [verdict, message])).toEqual([
      ['ready', undefined],
      [
        'unread',
        'the payment could not be read (the response is about p9 instead of p2): plan the row again',
      ],
    ])
  })

  test('searches every page of an order, and ignores payments of other orders', async () => {
    const ran = await plan('orderId,amount\n"a,b",all\n', '', (request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === '/payments/p1') return jsonAnswer(200, settled('p1', 'a,b'))
      return searchParams.get('cursor') === null
        ? jsonAnswer(200, { data: [settled('p8', 'a'), settled('p9', 'b')], nextCursor: 'c2' })
        : jsonAnswer(200, { data: [settled('p1', 'a,b')] })
    })
    expect(ran.exitCode).toBe(0)
    expect(rowsIn('in.plan.ndjson')[0]).toMatchObject({ verdict: 'ready', paymentId: 'p1', orderId: 'a,b' })
  })

  test('does not guess when the payment found does not name the order', async () => {
    await plan('orderId,amount\no-1,all\n', '', () => jsonAnswer(200, { data: [settled('p1')] }))
    expect(rowsIn('in.plan.ndjson')[0]).toMatchObject({ verdict: 'ambiguous_order' })
  })
})

describe('no plan is written', () => {
  test.each([
    [401, 'Unauthorized', 4],
    [403, 'Forbidden', 4],
    [400, 'UnsupportedApiVersion', 3],
  ])('if the service refuses every read with %d', async (status, errorId, exitCode) => {
    const ran = await plan(`paymentId,amount\n${rowsOf(5)}`, '', () => jsonAnswer(status, envelope(errorId)))
    expect(ran).toMatchObject({ exitCode, stdout: '' })
    expect(planFiles()).toEqual([])
  })

  test('if the service cannot be reached', async () => {
    const ran = await plan(`paymentId,amount\n${rowsOf(5)}`, '', () => {
      throw new TransportFailure('refused', false, 'the connection was refused')
    })
    expect(ran).toMatchObject({ exitCode: 9, stdout: '' })
    expect(planFiles()).toEqual([])
  })

  test('if a hundred reads in a row fail', async () => {
    const ran = await plan(`paymentId,amount\n${rowsOf(150)}`, '--max-retries 0', () => jsonAnswer(500, {}))
    expect(ran).toMatchObject({ exitCode: 11, stdout: '' })
    expect(ran.stderr).toContain('"code":"service_failing"')
    expect(planFiles()).toEqual([])
  })

  test('after Ctrl-C', async () => {
    const interrupt = new AbortController()
    const ran = await plan(
      `paymentId,amount\n${rowsOf(50)}`,
      '',
      (request, attempt) => {
        if (attempt === 10) interrupt.abort('SIGINT')
        return jsonAnswer(200, settled(idOf(request)))
      },
      { signal: interrupt.signal },
    )
    expect(ran).toMatchObject({ exitCode: 130, stdout: '' })
    expect(ran.stderr).toContain('Interrupted: no plan was written. Nothing was sent.')
    expect(planFiles()).toEqual([])
  })
})
