import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { createBench, jsonAnswer } from '../../support/run-pay.ts'
import type { Bench, RunOptions } from '../../support/run-pay.ts'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => {
  bench.dispose()
})

const queryOf = (url: string | undefined) => Object.fromEntries(new URL(url ?? '').searchParams)
const EMPTY: RunOptions = { env: SERVICE_ENV, service: () => jsonAnswer(200, { data: [] }) }

/** A service with so many payments, in pages. */
const withPayments = (total: number): RunOptions => ({
  env: SERVICE_ENV,
  service: ({ url }) => {
    const query = queryOf(url)
    const from = Number(query['cursor'] ?? 0)
    const to = Math.min(from + Number(query['limit'] ?? 100), total)
    const data = Array.from({ length: to - from }, (_, index) => ({ id: `p${from + index}` }))
    return jsonAnswer(200, { data, ...(to < total ? { nextCursor: String(to) } : {}) })
  },
})

const ids = (stdout: string) => stdout.trim().split('\n')

test('filters go into the query by the names of the API', async () => {
  const result = await bench.runPay(
    'payment list --status SETTLED,DECLINED --order-id A-1 --customer-id c-1 --currency EUR,USD --from 2026-01-01 --to 2026-01-31T12:00:00+02:00',
    EMPTY,
  )
  expect(result.exitCode).toBe(0)
  expect(queryOf(result.requests[0]?.url)).toEqual({
    status: 'SETTLED,DECLINED',
    order_id: 'A-1',
    customer_id: 'c-1',
    currency_code: 'EUR,USD',
    from_date: '2026-01-01T00:00:00.000Z',
    to_date: '2026-01-31T10:00:00Z',
    limit: '100',
  })
})

test('the other filters go into the query likewise', async () => {
  const result = await bench.runPay(
    'payment list --payment-method-type payment_card,PAYPAL --processor ACME --merchant-id m-1,m-2 --customer-email-address ada@example.com --last-4-digits 1111,4444 --min-amount 100 --max-amount 500',
    EMPTY,
  )
  expect(result).toMatchObject({ exitCode: 0, stderr: '' })
  expect(queryOf(result.requests[0]?.url)).toEqual({
    payment_method_type: 'PAYMENT_CARD,PAYPAL',
    processor: 'ACME',
    merchant_id: 'm-1,m-2',
    customer_email_address: 'ada@example.com',
    last_4_digits: '1111,4444',
    min_amount: '100',
    max_amount: '500',
    limit: '100',
  })
})

describe('amounts', () => {
  test.each([
    [['--min-amount', '7.00 EUR'], { min_amount: '700', currency_code: 'EUR' }],
    [
      ['--min-amount', '7 EUR', '--max-amount', '900'],
      { min_amount: '700', max_amount: '900', currency_code: 'EUR' },
    ],
    [['--max-amount', '700 JPY', '--currency', 'JPY'], { max_amount: '700', currency_code: 'JPY' }],
    [['--min-amount', '7.00', '--currency', 'EUR'], { min_amount: '700', currency_code: 'EUR' }],
    [['--min-amount', '0', '--currency', 'EUR,USD'], { min_amount: '0', currency_code: 'EUR,USD' }],
  ])('%j', async (flags, query) => {
    const result = await bench.runPay(['payment', 'list', ...flags], EMPTY)
    expect(result.exitCode).toBe(0)
    expect(queryOf(result.requests[0]?.url)).toEqual({ ...query, limit: '100' })
  })

  test.each([
    [['--min-amount', '7.00'], 'needs a currency'],
    [['--min-amount', '7.00', '--currency', 'EUR,USD'], 'needs a currency'],
    [['--min-amount', '7.00 EUR', '--currency', 'USD'], 'EUR'],
    [['--min-amount', '7.00 EUR', '--currency', 'EUR,USD'], '--currency is EUR, USD'],
    [['--min-amount', '7.00 EUR', '--max-amount', '9.00 USD'], '--max-amount is in USD'],
    [['--min-amount', '7.001 EUR'], 'too many decimals'],
    [['--min-amount', '-1'], '--min-amount'],
    [['--max-amount', ''], '--max-amount'],
    [['--min-amount', '500', '--max-amount', '499'], 'is more than --max-amount'],
  ])('%j is refused', async (flags, words) => {
    const result = await bench.runPay(['payment', 'list', ...flags], EMPTY)
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(result.stderr).toContain(words)
  })
})

