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
