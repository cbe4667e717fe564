import { describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'

const bench = useBench()

const queryOf = (url: string | undefined) => Object.fromEntries(new URL(url ?? '').searchParams)

/** A service with this many payments, in pages. */
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

describe('pages', () => {
  test('prints the newest hundred and says that there are more', async () => {
    const result = await bench.runPay('payment list', withPayments(120))
    expect(result.requests).toHaveLength(1)
    expect(result.stderr).toContain('There are more')
  })

  test('does not mention more if there are none', async () => {
    expect((await bench.runPay('payment list', withPayments(100))).stderr).not.toContain('There are more')
  })

  test('--limit 250 reads three pages with the same filters', async () => {
    const result = await bench.runPay('payment list --limit 250 --status SETTLED -o id', withPayments(1000))
    expect(ids(result.stdout)).toEqual(Array.from({ length: 250 }, (_, index) => `p${index}`))
    expect(result.requests.map(({ url }) => queryOf(url))).toEqual([
      { limit: '100', status: 'SETTLED' },
      { limit: '100', status: 'SETTLED', cursor: '100' },
      { limit: '50', status: 'SETTLED', cursor: '200' },
    ])
  })

  test('--limit 250 prints all if there are fewer', async () => {
    expect(
      ids((await bench.runPay('payment list --limit 250 -o id', withPayments(130))).stdout),
    ).toHaveLength(130)
  })

  test('--all reads every page', async () => {
    const result = await bench.runPay('payment list --all -o id', withPayments(345))
    expect(ids(result.stdout)).toHaveLength(345)
    expect(result.requests).toHaveLength(4)
  })

  test('keeps to the limit even if the service sends more', async () => {
    const data = Array.from({ length: 100 }, (_, index) => ({ id: `p${index}` }))
    const service = () => jsonAnswer(200, { data, nextCursor: 'x' })
    const result = await bench.runPay('payment list --limit 5 -o id', { env: SERVICE_ENV, service })
    expect(ids(result.stdout)).toHaveLength(5)
  })

  test('keeps every digit and every unknown field', async () => {
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
    ['a field of the wrong type', { id: 'a', amount: 'x' }],
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

  test('stops if the service repeats its pages', async () => {
    const result = await bench.runPay('payment list --all -o id', {
      env: SERVICE_ENV,
      service: () => jsonAnswer(200, { data: [{ id: 'p1' }], nextCursor: 'same' }),
    })
    expect(result).toMatchObject({ exitCode: 11, stdout: 'p1\n' })
    expect(result.requests.length).toBeLessThan(5)
    expect(result.stderr).toContain('The service repeats a page')
  })

  test('notices a repeated page whose cursor is new each time', async () => {
    const result = await bench.runPay('payment list --all -o id', {
      env: SERVICE_ENV,
      service: (_, attempt) => jsonAnswer(200, { data: [{ id: 'p1' }], nextCursor: `n${attempt}` }),
    })
    expect(result).toMatchObject({ exitCode: 11, stdout: 'p1\n' })
    expect(result.requests).toHaveLength(2)
  })

  test('follows a cursor that is a number', async () => {
    const pages = ['{"data":[{"id":"a"}],"nextCursor":9007199254740993}', '{"data":[{"id":"b"}]}']
    const result = await bench.runPay('payment list --all -o id', {
      env: SERVICE_ENV,
      service: (_, attempt) => ({ status: 200, headers: {}, body: pages[attempt - 1] ?? '' }),
    })
    expect(ids(result.stdout)).toEqual(['a', 'b'])
    expect(result.requests[1]?.url).toContain('cursor=9007199254740993')
  })

  test.each([{ page: 2 }, [1], true, 1.5])(
    'is exit 11 if it cannot follow the cursor %j',
    async (nextCursor) => {
      const result = await bench.runPay('payment list --all -o id', {
        env: SERVICE_ENV,
        service: () => jsonAnswer(200, { data: [{ id: 'a' }], nextCursor }),
      })
      expect(result).toMatchObject({ exitCode: 11, stdout: '' })
      expect(result.requests).toHaveLength(1)
    },
  )

  const failsOnSecondPage: RunOptions = {
    env: SERVICE_ENV,
    service: (_, attempt) =>
      attempt === 1 ? jsonAnswer(200, { data: [{ id: 'a' }], nextCursor: 'n' }) : jsonAnswer(503, {}),
  }

  test.each(['', '-o json', '-o yaml', '-o ndjson --query data[].id', '-o csv --query data[].id'])(
    'leaves stdout empty if a page fails with %j',
    async (format) => {
      const result = await bench.runPay(`payment list --all --max-retries 0 ${format}`, failsOnSecondPage)
      expect(result).toMatchObject({ exitCode: 11, stdout: '' })
    },
  )

  test.each([
    ['id', 'a\n'],
    ['ndjson', '{"id":"a"}\n'],
    ['csv', /^id,.*\na,.*\n$/],
  ])('prints the pages before one that fails with -o %s', async (format, printed) => {
    const result = await bench.runPay(`payment list --all --max-retries 0 -o ${format}`, failsOnSecondPage)
    expect(result.exitCode).toBe(11)
    expect(result.stdout).toMatch(printed)
    expect(JSON.parse(result.stderr)).toMatchObject({ error: { exitCode: 11 } })
  })

  test.each(['id', 'ndjson', 'csv'])(
    'prints a page with -o %s before it reads the next one',
    async (format) => {
      const printed: string[] = []
      const sent: number[] = []
      const { service, env = {} } = withPayments(250)
      await bench.runPay(`payment list --all -o ${format}`, {
        env,
        service: (request, attempt) => {
          sent.push(printed.length)
          return service?.(request, attempt) ?? jsonAnswer(500, {})
        },
        onStdout: (text) => void printed.push(text),
      })
      expect(sent).toEqual([0, 1, 2])
      expect(printed.join('').match(/\bid,/g) ?? []).toHaveLength(format === 'csv' ? 1 : 0)
    },
  )
})

const orders = async (words: string) =>
  (await bench.runPay(`--sandbox payment list ${words} --query data[].orderId`)).stdout

test('lists the payments of the sandbox, newest first, with filters', async () => {
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

const EMPTY: RunOptions = { env: SERVICE_ENV, service: () => jsonAnswer(200, { data: [] }) }

test("filters are sent under the API's names", async () => {
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

test("the remaining filters are sent under the API's names", async () => {
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
    [['--from', '2026-02-01', '--to', '2026-01-31'], '--from is after --to'],
    [['--from', '2026-01-31T12:00:01+02:00', '--to', '2026-01-31T10:00:00Z'], '--from is after --to'],
    [['--min-amount', '500', '--max-amount', '499'], 'is more than --max-amount'],
  ])('%j is refused', async (flags, words) => {
    const result = await bench.runPay(['payment', 'list', ...flags], EMPTY)
    expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    expect(result.stderr).toContain(words)
  })
})

test('refuses a full card number as a filter without repeating it', async () => {
  const result = await bench.runPay('payment list --last-4-digits 4111111111111111', EMPTY)
  expect(result).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(result.stderr).toContain('--last-4-digits takes four digits')
  expect(result.stderr).not.toContain('4111')
})

test('finds an order whose id has a comma', async () => {
  const made = await bench.runPay(
    "--sandbox payment create --token tok_autocapture --amount '10 EUR' --order-id A,1 -o id",
  )
  const id = made.stdout
  expect((await bench.runPay(['--sandbox', 'payment', 'list', '--order-id', 'A,1', '-o', 'id'])).stdout).toBe(
    id,
  )
  const refunded = await bench.runPay("--sandbox payment refund --order A,1 --amount '1 EUR' -o id")
  expect(refunded).toMatchObject({ exitCode: 0, stdout: id })
})

test.each(['settled,Declined', 'SETTLED, declined', 'SETTLED,DECLINED'])(
  'accepts a status in any case: %s',
  async (status) => {
    const result = await bench.runPay(['payment', 'list', '--status', status], EMPTY)
    expect(result).toMatchObject({ exitCode: 0, stderr: '' })
    expect(queryOf(result.requests[0]?.url)).toMatchObject({ status: 'SETTLED,DECLINED' })
  },
)

test('refuses a status that does not exist, unless --no-validate sends it', async () => {
  const refused = await bench.runPay('payment list --status SETTLED,setled', {
    ...EMPTY,
    tty: true,
    columns: 200,
  })
  expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(refused.stderr).toContain('not "setled"')
  expect(refused.stderr).toContain('Did you mean SETTLED? To send it unchanged, add --no-validate.')
  const result = await bench.runPay('payment list --no-validate --status setled,new_state', EMPTY)
  expect(result).toMatchObject({ exitCode: 0, stderr: '' })
  expect(queryOf(result.requests[0]?.url)).toMatchObject({ status: 'setled,new_state' })
})

test.each([
  ['--from today', { from_date: '2026-03-01T00:00:00.000Z' }],
  [
    '--from yesterday --to yesterday',
    { from_date: '2026-02-28T00:00:00.000Z', to_date: '2026-02-28T23:59:59.999Z' },
  ],
  ['--from 7d --to 90m', { from_date: '2026-02-22T12:00:00.000Z', to_date: '2026-03-01T10:30:00.000Z' }],
  ['--to today', { to_date: '2026-03-01T23:59:59.999Z' }],
])('takes times relative to now: %s', async (flags, query) => {
  for (const noun of ['payment', 'observability']) {
    const result = await bench.runPay(`${noun} list ${flags}`, EMPTY)
    expect(queryOf(result.requests[0]?.url)).toMatchObject(query)
  }
})

test('--to with a date includes the whole day', async () => {
  const result = await bench.runPay('payment list --to 2026-01-31', EMPTY)
  expect(queryOf(result.requests[0]?.url)).toMatchObject({ to_date: '2026-01-31T23:59:59.999Z' })
})

describe('refused before anything is sent', () => {
  test.each(['2026-13-01', '2026-02-31'])('a date that does not exist: %s', async (day) => {
    const result = await bench.runPay(`payment list --from ${day}`, EMPTY)
    expect(result.stderr).toContain(`✗ --from: there is no day ${day}\n`)
  })

  test.each([
    ['--from', 'tomorrow'],
    ['--from', '7 days'],
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

  test('says which times a filter takes', async () => {
    const result = await bench.runPay('payment list --from tomorrow', EMPTY)
    expect(result.stderr).toContain(
      '--from takes a day (2026-01-31), a time (2026-01-31T09:30:00Z), a span back from now (7d, 90m), today or yesterday, not "tomorrow"',
    )
  })

  test('--limit with --all', async () => {
    expect(await bench.runPay('payment list --limit 5 --all', EMPTY)).toMatchObject({
      exitCode: 2,
      requests: [],
    })
  })
})

describe('--refunds', () => {
  const row = (id: string, amountCaptured: number, amountRefunded: number) => ({
    id,
    status: amountCaptured === 0 ? 'DECLINED' : 'SETTLED',
    currencyCode: 'EUR',
    amount: 900,
    processor: { amountCaptured, amountRefunded },
  })
  const ROWS = [
    row('declined', 0, 0),
    row('part', 900, 300),
    row('all', 900, 900),
    row('none', 900, 0),
    row('failed', 900, 0),
  ]
  const REFUNDS: Readonly<Record<string, string>> = { part: 'PENDING', all: 'SETTLED', failed: 'FAILED' }
  /** Two rows a page; a payment read by its ID has transactions. */
  const service: RunOptions['service'] = ({ url }) => {
    const { pathname, searchParams } = new URL(url)
    const id = pathname.split('/payments/')[1]
    const refund = { transactionType: 'REFUND', amount: 300, processorStatus: REFUNDS[id ?? ''] }
    if (id !== undefined)
      return jsonAnswer(200, {
        ...ROWS.find((one) => one.id === id),
        transactions: id in REFUNDS ? [refund] : [],
      })
    const from = Number(searchParams.get('cursor') ?? 0)
    const next = from + 2 < ROWS.length ? { nextCursor: String(from + 2) } : {}
    return jsonAnswer(200, { data: ROWS.slice(from, from + 2), ...next })
  }
  const list = (flags: string) => bench.runPay(`payment list ${flags}`, { env: SERVICE_ENV, service })

  test.each([
    ['none', ['declined', 'none', 'failed'], 0],
    ['partial', ['part'], 0],
    ['full', ['all'], 0],
    ['pending', ['part'], 2],
    ['failed', ['failed'], 4],
  ])('%s', async (refunds, expected, read) => {
    const result = await list(`--refunds ${refunds} -o id`)
    expect(ids(result.stdout)).toEqual(expected)
    expect(result.requests).toHaveLength(3 + read)
    expect(result.stderr).toContain('5 payments checked here')
  })

  test('--limit counts the rows shown, and says that there may be more', async () => {
    const result = await list('--refunds none --limit 2 -o id')
    expect(ids(result.stdout)).toEqual(['declined', 'none'])
    expect(result.stderr).toContain('there may be more than these 2')
  })

  test('shows in words what became of the refunds, and the rows as the service wrote them in JSON', async () => {
    expect((await list('--refunds failed')).stdout).toContain('✗ Refund failed')
    expect((await list('--refunds partial')).stdout).toContain('✓ Settled, partly refunded')
    expect((await list('--refunds failed -o ndjson')).stdout).toBe(`${JSON.stringify(ROWS[4])}\n`)
    expect((await list('--refunds failed --query data')).stdout).not.toContain('transactions')
  })

  test('is what --status REFUNDED leads to', async () => {
    const result = await list('--status REFUNDED')
    expect(result.exitCode).toBe(2)
    expect(result.stderr).toContain('--refunds partial')
  })
})