test('a whole card number is no filter, and is not repeated', async () => {
  const result = await bench.runPay('payment list --last-4-digits 4111111111111111', EMPTY)
  expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(result.stderr).toContain('--last-4-digits takes four digits')
  expect(result.stderr).not.toContain('4111')
})

test('an order with a comma in its id is listed, and found by it', async () => {
  const made = await bench.runPay([
    '--sandbox',
    'payment',
    'create',
    '--token',
    'tok_autocapture',
    '--amount',
    '10 EUR',
    '--order-id',
    'A,1',
    '-o',
    'id',
  ])
  const id = made.stdout
  expect((await bench.runPay(['--sandbox', 'payment', 'list', '--order-id', 'A,1', '-o', 'id'])).stdout).toBe(
    id,
  )
  const refunded = await bench.runPay([
    '--sandbox',
    'payment',
    'refund',
    '--order',
    'A,1',
    '--amount',
    '1 EUR',
    '-o',
    'id',
  ])
  expect(refunded).toMatchObject({ exitCode: 0, stdout: id })
})

test.each(['settled,Declined', 'SETTLED, declined', 'SETTLED,DECLINED'])(
  'a status is taken in any case: %s',
  async (status) => {
    const result = await bench.runPay(['payment', 'list', '--status', status], EMPTY)
    expect(result).toMatchObject({ exitCode: 0, stderr: '' })
    expect(queryOf(result.requests[0]?.url)).toMatchObject({ status: 'SETTLED,DECLINED' })
  },
)

test('a status that is not known is sent as it is, with a warning', async () => {
  const result = await bench.runPay('payment list --status setled,new_state', EMPTY)
  expect(result.exitCode).toBe(0)
  expect(result.stderr).toMatch(/"setled" is not a known value; did you mean SETTLED\?/)
  expect(queryOf(result.requests[0]?.url)).toMatchObject({ status: 'setled,new_state' })
})

test('a day as the end takes the whole day', async () => {
  const result = await bench.runPay('payment list --to 2026-01-31', EMPTY)
  expect(queryOf(result.requests[0]?.url)).toMatchObject({ to_date: '2026-01-31T23:59:59.999Z' })
})

describe('refused before anything is sent', () => {
  test.each(['2026-13-01', '2026-02-31'])('a day that does not exist, as it was written: %s', async (day) => {
    const result = await bench.runPay(`payment list --from ${day}`, EMPTY)
    expect(result.stderr).toContain(`✗ --from: there is no day ${day}\n`)
  })

  test.each([
    ['--from', 'yesterday'],
    ['--from', '2026-02-31'],
    ['--from', '2026-01-01T00:00:00'],
    ['--to', '2026-13-01'],
    ['--to', ''],
    ['--limit', '0'],
    ['--limit', '-1'],
    ['--limit', 'all'],
    ['--limit', '1.5'],
    ['--limit', '99999999999999999'],
    ['--currency', 'EURO'],
    ['--currency', 'EUR,eur'],
    ['--currency', ''],
    ['--status', ''],
  ])('%s "%s"', async (flag, value) => {
    const result = await bench.runPay(['payment', 'list', flag, value], EMPTY)
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(result.stderr).toContain(flag)
  })

  test('--limit and --all', async () => {
    expect(await bench.runPay('payment list --limit 5 --all', EMPTY)).toMatchObject({
      exitCode: 2,
      requests: [],
    })
  })
})

