import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { errorOf, writesOf } from '../../support/run-result.ts'

const bench = useBench()

describe('limits of a profile', () => {
  const service = () =>
    jsonAnswer(200, { id: 'p1', status: 'AUTHORIZED', currencyCode: 'EUR', amount: 90_000 })
  test.each([
    [['--read-only'], 'payment capture p1 --yes'],
    [['--read-only'], 'session create --order-id A --yes'],
    [['--read-only'], 'api POST /anything --yes'],
    [['--operations', 'payment.capture'], 'payment refund p1 --yes'],
    [['--operations', 'payment.capture'], 'api POST /payments/p1/refund --yes'],
    [['--operations', 'payment.capture'], 'api POST /anything --yes'],
    [['--max-amount', '500 EUR'], 'payment refund p1 --amount 50001 --yes'],
    [['--max-amount', '500 EUR'], 'payment capture p1 --yes'],
    [['--max-amount', '500 EUR'], 'payment authorize p1 --processor-merchant-id m --yes'],
    [['--max-amount', '500 EUR'], 'payment create --token t --amount 5 --currency USD --order-id A --yes'],
    [['--max-amount', '500 EUR'], 'payment create --token t --yes'],
  ])('%j refuse pay %s: exit 12, and nothing is sent', async (words, line) => {
    await storeProfile(bench, { mode: 'live', words })
    const blocked = await bench.runPay(`${line} --json`, { service })
    expect(blocked).toMatchObject({ exitCode: 12, stdout: '' })
    expect(writesOf(blocked)).toEqual([])
    expect(errorOf(blocked)).toMatchObject({ code: 'profile_limit', outcome: 'none' })
  })

  test.each([
    `payment capture p1 -d '{"amount":5000,"currencyCode":"JPY"}'`,
    `payment refund p1 -d '{"amount":5000,"currencyCode":"JPY"}'`,
    `payment adjust p1 -d '{"amount":5000,"currencyCode":"JPY"}'`,
    'payment authorize p1 --processor-merchant-id m --set amount:=1 --set currencyCode=EUR',
    'payment authorize p1 --processor-merchant-id m --set amount:=1',
    'payment resume p1 --resume-token t --set amount:=1 --set currencyCode=EUR',
    `api POST /payments/p1/capture -d '{"amount":5000,"currencyCode":"JPY"}'`,
    `api POST /payments/p1/resume -d '{"resumeToken":"t","amount":1,"currencyCode":"EUR"}'`,
  ])('ignore a currency in the body: pay %s --no-validate', async (line) => {
    await storeProfile(bench, { words: ['--max-amount', '10 EUR', '--max-amount', '1000000 JPY'] })
    const blocked = await bench.runPay(`${line} --no-validate --json`, { service })
    expect(blocked).toMatchObject({ exitCode: 12, stdout: '' })
    expect(blocked.requests.map(({ method }) => method)).toEqual(['GET'])
    expect(blocked.stderr).toContain('exceeds the limit')
  })

  test.each([
    'payment resume p1 --resume-token t',
    'payment authorize p1 --processor-merchant-id m',
    `payment capture p1 -d '{"amount":5000,"currencyCode":"JPY"}'`,
  ])('are checked against the payment, and an allowed call is sent: pay %s', async (line) => {
    await storeProfile(bench, { words: ['--max-amount', '900 EUR'] })
    expect(await bench.runPay(`${line} --no-validate --json`, { service })).toMatchObject({ exitCode: 0 })
  })

  test('are confirmed in the currency of the payment, not the one in the body', async () => {
    await storeProfile(bench, { mode: 'live' })
    const line = `payment capture p1 --no-validate -d '{"amount":5000,"currencyCode":"JPY"}'`
    const sentence = 'Capture 50.00 EUR of payment p1 on LIVE profile shop?'
    const refused = await bench.runPay(line, { service, answers: { [sentence]: false } })
    expect(refused).toMatchObject({ exitCode: 2, questions: [sentence] })
  })

  test('allow reads and calls within them', async () => {
    await storeProfile(bench, { words: ['--max-amount', '500 EUR', '--operations', 'payment.refund'] })
    expect((await bench.runPay('payment get p1', { service })).exitCode).toBe(0)
    const sent = await bench.runPay('payment refund p1 --amount 50000', { service })
    expect(sent.exitCode).toBe(0)
  })
})
