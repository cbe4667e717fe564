import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createBench, jsonAnswer } from '../../support/run-pay.ts'
import type { Bench } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'

const ENV = { PAY_BASE_URL: 'https://api.test.example.com', PAY_API_KEY: 'key-of-shop-0123456789' }
const PAYMENT = { id: 'p1', status: 'PENDING', currencyCode: 'EUR', amount: 1_000 }

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => {
  bench.dispose()
})

describe('an idempotency key that was used for another payment', () => {
  const used = {
    error: {
      errorId: 'IdempotencyKeyAlreadyExists',
      description: 'The key was used',
      diagnosticsId: 'diag-1',
      paymentId: 'p7',
      paymentStatus: 'DECLINED',
    },
  }
  const refund = (words: string) =>
    bench.runPay(`payment refund p1 --amount 300 --idempotency-key mine --yes ${words}`, {
      env: ENV,
      service: ({ method }) => (method === 'GET' ? jsonAnswer(200, PAYMENT) : jsonAnswer(409, used)),
    })

  test('is reported to a script with the payment, its status and how to read it', async () => {
    const ran = await refund('--json')
    expect(ran.exitCode).toBe(6)
    expect(errorOf(ran)).toMatchObject({
      code: 'idempotency_key_used',
      httpStatus: 409,
      diagnosticsId: 'diag-1',
      paymentId: 'p7',
      paymentStatus: 'DECLINED',
      next: ['pay payment get p7'],
    })
  })

  test('is reported to a person with the payment', async () => {
    const { stderr } = await refund('')
    expect(stderr).toContain('this one did nothing: payment p7 is DECLINED')
    expect(stderr).toContain('pay payment get p7')
  })
})

describe('a resume that is not finished', () => {
  const why = {
    error: {
      errorId: 'NoActionsToHandle',
      description: 'The challenge is still open',
      diagnosticsId: 'diag-2',
    },
  }
  const resume = (words: string) =>
    bench.runPay(`payment resume p1 --resume-token abcdefgh --yes ${words}`, {
      env: ENV,
      service: ({ method }) => (method === 'GET' ? jsonAnswer(200, PAYMENT) : jsonAnswer(202, why)),
    })

  test('says why to a script', async () => {
    const ran = await resume('--json')
    expect(ran.exitCode).toBe(8)
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: 'p1', status: 'PENDING' })
    expect(errorOf(ran)).toMatchObject({
      code: 'not_finished',
      exitCode: 8,
      httpStatus: 202,
      errorId: 'NoActionsToHandle',
      description: 'The challenge is still open',
      diagnosticsId: 'diag-2',
      outcome: 'applied',
    })
  })

  test('says why to a person', async () => {
    const { stderr } = await resume('')
    expect(stderr).toContain('The challenge is still open (NoActionsToHandle, HTTP 202)')
    expect(stderr).toContain('diagnostics ID diag-2')
  })

  test('is in doubt if the 202 does not say so', async () => {
    for (const body of ['', '{}', '<html>', JSON.stringify({ ...PAYMENT, id: 'p2' })]) {
      const ran = await bench.runPay('payment resume p1 --resume-token abcdefgh --json --yes --again', {
        env: ENV,
        service: ({ method }) =>
          method === 'GET' ? jsonAnswer(200, PAYMENT) : { status: 202, headers: {}, body },
      })
      expect(ran.exitCode).toBe(10)
      bench.dispose()
      bench = createBench()
    }
  })
})