describe('pages', () => {
  test('the newest hundred are listed, and it is said that there are more', async () => {
    const result = await bench.runPay('payment list', withPayments(120))
    expect(result.requests).toHaveLength(1)
    expect(result.stderr).toContain('There are more')
  })

  test('nothing is said when there are no more', async () => {
    expect((await bench.runPay('payment list', withPayments(100))).stderr).not.toContain('There are more')
  })

  test('--limit 250 takes three pages, each filtered alike, and no more than it needs', async () => {
    const result = await bench.runPay('payment list --limit 250 --status SETTLED -o id', withPayments(1000))
    expect(ids(result.stdout)).toEqual(Array.from({ length: 250 }, (_, index) => `p${index}`))
    expect(result.requests.map(({ url }) => queryOf(url))).toEqual([
      { limit: '100', status: 'SETTLED' },
      { limit: '100', status: 'SETTLED', cursor: '100' },
      { limit: '50', status: 'SETTLED', cursor: '200' },
    ])
  })

  test('--limit 250 of fewer lists what there is', async () => {
    expect(
      ids((await bench.runPay('payment list --limit 250 -o id', withPayments(130))).stdout),
    ).toHaveLength(130)
  })

  test('--all takes every page', async () => {
    const result = await bench.runPay('payment list --all -o id', withPayments(345))
    expect(ids(result.stdout)).toHaveLength(345)
    expect(result.requests).toHaveLength(4)
  })

  test('a limit holds even where the service answers more than was asked for', async () => {
    const data = Array.from({ length: 100 }, (_, index) => ({ id: `p${index}` }))
    const service = () => jsonAnswer(200, { data, nextCursor: 'x' })
    const result = await bench.runPay('payment list --limit 5 -o id', { env: SERVICE_ENV, service })
    expect(ids(result.stdout)).toHaveLength(5)
  })

  test('pages keep every digit and every unknown field', async () => {
    const pages = [
      '{"data":[{"id":"a","big":9007199254740993,"x":1.10}],"nextCursor":"n"}',
      '{"data":[{"id":"b","new":{"y":null}}]}',
    ]
    const result = await bench.runPay('payment list --all -o ndjson', {
      env: SERVICE_ENV,
      service: (_, attempt) => ({ status: 200, headers: {}, body: pages[attempt - 1] ?? '' }),
    })
    expect(ids(result.stdout)).toEqual([
      '{"id":"a","big":9007199254740993,"x":1.10}',
      '{"id":"b","new":{"y":null}}',
    ])
  })

  test.each([
    ['null in a payment', { id: 'a', customerId: null }],
    ['a field of another type', { id: 'a', amount: 'x' }],
    ['an amount above 2^53', { id: 'a', amount: 2 ** 60 }],
  ])('%s does not end the list early', async (_, first) => {
    const pages = [
      { data: [first], nextCursor: 'n', prevCursor: null },
      { data: [{ id: 'b' }], nextCursor: null },
    ]
    const result = await bench.runPay('payment list --all --query data[].id', {
      env: SERVICE_ENV,
      service: (_request, attempt) => jsonAnswer(200, pages[attempt - 1]),
    })
    expect(JSON.parse(result.stdout)).toEqual(['a', 'b'])
  })

  test('a service that repeats its pages does not keep us for ever', async () => {
    const result = await bench.runPay('payment list --all -o id', {
      env: SERVICE_ENV,
      service: () => jsonAnswer(200, { data: [{ id: 'p1' }], nextCursor: 'same' }),
    })
    expect(result.requests.length).toBeLessThan(5)
    expect(result.stderr).toContain('repeats its pages')
  })

  test('a page that fails leaves stdout empty', async () => {
    const result = await bench.runPay('payment list --all --max-retries 0', {
      env: SERVICE_ENV,
      service: (_, attempt) =>
        attempt === 1 ? jsonAnswer(200, { data: [{ id: 'a' }], nextCursor: 'n' }) : jsonAnswer(503, {}),
    })
    expect(result).toMatchObject({ exitCode: 11, stdout: '' })
  })
})

const orders = async (words: string) =>
  (await bench.runPay(`--sandbox payment list ${words} --query data[].orderId`)).stdout

test('lists what the sandbox has, newest first, filtered', async () => {
  for (const [order, currency] of [
    ['A-1', 'EUR'],
    ['A-2', 'USD'],
    ['A-3', 'EUR'],
  ]) {
    await bench.runPay(
      `--sandbox payment create --token tok_visa --amount 100 --currency ${currency} --order-id ${order}`,
    )
    bench.clock.now = new Date(bench.clock.now.getTime() + 1000)
  }
  expect(JSON.parse(await orders('--currency EUR'))).toEqual(['A-3', 'A-1'])
  expect(JSON.parse(await orders('--limit 1'))).toEqual(['A-3'])
  expect(JSON.parse(await orders('--order-id A-2,A-1'))).toEqual(['A-2', 'A-1'])
  expect(JSON.parse(await orders('--from 2026-03-02'))).toEqual([])
})
