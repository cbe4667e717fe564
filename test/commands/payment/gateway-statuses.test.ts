import { describe, expect, test } from 'vitest'
import type { HttpRequest } from '../../../src/client/http/transport-port.ts'
import { SERVICE_ENV, envelope } from '../../support/error-envelope.ts'
import { errorOf, writesOf } from '../../support/run-result.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()
const STATUSES = [303, 408, 460, 499]
const gateway = (status: number) => ({
  status,
  headers: { location: 'https://elsewhere.example.com/' },
  body: '<html>Request Timeout</html>',
})
const PAYMENT = {
  id: 'p1',
  amount: 9,
  currencyCode: 'EUR',
  status: 'AUTHORIZED',
  processor: { amountCaptured: 0, amountRefunded: 0 },
  transactions: [],
}

describe.each(STATUSES)('%i says nothing of what a write did', (status) => {
  test('a refund is sent again with its own key, and done', async () => {
    let sent = 0
    const result = await bench.runPay('payment refund p1 --amount 5 --json', {
      env: SERVICE_ENV,
      service: ({ method }) => {
        if (method === 'GET') return jsonAnswer(200, PAYMENT)
        sent += 1
        return sent === 1 ? gateway(status) : jsonAnswer(200, PAYMENT)
      },
    })
    expect(result.exitCode).toBe(0)
    const writes = result.requests.filter(({ method }) => method === 'POST')
    const keys = writes.map(({ headers }) => headers['x-idempotency-key'])
    expect(keys).toHaveLength(2)
    expect(keys[0]).toEqual(expect.any(String))
    expect(keys[1]).toBe(keys[0])
  })

  test('a refund that gets nothing else is in doubt, even in the envelope of the service', async () => {
    for (const answer of [gateway(status), jsonAnswer(status, envelope('RequestTimeout'))]) {
      const result = await bench.runPay(
        ['payment', 'refund', `p-${answer.body.length}`, '--amount', '5', '--max-retries', '1', '--json'],
        { env: SERVICE_ENV, service: ({ method }) => (method === 'GET' ? gateway(503) : answer) },
      )
      expect(result).toMatchObject({ exitCode: 10, stdout: '' })
      expect(errorOf(result)).toMatchObject({
        code: 'outcome_unknown',
        outcome: 'unknown',
        httpStatus: status,
        message: expect.stringContaining(`${status} came back, which doesn't say whether the service did it`),
      })
    }
  })

  test('a refusal in words of the service does not end what is in doubt, at any age', async () => {
    const refused = jsonAnswer(status, envelope('UnprocessableRefundAmount'))
    const options = {
      env: SERVICE_ENV,
      service: ({ method }: HttpRequest) => (method === 'GET' ? jsonAnswer(200, PAYMENT) : refused),
    }
    const line = 'ops resolve --all --max-retries 0'
    expect(await bench.runPay('payment refund p1 --amount 5 --max-retries 1', options)).toMatchObject({
      exitCode: 10,
    })
    expect(await bench.runPay(line, options)).toMatchObject({ exitCode: 10 })
    bench.clock.now = new Date(bench.clock.now.getTime() + 3_600_000)
    const late = await bench.runPay(line, options)
    expect(late).toMatchObject({ exitCode: 10 })
    expect(writesOf(late)).toHaveLength(1)
  })

  test.each([
    'loyalty redeem --connection-id k --customer-id c --order-id o --value 5',
    'payment resume p1 --resume-token r-12345',
    'payment adjust p1 --amount 5',
    'api POST /elsewhere --data {}',
  ])('without a key it is sent once and stays in doubt: %s', async (words) => {
    const result = await bench.runPay([...words.split(' '), '--json'], {
      env: SERVICE_ENV,
      service: ({ method }) => (method === 'GET' ? jsonAnswer(200, PAYMENT) : gateway(status)),
    })
    expect(result).toMatchObject({ exitCode: 10, stdout: '' })
    expect(result.requests.filter(({ method }) => method !== 'GET')).toHaveLength(1)
  })

  test.each(['payment get p1', 'payment list', 'payment explain p1', 'api GET /payments/p1'])(
    'it is no answer to a read, which is sent again: %s',
    async (words) => {
      const result = await bench.runPay([...words.split(' '), '--max-retries', '1', '--json'], {
        env: SERVICE_ENV,
        service: () => gateway(status),
      })
      expect(result).toMatchObject({ exitCode: 11, stdout: '' })
      expect(result.requests).toHaveLength(2)
    },
  )
})
