import { describe, expect, test } from 'vitest'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HttpRequest, HttpResponse } from '../../src/client/http/transport-port.ts'
import { SERVICE_ENV } from '../support/error-envelope.ts'
import { useBench } from '../support/use-bench.ts'

const bench = useBench()

const ignoring = (header: string, more: Partial<HttpResponse> = {}) => ({
  env: SERVICE_ENV,
  service: ({ url, body }: HttpRequest): HttpResponse => ({
    status: 200,
    headers: { 'x-sandbox-ignored': header },
    body: JSON.stringify({
      id: 'p1',
      status: 'SETTLED',
      amount: 700,
      currencyCode: 'EUR',
      data: [],
      paymentId: /rec-\d+/.exec(body ?? url)?.[0] ?? 'p1',
    }),
    ...more,
  }),
})

const WARNING =
  "Warning: The service doesn't know parts of the request under this API version and has ignored them: "
const timesWarned = (stderr: string) => stderr.split(WARNING).length - 1

describe('a response that names what was ignored', () => {
  test.each([
    'payment get p1',
    'payment explain p1',
    'payment list',
    'payment refund p1 --quiet',
    'payment refund p1 --amount "5.00 EUR" --json',
    'session create',
    'observability get p1',
    'api GET /anything',
    'api POST /anything',
  ])('is followed by one warning: %s', async (line) => {
    const result = await bench.runPay(line, ignoring('$.transactionEventId, ?expand'))
    expect(result.exitCode).toBe(0)
    expect(result.stderr).toContain(`${WARNING}$.transactionEventId, ?expand\n`)
    expect(timesWarned(result.stderr)).toBe(1)
  })

  test('is followed by a warning when it is an error too, which stays the last line', async () => {
    const refused = ignoring('$.a', { status: 422, body: '{"error":{"errorId":"RequestValidationError"}}' })
    const result = await bench.runPay('payment refund p1 --json', refused)
    expect(result).toMatchObject({ exitCode: 3, stderr: expect.stringContaining(`${WARNING}$.a\n{"error":`) })
  })

  test('cannot control the terminal, fill it or show the key', async () => {
    const hostile = `$.a\u001b[2J\u009b31m\u202e, ${SERVICE_ENV.PAY_API_KEY}, 4111111111111111, ${'x'.repeat(9_000)}`
    const { stderr } = await bench.runPay('payment get p1', ignoring(hostile))
    expect(stderr).toContain(`${WARNING}$.a\\u001b[2J\\u009b31m\\u202e, [redacted], [card number], xxx`)
    expect(stderr.length).toBeLessThan(1_500)
  })

  test.each(['', ' , ,'])('warns of nothing when it names nothing: %j', async (header) => {
    expect((await bench.runPay('payment get p1', ignoring(header))).stderr).not.toContain('ignored')
  })
})

describe('a run of many requests', () => {
  const COLUMNS =
    'paymentId,currencyCode,processor.name,amount,createdAt,order.id,paymentMethod.paymentMethodType'
  const row = (at: number) => `rec-${at},EUR,A,100,2026-01-01T00:00:00Z,A-${at},PAYMENT_CARD`

  test('warns once', async () => {
    writeFileSync(join(bench.folder, 'rows.csv'), [COLUMNS, ...[1, 2, 3, 4].map(row), ''].join('\n'))
    let sent = 0
    const { env, service } = ignoring('')
    const imported = await bench.runPay('observability import rows.csv', {
      env,
      service: (request) => {
        sent += 1
        return { ...service(request), headers: { 'x-sandbox-ignored': `$.metadata.a${sent}` } }
      },
    })
    expect(imported.exitCode).toBe(0)
    expect(imported.requests).toHaveLength(4)
    expect(timesWarned(imported.stderr)).toBe(1)
    writeFileSync(join(bench.folder, 'refunds.csv'), 'paymentId,amount\np1,100\np2,100\n')
    const planned = await bench.runPay('batch plan refund refunds.csv', ignoring('?x'))
    expect(timesWarned(planned.stderr)).toBe(1)
  })
})
