import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import { errorOf } from '../../support/run-result.ts'

const bench = useBench()

const env = { PAY_API_KEY: 'key-of-env-0123', PAY_BASE_URL: 'http://127.0.0.1:9' }
const MACHINE = ['json', 'ndjson', 'yaml', 'csv', 'id'] as const

describe('an unsuccessful response is printed', () => {
  test('a declined payment exits 13', async () => {
    const declined = await bench.runPay(
      '--sandbox payment create --token tok_declined --amount 500 --currency EUR --order-id A-1 --json',
    )
    expect(declined.exitCode).toBe(13)
    expect(JSON.parse(declined.stdout)).toMatchObject({ status: 'DECLINED' })
    expect(errorOf(declined)).toMatchObject({ code: 'payment_declined', exitCode: 13, outcome: 'none' })
  })

  test('a declined payment is printed in every format', async () => {
    for (const format of ['table', ...MACHINE]) {
      const declined = await bench.runPay(
        `--sandbox payment create --token tok_declined --amount 500 --currency EUR --order-id A-1 -o ${format}`,
      )
      expect(declined.exitCode).toBe(13)
      expect(declined.stdout).not.toBe('')
    }
  })

  test('a payment that waits for its customer exits 8', async () => {
    const pending = await bench.runPay(
      '--sandbox payment create --token tok_3ds --amount 500 --currency EUR --order-id A-1 --json',
    )
    const { id, requiredAction } = JSON.parse(pending.stdout)
    expect(pending.exitCode).toBe(0)
    const made = await bench.runPay([
      'sandbox',
      'challenge',
      requiredAction.clientToken,
      '--outcome',
      'fail',
      '-o',
      'id',
    ])
    expect(made.exitCode).toBe(0)
    const resumed = await bench.runPay([
      '--sandbox',
      'payment',
      'resume',
      id,
      '--resume-token',
      made.stdout.trim(),
      '--json',
    ])
    expect(resumed.exitCode).toBe(13)
    expect(JSON.parse(resumed.stdout)).toMatchObject({ status: 'DECLINED' })
  })

  test('a resume answered with 202 prints the payment and exits 8', async () => {
    const open = await bench.runPay('payment resume p1 --resume-token tok --json', {
      env,
      service: ({ method }) =>
        method === 'GET'
          ? jsonAnswer(200, { id: 'p1', status: 'PENDING' })
          : jsonAnswer(202, { error: { errorId: 'NoActionsToHandle', description: 'not finished' } }),
    })
    expect(open.exitCode).toBe(8)
    expect(open.stdout).not.toBe('')
    expect(errorOf(open)).toMatchObject({ exitCode: 8 })
  })
})

describe('stdout is empty on every other failure', () => {
  test.each([400, 401, 403, 404, 409, 422, 429, 500, 503, 301, 302, 307])('HTTP %i', async (status) => {
    const failed = await bench.runPay('payment get p1 --max-retries 0', {
      env,
      service: () => ({ status, headers: { location: 'https://evil.example/payments/p1' }, body: 'no' }),
    })
    expect(failed.stdout).toBe('')
    expect(failed.exitCode).not.toBe(0)
    expect(failed.requests).toHaveLength(1)
  })

  test.each([
    [301, 3],
    [302, 3],
    // It says where a result may be, and nothing of the effect.
    [303, 10],
    [307, 3],
    [308, 3],
  ])('a redirect (%i) is not followed, not even for a write', async (status, exitCode) => {
    const failed = await bench.runPay('payment capture p1 --amount 5', {
      env,
      service: () => ({ status, headers: { location: 'https://evil.example/' }, body: '' }),
    })
    expect(failed).toMatchObject({ exitCode, stdout: '' })
    for (const { url } of failed.requests) expect(url).not.toContain('evil.example')
  })
})
