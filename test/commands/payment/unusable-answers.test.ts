import { describe, expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import type { HttpRequest } from '../../../src/client/http/transport-port.ts'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { createBench, jsonAnswer } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'

const bench = useBench()

const CREATE = ['payment', 'create', '--token', 'tok_visa']
const GET = ['payment', 'get', 'p1']
const AUTHORIZE = ['payment', 'authorize', 'p1', '--processor-merchant-id', 'm']
const CAPTURE = ['payment', 'capture', 'p1']
const REFUND = ['payment', 'refund', 'p1']
const CANCEL = ['payment', 'cancel', 'p1']
const REDEEM = 'loyalty redeem --connection-id k --customer-id c --order-id o --value 5'.split(' ')
const VAULT = ['instrument', 'vault', 'pm-12345', '--customer-id', 'c']
const SESSION = ['session', 'create']
const PUSH = [
  'observability',
  'push',
  '--data',
  '{"paymentId":"x","currencyCode":"EUR","processor":{"name":"A"},"amount":1,"createdAt":"2026-01-01T00:00:00Z","order":{"id":"o"},"paymentMethod":{"paymentMethodType":"PAYMENT_CARD"}}',
]

const answering = (body: string, status = 200) => ({
  env: SERVICE_ENV,
  service: () => ({ status, headers: {}, body }),
})

describe('an unexpected response with status 200', () => {
  test.each([
    ['fields of the wrong type', '{"id":"p1","amount":"x"}', '"amount": "x"'],
    ['an amount above 2^53', '{"id":"p1","amount":9007199254740993}', '9007199254740993'],
  ])('to a write with %s is printed unchanged with a warning: exit 0', async (_, body, shown) => {
    for (const words of [REFUND, CREATE, CANCEL]) {
      const result = await bench.runPay(words, answering(body))
      expect(result.exitCode).toBe(0)
      expect(result.stdout).toContain(shown)
      expect(result.stderr).toContain('Warning')
    }
  })

  test.each([
    ['HTML', '<html>login</html>', 200],
    ['truncated JSON', '{"id":"p1","sta', 200],
    ['a number', '5', 200],
    ['a list', '[{"id":"p1"}]', 200],
    ['null', 'null', 200],
    ['two JSON values', '{"id":"p1"}{"id":"p1"}', 200],
    ['an error', '{"error":{"errorId":"X"}}', 200],
    ['empty', '', 200],
    ['white space', ' \n', 200],
    ['no content', '', 204],
  ])('to a write with %s exits 10 with nothing on stdout', async (_, body, status) => {
    for (const words of [REFUND, CREATE, PUSH, CANCEL, SESSION, REDEEM, VAULT]) {
      const fresh = createBench()
      const result = await fresh.runPay([...words, '--json', '--max-retries', '0'], answering(body, status))
      expect(result).toMatchObject({ exitCode: 10, stdout: '' })
      expect(JSON.parse(result.stderr)).toMatchObject({
        error: { code: 'outcome_unknown', outcome: 'unknown', httpStatus: status },
      })
      fresh.dispose()
    }
  })

  test.each([
    ['HTML', '<html>login</html>'],
    ['truncated JSON', '{"id":"p1","sta'],
    ['empty', ''],
    ['JSON nested too deeply', `{"a":${'['.repeat(9000)}${']'.repeat(9000)}}`],
  ])('to a read with %s exits 11 with nothing on stdout', async (_, body) => {
    for (const words of [
      ['payment', 'list'],
      ['instrument', 'list', '--customer-id', 'c'],
      ['session', 'get', '--client-token', 'ct-12345'],
    ]) {
      const result = await bench.runPay([...words, '--json'], answering(body))
      expect(result).toMatchObject({ exitCode: 11, stdout: '' })
      expect(JSON.parse(result.stderr)).toMatchObject({
        error: { code: 'unusable_answer', outcome: 'none', httpStatus: 200 },
      })
    }
  })

  test.each([
    ['another payment', '{"id":"p2","paymentId":"p2","status":"SETTLED"}'],
    ['its ID twice', '{"id":"p2","id":"p1","paymentId":"p2","paymentId":"p1","status":"SETTLED"}'],
    ['no ID', '{"status":"SETTLED"}'],
    ['nothing in it', '{}'],
    ['an error', '{"error":{"errorId":"X"}}'],
    ['its ID and an error', '{"id":"p1","paymentId":"p1","error":{"errorId":"X"}}'],
    ['null', 'null'],
    ['a list', '[{"id":"p1","paymentId":"p1"}]'],
    ['a text', '"p1"'],
    ['HTML', '<html>login</html>'],
    ['nothing', ''],
    ['truncated JSON', '{"id":"p1","sta'],
  ])('to a read with an ID in its path with %s exits 11 with nothing on stdout', async (_, body) => {
    for (const words of [
      'payment get p1 --query status',
      'payment explain p1',
      'payment wait p1 --for 1s',
      'observability get p1',
      'api GET /payments/p1',
      'api GET /observability/payments/p1/',
    ]) {
      const result = await bench.runPay(`${words} --json`, answering(body))
      expect(result).toMatchObject({ exitCode: 11, stdout: '' })
      expect(errorOf(result)).toMatchObject({ code: 'wrong_answer', outcome: 'none', httpStatus: 200 })
      // `wait` reads until its time is up.
      if (!words.includes('wait')) expect(result.requests).toHaveLength(1)
    }
  })

  test('to a read before a write decides nothing', async () => {
    const other = {
      env: SERVICE_ENV,
      service: ({ method }: HttpRequest) =>
        jsonAnswer(200, { id: method === 'GET' ? 'p2' : 'p1', currencyCode: 'EUR', amount: 700 }),
    }
    const checked = await bench.runPay([...REFUND, '--amount', '5.00 EUR', '--json'], other)
    expect(errorOf(checked)).toMatchObject({ exitCode: 11, code: 'wrong_answer' })
    const adjusted = await bench.runPay('payment adjust p1 --amount 5 --json', other)
    expect(errorOf(adjusted)).toMatchObject({ exitCode: 11, code: 'wrong_answer' })
    const shown = await bench.runPay(REFUND, { ...other, answers: { Amount: '5' } })
    expect(shown.stderr).toContain('The payment could not be read')
    for (const { requests } of [checked, adjusted])
      expect(requests.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test('to a read with fields of the wrong type is printed unchanged with a warning', async () => {
    const result = await bench.runPay(GET, answering('{"id":"p1","amount":"x"}'))
    expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('"amount": "x"') })
    expect(result.stderr).toContain('Warning')
  })

  test.each([
    ['its id twice', '{"id":"p1","id":"p1","status":"SETTLED"}'],
    ['its id and an error', '{"id":"p1","error":{"errorId":"X"}}'],
  ])('to a write with %s exits 10', async (_, body) => {
    for (const words of [CREATE, REFUND, CANCEL]) {
      const fresh = createBench()
      const result = await fresh.runPay([...words, '--json', '--max-retries', '0'], answering(body))
      expect(result).toMatchObject({ exitCode: 10, stdout: '' })
      fresh.dispose()
    }
  })

  test('with another key twice and a declined payment exits 13', async () => {
    const result = await bench.runPay(
      [...CREATE, '--json'],
      answering('{"id":"p1","status":"SETTLED","status":"DECLINED"}'),
    )
    expect(result).toMatchObject({ exitCode: 13, stdout: expect.stringContaining('DECLINED') })
  })
})

const answer = (status: string, more: Readonly<Record<string, unknown>> = {}) => ({
  env: SERVICE_ENV,
  service: () => jsonAnswer(200, { id: 'p1', status, ...more }),
})

describe('an unsuccessful outcome', () => {
  test.each([
    ['create', CREATE],
    ['authorize', AUTHORIZE],
    ['capture', CAPTURE],
  ])('of %s that is DECLINED or FAILED exits 13 and prints the payment', async (_, words) => {
    for (const status of ['DECLINED', 'FAILED']) {
      const result = await bench.runPay([...words, '--json'], answer(status))
      expect(result.exitCode).toBe(13)
      expect(JSON.parse(result.stdout)).toEqual({ id: 'p1', status })
      expect(errorOf(result)).toMatchObject({ code: 'payment_declined', exitCode: 13 })
    }
  })

  test('is reported with the payment and the reason, in JSON and as text', async () => {
    const statusReason = {
      type: 'ISSUER_DECLINED',
      declineType: 'SOFT_DECLINE',
      code: 'INSUFFICIENT_FUNDS',
      message: 'not enough on 4111111111111111',
    }
    const declined = answer('DECLINED', { statusReason })
    const script = await bench.runPay([...CREATE, '--json'], declined)
    expect(errorOf(script)).toMatchObject({
      code: 'payment_declined',
      paymentId: 'p1',
      paymentStatus: 'DECLINED',
      reason: { ...statusReason, message: 'not enough on [card number]' },
    })
    const person = await bench.runPay(CREATE, declined)
    expect(person.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'Why INSUFFICIENT_FUNDS: not enough on [card number] (SOFT_DECLINE, ISSUER_DECLINED)',
    )
  })

  test('of an earlier write does not affect a read: exit 0', async () => {
    expect(await bench.runPay(GET, answer('DECLINED'))).toMatchObject({ exitCode: 0 })
  })

  test('of a refund is taken from its own transaction', async () => {
    const failed = { transactions: [{ transactionType: 'REFUND', amount: 5, processorStatus: 'FAILED' }] }
    const result = await bench.runPay([...REFUND, '--amount', '5', '--json'], answer('SETTLED', failed))
    expect(result).toMatchObject({ exitCode: 13, stderr: expect.stringContaining('refund_failed') })
  })

  test('with status reason GATEWAY_TIMEOUT exits 10', async () => {
    const result = await bench.runPay(
      [...CREATE, '--json'],
      answer('FAILED', { statusReason: { type: 'GATEWAY_TIMEOUT' } }),
    )
    expect(result).toMatchObject({ exitCode: 10, stdout: '' })
  })
})
