import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'
import { ENV, PAYMENT, keyOf, useTickets } from './ticket-bench.ts'

const { bench, refund, forgetLedger } = useTickets()

describe('the key of a ticket', () => {
  test('is the same on every machine and has the form of a UUID', async () => {
    const first = keyOf(await refund('--once T-1'))
    forgetLedger()
    expect(keyOf(await refund('--once T-1'))).toBe(first)
    expect(first).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  })

  test('does not depend on the amount or how the call was typed', async () => {
    const first = keyOf(await refund('--once T-1'))
    forgetLedger()
    const typed = await bench.runPay('api POST /payments/p1/refund --set amount:=500 --once T-1', {
      env: ENV,
      service: () => jsonAnswer(200, PAYMENT),
    })
    expect(keyOf(typed)).toBe(first)
  })

  test('is the same for a rotated or a colleague’s API key', async () => {
    const first = keyOf(await refund('--once T-1'))
    forgetLedger()
    const env = { ...ENV, PAY_API_KEY: 'key-another-0123456789' }
    expect(keyOf(await refund('--once T-1', { env }))).toBe(first)
  })

  test('is in a dry run that has no API key', async () => {
    const shown = await bench.runPay('payment refund p1 --amount 300 --once T-1 --dry-run --json', {
      env: { PAY_BASE_URL: ENV.PAY_BASE_URL },
    })
    expect(shown.exitCode).toBe(0)
    const key = keyOf(await refund('--once T-1'))
    expect(JSON.parse(shown.stdout)).toMatchObject({ headers: { 'x-idempotency-key': key } })
  })

  test('differs by ticket, target, operation and base URL', async () => {
    const capture = await bench.runPay('payment capture p1 --amount 300 --once T-1', {
      env: ENV,
      service: () => jsonAnswer(200, PAYMENT),
    })
    const keys = [
      keyOf(await refund('--once T-1')),
      keyOf(await refund('--once t-1')),
      keyOf(await refund('--once T-1', {}, 'p2')),
      keyOf(await refund('--once T-1', { env: { ...ENV, PAY_BASE_URL: 'http://127.0.0.1:8' } })),
      keyOf(capture),
    ]
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).not.toContain(undefined)
  })

  test.each([
    ['spaces around it', ['--once', '  T 1 ']],
    ['other spaces inside', ['--once', 'T \u00A0 1']],
    ['a slash at the end of the base URL', ['--once', 'T 1', '--base-url', `${ENV.PAY_BASE_URL}/`]],
  ])('is the same with %s', async (_, words) => {
    const service = () => jsonAnswer(200, PAYMENT)
    const line = ['payment', 'refund', 'p1', '--amount', '300']
    const first = await bench.runPay([...line, '--once', 'T 1'], { env: ENV, service })
    forgetLedger()
    expect(keyOf(await bench.runPay([...line, ...words], { env: ENV, service }))).toBe(keyOf(first))
  })

  test.each(['--dry-run --json', '--curl'])('is shown by %s', async (way) => {
    const shown = await refund(`--once T-1 ${way}`)
    expect(shown.requests).toEqual([])
    const key = keyOf(await refund('--once T-1'))
    expect(key).toBeDefined()
    expect(shown.stdout).toContain(key)
  })
})

describe('--once is refused', () => {
  test.each([
    ['payment adjust p1 --amount 300', 'no idempotency key'],
    ['payment resume p1 --resume-token r', 'no idempotency key'],
    ['session create --order-id A-1', 'no idempotency key'],
    ['loyalty redeem --connection-id c --customer-id c --order-id o --value 5', 'no idempotency key'],
    ['api POST /unknown', 'no idempotency key'],
    ['api POST /payments/p1/adjust-authorization --set amount:=5', 'no idempotency key'],
    ['payment get p1', 'changes nothing'],
    ['api GET /payments', 'changes nothing'],
    ['whoami', 'changes nothing'],
    ['smoke', 'does not take --once'],
    ['ops list', 'changes nothing'],
  ])('by pay %s with exit 2, and nothing is sent', async (line, words) => {
    const refused = await bench.runPay(`${line} --once T-1`, { env: ENV, service: () => jsonAnswer(200, {}) })
    expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(refused.stderr).toContain(words)
    expect(refused.stderr).toContain('Leave out --once')
  })

  test('together with --idempotency-key', async () => {
    const refused = await refund('--once T-1 --idempotency-key k --json')
    expect(refused).toMatchObject({ exitCode: 2, requests: [] })
    expect(errorOf(refused)).toMatchObject({ code: 'two_sources' })
  })

  test.each([
    ['nothing', ''],
    ['spaces', '  '],
    ['a line break', 'T-1\nT-2'],
    ['a control character', 'T-1\u001B'],
    ['a zero-width character', 'T\u200B-1'],
    ['more than 200 characters', 'T'.repeat(201)],
  ])('with a ticket of %s', async (_, ticket) => {
    const refused = await bench.runPay(['payment', 'refund', 'p1', '--once', ticket, '--json'], {
      env: ENV,
      service: () => jsonAnswer(200, PAYMENT),
    })
    expect(refused).toMatchObject({ exitCode: 2, requests: [] })
    expect(errorOf(refused)).toMatchObject({ code: 'bad_value' })
  })
})
