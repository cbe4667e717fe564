import { describe, expect, test } from 'vitest'
import type { HttpRequest, HttpResponse } from '../../../src/http/transport-port.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { errorOf, writesOf } from '../../support/run-result.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()
const PAID = {
  id: 'p1',
  status: 'SETTLED',
  currencyCode: 'EUR',
  processor: { amountCaptured: 1_000, amountRefunded: 0 },
  transactions: [],
}

/** A gateway that answers for the service, which has worked. */
const gateway = (status: number): HttpResponse => ({ status, headers: {}, body: '<html>gone</html>' })

describe.each([303, 408, 460, 499])('a %i, which says nothing of what the service did', (status) => {
  test('leaves a refund in doubt: it goes out again with the same key, and the service knows it', async () => {
    await storeProfile(bench, { mode: 'test' })
    let writes = 0
    const service = ({ method }: HttpRequest): HttpResponse => {
      if (method === 'GET') return jsonAnswer(200, PAID)
      writes += 1
      return writes === 1 ? gateway(status) : jsonAnswer(200, PAID)
    }
    const done = await bench.runPay('payment refund p1 --amount 300', { service })
    expect(done.exitCode).toBe(0)
    const keys = writesOf(done).map(({ headers }) => headers['x-idempotency-key'])
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })

  test.each([
    ['payment refund p1 --amount 300 --max-retries 0', 1],
    ['payment adjust p1 --amount 1200', 1],
    ['payment resume p1 --resume-token token-1', 1],
    ['loyalty redeem --connection-id c-1 --customer-id k-1 --order-id o-1 --value 5', 1],
  ])('is exit 10, and the write stays open: %s', async (line, writes) => {
    await storeProfile(bench, { mode: 'test' })
    const service = ({ method }: HttpRequest) =>
      method === 'GET' ? jsonAnswer(200, { ...PAID, status: 'PENDING' }) : gateway(status)
    const ran = await bench.runPay(`${line} --json`, { service })
    expect(ran.exitCode).toBe(10)
    expect(errorOf(ran)).toMatchObject({ code: 'outcome_unknown', outcome: 'unknown', httpStatus: status })
    expect(writesOf(ran)).toHaveLength(writes)
    expect(JSON.parse((await bench.runPay('ops list --json')).stdout)).toMatchObject([{ state: 'in-doubt' }])
  })

  test('is exit 11 for a read', async () => {
    await storeProfile(bench, { mode: 'test' })
    const ran = await bench.runPay('payment get p1 --json', { service: () => gateway(status) })
    expect(ran).toMatchObject({ exitCode: 11, stdout: '' })
  })
})

test('another redirect is a refusal', async () => {
  await storeProfile(bench, { mode: 'test' })
  const ran = await bench.runPay('payment refund p1 --amount 300 --json', { service: () => gateway(302) })
  expect(ran.exitCode).toBe(3)
})
