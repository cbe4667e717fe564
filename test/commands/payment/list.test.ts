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
    expect(result).toMatchObject({ exitCode: 11, stdout: '' })
    expect(result.requests.length).toBeLessThan(5)
    expect(result.stderr).toContain('The service repeats a page')
  })

  test('notices a repeated page whose cursor is new each time', async () => {
    const result = await bench.runPay('payment list --all -o id', {
      env: SERVICE_ENV,
      service: (_, attempt) => jsonAnswer(200, { data: [{ id: 'p1' }], nextCursor: `n${attempt}` }),
    })
    expect(result).toMatchObject({ exitCode: 11, stdout: '' })
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

  test('leaves stdout empty if a page fails', async () => {
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
