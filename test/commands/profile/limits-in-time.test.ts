import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { errorOf, writesOf } from '../../support/run-result.ts'

const bench = useBench()

const paymentOf = (id: string) => ({
  id,
  status: 'SETTLED',
  currencyCode: 'EUR',
  amount: 90_000,
  amountCaptured: 90_000,
  transactions: [],
})
const service = ({ url }: { readonly url: string }) =>
  jsonAnswer(200, paymentOf(/payments\/([^/]+)/.exec(url)?.[1] ?? 'p1'))

const refund = (words: string) => bench.runPay(`payment refund ${words} --yes`, { service })

describe('a limit over time of a profile', () => {
  test('stops the refund that would pass it: exit 12, and nothing is sent', async () => {
    await storeProfile(bench, { words: ['--max-total', '20 EUR/24h'] })
    expect((await refund('p1 --amount 1500')).exitCode).toBe(0)
    const refused = await refund('p2 --amount 501 --json')
    expect(refused).toMatchObject({ exitCode: 12, stdout: '' })
    expect(writesOf(refused)).toEqual([])
    expect(errorOf(refused)).toMatchObject({
      code: 'over_limit_in_time',
      outcome: 'none',
      hint: expect.stringContaining('There is room for it again at 2'),
    })
    expect((await refund('p2 --amount 500')).exitCode).toBe(0)
  })

  test('counts a refund without an amount by what is left, and sends that figure', async () => {
    await storeProfile(bench, { words: ['--max-total', '900 EUR/24h'] })
    const all = await refund('p1')
    expect(all.exitCode).toBe(0)
    expect(writesOf(all).map(({ body }) => JSON.parse(body ?? ''))).toEqual([{ amount: 90_000 }])
    expect((await refund('p2 --amount 1')).exitCode).toBe(12)
  })

  test('in one currency refuses refunds in any other', async () => {
    await storeProfile(bench, { words: ['--max-total', '20 USD/24h'] })
    const refused = await refund('p1 --amount 1 --json')
    expect(refused.exitCode).toBe(12)
    expect(errorOf(refused)).toMatchObject({ code: 'profile_limit' })
    const captured = await bench.runPay('payment capture p1 --amount 1 --yes', { service })
    expect(captured.exitCode).toBe(0)
  })

  test('on the number of writes counts captures too', async () => {
    await storeProfile(bench, { words: ['--max-count', '1/1h'] })
    expect((await bench.runPay('payment capture p1 --amount 1 --yes', { service })).exitCode).toBe(0)
    expect((await refund('p2 --amount 1')).exitCode).toBe(12)
  })

  test('is shown with what is left of it', async () => {
    await storeProfile(bench, { words: ['--max-total', '20 EUR/24h', '--max-count', '50/1h'] })
    await refund('p1 --amount 1500')
    const room = [
      { limit: '20.00 EUR in 24h', left: '5.00 EUR' },
      { limit: '50 writes in 1h', left: '49 writes' },
    ]
    for (const line of ['whoami', 'profile show']) {
      expect(JSON.parse((await bench.runPay(`${line} --json`)).stdout)).toMatchObject({ room })
      const shown = await bench.runPay(line)
      expect(shown.stdout).toMatch(/Max total +refunds of 20\.00 EUR in 24h/)
      expect(shown.stdout).toMatch(/Left +5\.00 EUR of 20\.00 EUR in 24h/)
    }
    const preview = await bench.runPay('payment refund p2 --amount 100', {
      service,
      tty: true,
    })
    expect(preview.stderr).toContain('5.00 EUR left of the limit of 20.00 EUR in 24h.')
  })
})

describe('profile set', () => {
  const limits = async () => JSON.parse((await bench.runPay('profile show --json')).stdout).limits

  test('changes one currency, and none lifts a limit', async () => {
    await storeProfile(bench, { words: ['--max-total', '20 EUR/24h', '--max-count', '50/1h'] })
    const day = { spanMs: 24 * 60 * 60_000 }
    await bench.runPay(['profile', 'set', 'shop', '--max-total', '5 USD/24h'])
    expect(await limits()).toMatchObject({
      maxTotal: { EUR: { amount: 2000, ...day }, USD: { amount: 500, ...day } },
      maxCount: { count: 50 },
    })
    await bench.runPay('profile set shop --max-total none')
    expect(await limits()).toEqual({ readOnly: false, maxCount: { count: 50, spanMs: 3_600_000 } })
  })

  test.each([
    [['--max-total', 'none'], 'the sum of refunds is not limited'],
    [['--max-total', '21 EUR/24h'], 'refunds of up to 21.00 EUR in 24h are allowed'],
    [['--max-total', '20 EUR/23h'], 'refunds of up to 20.00 EUR in 23h are allowed'],
    [['--max-total', '1 USD/24h'], 'refunds of up to 1.00 USD in 24h are allowed'],
    [['--max-count', '51/1h'], '51 writes in 1h are allowed'],
    [['--max-count', 'none'], 'the number of writes is not limited'],
  ])('%j on a live profile needs --yes', async (words, what) => {
    await storeProfile(bench, { mode: 'live', words: ['--max-total', '20 EUR/24h', '--max-count', '50/1h'] })
    const refused = await bench.runPay(['profile', 'set', 'shop', ...words])
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain(what)
    expect((await bench.runPay(['profile', 'set', 'shop', ...words, '--yes'])).exitCode).toBe(0)
  })

  test.each([
    ['--max-total', '19 EUR/24h'],
    ['--max-count', '50/2h'],
  ])('%s %s tightens it, and asks nothing', async (...words) => {
    await storeProfile(bench, { mode: 'live', words: ['--max-total', '20 EUR/24h', '--max-count', '50/1h'] })
    expect((await bench.runPay(['profile', 'set', 'shop', ...words])).exitCode).toBe(0)
  })

  test.each([
    [['--max-total', '20 EUR'], 'needs a span of time'],
    [['--max-total', '20/24h'], 'needs a currency'],
    [['--max-total', '20 EUR/soon'], 'positive duration'],
    [['--max-total', '20 EUR/24h', '--max-total', '30 EUR/1h'], 'names EUR twice'],
    [['--max-total', '20 EUR/24h', '--max-total', 'none'], 'none alone'],
    [['--max-count', 'x/1h'], 'whole number'],
  ])('%j is exit 2', async (words, message) => {
    await storeProfile(bench)
    const refused = await bench.runPay(['profile', 'set', 'shop', ...words])
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain(message)
  })
})
