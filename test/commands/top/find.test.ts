import { describe, expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import type { RunOptions } from '../../support/run-pay.ts'

const bench = useBench()

const create = (flags: string) =>
  bench.runPay(`--sandbox payment create --token tok_visa ${flags} -o id -q`).then((r) => r.stdout.trim())

const find = (line: string, options?: RunOptions) => bench.runPay(`--sandbox find ${line}`, options)

describe('in the sandbox', () => {
  test('finds payments by each word, newest first', async () => {
    const first = await create("--amount '49.90 EUR' --order-id A-1 --email ada@example.com")
    const second = await create(
      "--amount '49.90 USD' --order-id A-2 --email bob@example.com --customer-id c-1",
    )
    const third = await create("--amount '4990 JPY' --order-id 1111 --email Ada@example.com")
    const cases: readonly (readonly [string, readonly string[]])[] = [
      [first, [first]],
      ['A-2', [second]],
      ['1111', [third, second, first]],
      ['order:1111', [third]],
      ['49.90', [second, first]],
      ["'49.90 usd'", [second]],
      ['49.90 EUR authorized today', [first]],
      ['customer:c-1', [second]],
      ['amount:4990 jpy', [third]],
      ['amount:49,90', [second, first]],
      ['ada@example.com', [third, first]],
      ['email:bob@example.com last4:1111 2026-03-01', [second]],
      ['eur --from 1h', [first]],
      ['1111 --limit 2', [third, second]],
      ['eur --wide', [first]],
    ]
    for (const [line, ids] of cases) {
      const found = await find(`${line} -o id`)
      expect([line, found.exitCode, found.stdout]).toEqual([line, 0, ids.map((id) => `${id}\n`).join('')])
    }
  })

  test("prints the service's rows as a list does", async () => {
    await create("--amount '49.90 EUR' --order-id A-1")
    const list = (output: string) => bench.runPay(`--sandbox payment list ${output}`)
    for (const output of ['-o json', '-o csv', '-o ndjson', '-o yaml', '--query data[].amount'])
      expect((await find(`eur ${output}`)).stdout).toBe((await list(output)).stdout)
    expect((await find('eur')).stderr).toContain('1 found by the service (currency EUR).')
  })

  test('counts days and spans from the sandbox clock, in every list', async () => {
    const id = await create("--amount '49.90 EUR' --order-id A-1")
    await bench.runPay('sandbox clock advance 3d')
    const late = await create("--amount '12.00 EUR' --order-id A-2")
    for (const [line, ids] of [
      ['find eur today', [late]],
      ['find eur 2d', [late]],
      ['find last 2 days', [late]],
      ['find since wednesday', [late]],
      ['find eur --to yesterday', [id]],
      ['payment list --from 24h', [late]],
      ['payment list --to yesterday', [id]],
      ['observability list --from today', [late]],
    ] as const)
      expect([line, (await bench.runPay(`--sandbox ${line} -o id`)).stdout]).toEqual([line, `${ids[0]}\n`])
    const insights = await bench.runPay('--sandbox insights --from 2d --json')
    expect(JSON.parse(insights.stdout)).toMatchObject({ groups: [{ count: 1 }] })
  })

  test('offers what a misspelt e-mail may mean, and finds nothing by it', async () => {
    await create("--amount '49.90 EUR' --order-id A-1 --email ana.moreau@example.com")
    const table = await find('ana.moreua@example.com eur --from today')
    expect(table).toMatchObject({ exitCode: 5, stdout: '' })
    expect(table.stderr).toContain('No payment of ana.moreua@example.com; similar: ana.moreau@example.com')
    expect(table.stderr).toMatch(/Next +pay --sandbox find ana\.moreau@example\.com eur\n/)
    const json = await find('email:ana.moreua@example.com --json')
    expect(json).toMatchObject({ exitCode: 5, stdout: '' })
    expect(JSON.parse(json.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: 'nothing_found', next: ['pay --sandbox find email:ana.moreau@example.com'] },
    })
  })

  test('shows the state that a payment was found by', async () => {
    const made = await bench.runPay(
      "--sandbox payment create --token tok_refund_fails --amount '49.90 EUR' --order-id A-1 -o id",
    )
    const id = made.stdout.trim()
    await bench.runPay(`--sandbox payment capture ${id} -q`)
    await bench.runPay(`--sandbox payment refund ${id} -q`)
    expect((await find("'refund pending'")).stdout).toContain(id)
    await bench.runPay('sandbox clock advance 1d')
    const failed = await find('refund failed')
    expect(failed.stdout).toMatch(new RegExp(`${id} +✗ Refund failed`))
    expect(failed.stderr).toContain('1 payment was read in full, for e-mails, names and refunds')
    expect((await find('refund failed --json')).stdout).toBe(
      (await bench.runPay('--sandbox payment list --json')).stdout,
    )
    expect((await find('refunded')).exitCode).toBe(5)
  })

  test('exits with 5 when nothing fits, and says what was searched', async () => {
    await create("--amount '49.90 EUR' --order-id A-1")
    const table = await find('A-2 eur')
    expect(table).toMatchObject({ exitCode: 5, stdout: '' })
    expect(table.stderr).toContain(
      'Nothing found ("A-2", currency EUR). Searched all 1 payment that the service lists by currency_code',
    )
    expect(table.stderr).toContain('1 payment was read in full, for e-mails and names')
    // Everything was searched: nothing else can find more.
    expect(table.stderr).not.toMatch(/Next/)
    const json = await find('declined --json')
    expect(json).toMatchObject({ exitCode: 5, stdout: '' })
    expect(JSON.parse(json.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
      error: {
        code: 'nothing_found',
        message: 'Nothing found by the service (status DECLINED), which listed 0 payments',
        exitCode: 5,
        outcome: 'none',
      },
    })
  })
})

