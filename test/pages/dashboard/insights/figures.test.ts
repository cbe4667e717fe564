import { describe, expect, test } from 'vitest'
import { InsightsTally } from '../../../../src/views/insights/insights.ts'
import type { InsightsQuery } from '../../../../src/views/insights/insights.ts'
import {
  barsOf,
  currenciesIn,
  groupsOf,
  stepsOf,
  totalOf,
} from '../../../../src/pages/dashboard/insights/figures.ts'

function tallyOf(
  query: InsightsQuery,
  payments: readonly (readonly [
    createdAt: string,
    currency: string,
    status: string,
    amount: number | null,
  ])[],
) {
  const tally = new InsightsTally(query)
  for (const [createdAt, currencyCode, status, amount] of payments)
    tally.add({
      source: 'payments',
      createdAt,
      status,
      currencyCode,
      processor: undefined,
      method: undefined,
      reason: undefined,
      country: undefined,
      amountAuthorized: amount,
      amountCaptured: null,
      amountRefunded: amount,
    })
  return tally.result()
}

test('a total is what one group of all payments would be', () => {
  const payments = [
    ['2026-01-01T00:00:00', 'EUR', 'SETTLED', 2 ** 53 - 1],
    ['2026-01-01T00:00:00', 'EUR', 'AUTHORIZED', 5],
    ['2026-01-01T00:00:00', 'EUR', 'DECLINED', null],
    ['2026-01-01T00:00:00', 'USD', 'FAILED', 7],
  ] as const
  const by = { status: tallyOf({ by: 'status' }, payments), currency: tallyOf({ by: 'currency' }, payments) }
  for (const currency of ['EUR', 'USD', 'JPY'])
    expect(totalOf(groupsOf(by.status, currency), currency)).toMatchObject(
      groupsOf(by.currency, currency).map(({ key: _, ...figures }) => figures)[0] ?? {
        count: 0,
        authorizationRate: null,
        net: null,
      },
    )
  expect(totalOf(groupsOf(by.status, 'EUR'), 'EUR').amountAuthorized).toBe(2n ** 53n + 4n)
  expect(currenciesIn(by.status)).toEqual(['EUR', 'USD'])
})

describe('the bars of a chart', () => {
  const bars = (by: 'day' | 'hour', times: readonly string[]) =>
    barsOf(
      stepsOf(
        tallyOf(
          { by },
          times.map((time) => [time, 'EUR', 'SETTLED', 100]),
        ).groups,
      ),
      by,
    )
  const dayAfter = (count: number) =>
    `${new Date(Date.UTC(2026, 0, 1 + count)).toISOString().slice(0, 10)}T10:00:00`
  const days = (count: number, step: number) => Array.from({ length: count }, (_, at) => dayAfter(at * step))

  test.each([
    ['no payments', 'day', [], []],
    ['one', 'hour', ['2026-01-01T10:59:59'], ['2026-01-01T10:00Z']],
    [
      'from the first to the last, with the hours between',
      'hour',
      ['2026-03-01T01:00:00', '2026-02-28T22:59:59'],
      ['2026-02-28T22:00Z', '2026-02-28T23:00Z', '2026-03-01T00:00Z', '2026-03-01T01:00Z'],
    ],
    [
      'empty days are left out if they are most',
      'day',
      ['2026-01-01T00:00:00', '2026-11-01T01:00:00'],
      ['2026-01-01', '2026-11-01'],
    ],
  ] as const)('%s', (_, by, times, keys) => {
    expect(bars(by, times).map(({ key }) => key)).toEqual(keys)
  })

  test('many days are months, which add up', () => {
    expect(bars('day', days(120, 1))).toHaveLength(120)
    const months = bars('day', days(121, 2))
    expect(months.map(({ key }) => key)).toEqual(
      ['01', '02', '03', '04', '05', '06', '07', '08'].map((month) => `2026-${month}`),
    )
    expect(months[0]).toEqual({ key: '2026-01', count: 16, amountAuthorized: 1600 })
  })

  test('a day without payments has the amount 0, and an unknown amount stays unknown', () => {
    const shown = tallyOf({ by: 'day' }, [
      ['2026-02-28T10:00:00', 'EUR', 'SETTLED', 100],
      ['2026-03-02T10:00:00', 'EUR', 'SETTLED', null],
    ])
    expect(barsOf(stepsOf(shown.groups), 'day').map(({ amountAuthorized }) => amountAuthorized)).toEqual([
      100,
      0,
      null,
    ])
  })
})
