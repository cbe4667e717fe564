import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { errorOf } from '../../support/run-result.ts'

const PAYMENT = { id: 'p1', status: 'PENDING', currencyCode: 'EUR', amount: 1_000 }

const bench = useBench()

describe('NODE_TLS_REJECT_UNAUTHORIZED=0', () => {
  const unchecked = { NODE_TLS_REJECT_UNAUTHORIZED: '0' }
  const service = () => jsonAnswer(200, PAYMENT)

  test.each([
    'payment get p1',
    'payment refund p1 --amount 5 --yes',
    'payment refund p1 --amount 5 --dry-run',
    'payment refund p1 --amount 5 --curl',
  ])('is refused on a live profile, and nothing is sent: %s', async (line) => {
    await storeProfile(bench, { mode: 'live' })
    const ran = await bench.runPay(`${line} --profile shop --json`, { env: unchecked, service })
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(errorOf(ran)).toMatchObject({ code: 'tls_unchecked', outcome: 'none' })
  })

  test('is refused for a live account from the environment', async () => {
    const env = {
      PAY_BASE_URL: 'https://api.example.com',
      PAY_API_KEY: 'key-of-shop-0123456789',
      ...unchecked,
    }
    const ran = await bench.runPay('payment get p1 --json', { env, service })
    expect(ran).toMatchObject({ exitCode: 2, requests: [] })
  })

  test('causes a warning on a test profile', async () => {
    await storeProfile(bench, { mode: 'test' })
    const ran = await bench.runPay('payment get p1 --profile shop', { env: unchecked, service })
    expect(ran.exitCode).toBe(0)
    expect(ran.stderr).toContain('certificates are not verified')
  })

  test('is ignored in the sandbox and with other values', async () => {
    const sandbox = await bench.runPay('--sandbox payment list', { env: unchecked })
    expect(sandbox.exitCode).toBe(0)
    expect(sandbox.stderr).not.toContain('certificates')
    await storeProfile(bench, { mode: 'live' })
    const ran = await bench.runPay('payment get p1 --profile shop', {
      env: { NODE_TLS_REJECT_UNAUTHORIZED: '1' },
      service,
    })
    expect(ran.exitCode).toBe(0)
  })
})