describe('refuses without sending anything', () => {
  test.each<[line: string, code: string, shown: string]>([
    ['', 'missing_input', 'Missing: WORD'],
    ['4111111111111111', 'card_number', 'ending in 1111'],
    ['4111 1111 1111 1111', 'card_number', 'ending in 1111'],
    ['settled declined', 'bad_value', 'A payment has one status'],
    ['amount:x', 'bad_amount', 'takes an amount'],
    ['4242 --limit 0', 'bad_value', '--limit must be 1 or more'],
    ['4242 --from tomorrow', 'bad_value', '--from takes a day'],
    ['today --to 2026-01-01', 'bad_value', 'no moment in common'],
  ])('%s', async (line, code, shown) => {
    const refused = await bench.runPay(`find ${line} --json`, { env: SERVICE_ENV })
    expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    const { error } = JSON.parse(refused.stderr.trim().split('\n').at(-1) ?? '')
    expect(error.code).toBe(code)
    expect(error.message).toContain(shown)
    expect(refused.stderr).not.toContain('411111')
  })

  test('order: sends what looks like a card number', async () => {
    const service = () => jsonAnswer(200, { data: [] })
    const { requests, exitCode } = await bench.runPay('find order:4111111111111111', {
      env: SERVICE_ENV,
      service,
    })
    expect(exitCode).toBe(5)
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      '?order_id=4111111111111111&limit=100',
      '?limit=100',
    ])
  })

  test('--dry-run shows the list it would ask for', async () => {
    const dry = await bench.runPay('find 4242 today --dry-run --json', { env: SERVICE_ENV })
    expect(dry).toMatchObject({ exitCode: 0, requests: [] })
    expect(dry.stdout).toContain('last_4_digits=4242')
  })
})

describe('a service that ignores every filter', () => {
  const rows = Array.from({ length: 250 }, (_, n) => ({
    id: `p${n}`,
    date: new Date(Date.UTC(2026, 1, 28) - n * 3_600_000).toISOString(),
    orderId: `A-${n}`,
    status: 'SETTLED',
    amount: 1000 + n,
    currencyCode: 'EUR',
  }))
  const service: RunOptions['service'] = ({ url }) => {
    const { pathname, searchParams } = new URL(url)
    const from = Number(searchParams.get('cursor') ?? 0)
    if (!pathname.endsWith('/payments')) return jsonAnswer(404, {})
    const next = from + 100 < rows.length ? { nextCursor: String(from + 100) } : {}
    return jsonAnswer(200, { data: rows.slice(from, from + 100), ...next })
  }
  const run = (line: string) => bench.runPay(`find ${line}`, { env: SERVICE_ENV, service })

  test('is noticed: its rows are checked here, and it says how far that got', async () => {
    const found = await run('A-7 -o id')
    expect(found).toMatchObject({ exitCode: 0, stdout: 'p7\n' })
    expect(found.stderr).toContain(
      'The service ignored order_id: 250 payments were checked here, back to 2026-02-17 15:00.',
    )
    expect(found.stderr).toContain('Searched all 250 payments, back to 2026-02-17 15:00.')
    expect(await run('A-207 -o id')).toMatchObject({ exitCode: 0, stdout: 'p207\n' })
  })

  test('what was not searched is said, and the next command searches it', async () => {
    const email = await run('ada@ eur --limit 5')
    expect(email).toMatchObject({ exitCode: 5, stdout: '' })
    expect(email.requests.filter(({ url }) => url.includes('/payments/'))).toHaveLength(200)
    expect(email.stderr).toContain('200 payments were read in full, for e-mails and names; 50 more were not')
    expect(email.stderr).toMatch(/Next +pay find ada@ eur --wide\n/)
    const wide = await run('ada@ eur --wide')
    expect(wide.requests.filter(({ url }) => url.includes('/payments/'))).toHaveLength(250)
    expect(wide.stderr).not.toMatch(/Next/)
  })
})

test('beyond the widest search, the next command goes on where it ended', async () => {
  const date = (n: number) => new Date(Date.UTC(2026, 1, 28) - n * 60_000).toISOString()
  const service: RunOptions['service'] = ({ url }) => {
    const from = Number(new URL(url).searchParams.get('cursor') ?? 0)
    const data = Array.from({ length: 100 }, (_, n) => ({
      id: `p${from + n}`,
      date: date(from + n),
      orderId: 'A',
    }))
    return jsonAnswer(200, { data, nextCursor: String(from + 100) })
  }
  const { stderr, exitCode, requests } = await bench.runPay('find order:X --from 300d --wide', {
    env: SERVICE_ENV,
    service,
  })
  expect(exitCode).toBe(5)
  expect(requests).toHaveLength(101)
  expect(stderr).toContain('Searched the newest 10000 payments')
  const next = `order:X --from 300d --to ${date(9_999)} --wide`
  expect(stderr).toContain(`pay find ${next}`)
  // The service lists its newest payments whatever the time, so the same command can't find more.
  const again = await bench.runPay(`find ${next}`, { env: SERVICE_ENV, service })
  expect(again.stderr).toContain('The service ignored order_id, to_date')
  expect(again.stderr).not.toMatch(/Next/)
})

test.each([
  [401, 4],
  [429, 7],
  [503, 11],
])('a response %i is exit %i', async (status, exitCode) => {
  const service = () => jsonAnswer(status, { error: { errorId: 'X', description: 'no' } })
  const failed = await bench.runPay('find 4242', { env: SERVICE_ENV, service })
  expect(failed).toMatchObject({ exitCode, stdout: '' })
})
