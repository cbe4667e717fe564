import { beforeEach, describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { storeProfile } from '../../support/stored-profile.ts'

const bench = useBench()

/** Makes a payment in the sandbox and returns its id. */
async function pay(orderId: string, amount: string, capture = true): Promise<string> {
  const made = await bench.runPay(
    `--sandbox payment create --token tok_visa --order-id ${orderId} --amount '${amount}' -o id`,
  )
  const id = made.stdout.trim()
  if (capture) await bench.runPay(`--sandbox payment capture ${id} -q`)
  return id
}

test('a processor is sent with its name if several share a merchant id', async () => {
  const id = await pay('ORD-77', '12.50 EUR', false)
  const failed = await bench.runPay(
    "--sandbox payment create --token tok_failed --order-id B --amount '1.00 EUR' -o id",
  )
  const authorized = await bench.runPay(`--sandbox payment authorize ${failed.stdout.trim()}`, {
    answers: { 'Processor merchant ID': 'alpha-1 SANDBOX_ALPHA' },
  })
  expect(id).not.toBe('')
  expect(authorized.offered['Processor merchant ID']).toEqual(['alpha-1  SANDBOX_ALPHA'])
  expect(JSON.parse(authorized.requests.at(-1)?.body ?? '')).toEqual({
    processor: { processorMerchantId: 'alpha-1', name: 'SANDBOX_ALPHA' },
  })
})

describe('a processor that the request names', () => {
  const FAILED = { id: 'p1', status: 'FAILED', processor: { name: 'ALPHA', processorMerchantId: 'alpha-1' } }
  const LISTED = [
    FAILED,
    { id: 'p2', processor: { name: 'BETA', processorMerchantId: 'shared-1' } },
    { id: 'p3', processor: { name: 'GAMMA', processorMerchantId: 'shared-1' } },
  ]
  const service: RunOptions['service'] = ({ method, url }) =>
    jsonAnswer(200, method === 'GET' && !url.includes('/payments/p1') ? { data: LISTED } : FAILED)
  const authorize = (flags: string, answers: NonNullable<RunOptions['answers']>) =>
    bench.runPay(`-p shop payment authorize p1 ${flags}`, { answers, service })
  const sentOf = ({ requests }: Awaited<ReturnType<typeof authorize>>): unknown =>
    JSON.parse(requests.find(({ method }) => method === 'POST')?.body ?? '')
  beforeEach(async () => {
    await storeProfile(bench, { name: 'shop', baseUrl: 'https://api.example.com', mode: 'live' })
  })

  test.each([['--processor GAMMA'], [`--data '{"processor":{"name":"GAMMA"}}'`]])(
    'with %s is the only choice',
    async (flags) => {
      const sentence = 'Authorize payment p1 through GAMMA (shared-1) on LIVE profile shop?'
      const authorized = await authorize(flags, {
        'Processor merchant ID': 'shared-1 GAMMA',
        [sentence]: true,
      })
      expect(authorized.offered['Processor merchant ID']).toEqual(['shared-1  GAMMA'])
      expect(sentOf(authorized)).toEqual({ processor: { name: 'GAMMA', processorMerchantId: 'shared-1' } })
    },
  )

  test('with an invalid value is refused and not replaced by the answer', async () => {
    const refused = await authorize('--data \'{"processor":{"name":null}}\'', {
      'Processor merchant ID': 'alpha-1 ALPHA',
    })
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain('processor.name')
  })

  test('without recent payments leaves the merchant id to type', async () => {
    const authorized = await authorize('--processor DELTA', {
      'Processor merchant ID': 'delta-1',
      Confirm: true,
    })
    expect(authorized.offered).toEqual({})
    expect(sentOf(authorized)).toEqual({ processor: { name: 'DELTA', processorMerchantId: 'delta-1' } })
  })

  test('by its merchant id only is confirmed by it', async () => {
    const authorized = await authorize('--processor-merchant-id beta-1', {
      'Authorize payment p1 through beta-1 on LIVE profile shop?': true,
    })
    expect(sentOf(authorized)).toEqual({ processor: { processorMerchantId: 'beta-1' } })
  })
})
