import { describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

const pathOf = (url: string | undefined) => new URL(url ?? '').pathname
const PUSH =
  "observability push --payment-id ext-1 --amount '70.00 EUR' --processor ACME --created-at 2026-01-31T09:30:00Z --order-id E-1 --payment-method-type PAYMENT_CARD --status SETTLED"

/** Makes three payments in the sandbox and records an external one. */
async function madePayments(): Promise<void> {
  for (const [token, amount] of [
    ['tok_visa', '10.00 EUR'],
    ['tok_autocapture', '20.00 EUR'],
    ['tok_declined', '5.00 USD'],
  ])
    await bench.runPay([
      '--sandbox',
      'payment',
      'create',
      '--token',
      token ?? '',
      '--amount',
      amount ?? '',
      '--order-id',
      `O-${token}`,
    ])
  expect((await bench.runPay(words(`--sandbox ${PUSH}`))).exitCode).toBe(0)
}

/** Splits at spaces outside quotes. */
const words = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
const insights = async (line: string) => {
  const result = await bench.runPay(words(`--sandbox insights --json ${line}`))
  expect(result.exitCode, result.stderr).toBe(0)
  return JSON.parse(result.stdout)
}

describe('insights of the sandbox', () => {
  test('counts payments and external records by status', async () => {
    await madePayments()
    expect(await insights('')).toEqual({
      from: null,
      to: null,
      by: 'status',
      groups: [
        {
          key: 'SETTLED',
          currencyCode: 'EUR',
          count: 2,
          authorized: 2,
          declined: 0,
          failed: 0,
          authorizationRate: 1,
          amountAuthorized: 9000,
          amountCaptured: 9000,
          amountRefunded: 0,
          net: 9000,
        },
        expect.objectContaining({ key: 'AUTHORIZED', count: 1, amountCaptured: 0, net: 0 }),
        expect.objectContaining({ key: 'DECLINED', currencyCode: 'USD', authorizationRate: 0 }),
      ],
    })
  })

  test.each([
    ['--by source --currency EUR', ['payments', 'external']],
    ['--by reason --currency USD', ['INSUFFICIENT_FUNDS']],
    ['--by day --to 2026-01-31', ['2026-01-31']],
    ['--by source --from 7d --currency EUR', ['payments']],
    ['--by currency', ['EUR', 'USD']],
  ])('%s', async (line, keys) => {
    await madePayments()
    const { groups } = await insights(line)
    expect(groups.map(({ key }: { key: string }) => key)).toEqual(keys)
  })

  test('prints a table with bars for each currency', async () => {
    await madePayments()
    const { stdout } = await bench.runPay('--sandbox insights')
    expect(stdout).toMatch(/^EUR\nSTATUS .*\n.*SETTLED +2 +█+ +100\.0 % +90\.00/)
    expect(stdout).toContain('\n\nUSD\n')
  })

  test.each([30, 45, 60, 80])('keeps counts and bars on a terminal of %s columns', async (columns) => {
    await madePayments()
    const { stdout } = await bench.runPay('--sandbox insights --color never', { tty: true, columns })
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
    expect(stdout).toMatch(/SETTLED +2 +█/)
  })

  test.each([
    ['csv', /^key,currencyCode,count,.*\nSETTLED,EUR,2,/],
    ['ndjson', /^\{"key":"SETTLED".*\}\n\{/],
    ['yaml', /^from: null/],
    ['id', /^SETTLED\nAUTHORIZED\nDECLINED\n$/],
  ])('writes %s', async (format, expected) => {
    await madePayments()
    expect((await bench.runPay(`--sandbox insights -o ${format}`)).stdout).toMatch(expected)
  })

  test('says so if there are none', async () => {
    expect((await bench.runPay('--sandbox insights')).stdout).toBe('No payments found.\n')
  })
})

describe('insights of a service', () => {
  const payment = (id: string, more: object = {}) => ({
    id,
    date: '2026-02-01T00:00:00.000000',
    status: 'SETTLED',
    currencyCode: 'EUR',
    amount: 700,
    ...more,
  })

  test('reads every page', async () => {
    const result = await bench.runPay('insights --json', {
      env: SERVICE_ENV,
      service: ({ url }) =>
        new URL(url).searchParams.has('cursor')
          ? jsonAnswer(200, {
              data: [{ paymentId: 'b', source: 'external', status: 'DECLINED', currencyCode: 'EUR' }],
            })
          : jsonAnswer(200, {
              data: [{ paymentId: 'a', source: 'external', currencyCode: 'EUR' }],
              nextCursor: 'n',
            }),
    })
    expect(JSON.parse(result.stdout).groups).toMatchObject([
      { key: 'DECLINED', count: 1 },
      { key: null, count: 1, amountCaptured: null, net: null },
    ])
    expect(result.requests.map(({ url }) => pathOf(url))).toEqual([
      '/observability/payments',
      '/observability/payments',
    ])
  })

  test('uses payments, with a warning, if the service cannot list records', async () => {
    const result = await bench.runPay('insights --json --from 2026-01-01', {
      env: SERVICE_ENV,
      service: ({ url }) =>
        pathOf(url) === '/payments'
          ? jsonAnswer(200, { data: [payment('p1', { processor: { amountCaptured: 700 } }), payment('p2')] })
          : jsonAnswer(404, { error: { errorId: 'NotFound', description: 'No such route.' } }),
    })
    expect(result).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("can't list records") })
    expect(JSON.parse(result.stdout).groups).toMatchObject([
      {
        count: 2,
        authorized: 2,
        amountAuthorized: 1400,
        amountCaptured: 700,
        amountRefunded: null,
        net: 700,
      },
    ])
    expect(new URL(result.requests[0]?.url ?? '').searchParams.get('from_date')).toBe(
      '2026-01-01T00:00:00.000Z',
    )
  })

  test('leaves stdout empty if a page fails', async () => {
    const service = () => jsonAnswer(500, {})
    expect(await bench.runPay('insights --max-retries 0', { env: SERVICE_ENV, service })).toMatchObject({
      exitCode: 11,
      stdout: '',
    })
  })
})

test.each([
  ['--from after --to', '--from 2026-02-01 --to 2026-01-01', '--from is after --to'],
  ['an unknown grouping', '--by statsu', 'Did you mean status?'],
  ['an unknown currency', '--currency EUX', 'EUX'],
  ['an invalid time', '--from tomorrow', '--from takes a day'],
  ['a date that does not exist', '--to 2026-02-31', 'there is no day'],
])('refuses: %s', async (_name, line, message) => {
  const result = await bench.runPay(`--sandbox insights ${line}`)
  expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(result.stderr).toContain(message)
})

test('--dry-run prints the request without sending it', async () => {
  const result = await bench.runPay('--sandbox insights --from 2026-01-01 --dry-run')
  expect(result).toMatchObject({ exitCode: 0, requests: [], stdout: expect.stringContaining('GET') })
})
