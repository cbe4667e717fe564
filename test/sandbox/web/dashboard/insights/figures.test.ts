import { expect, test } from 'vitest'
import { InsightsTally } from '../../../../../src/insights/insights.ts'
import type { InsightsQuery } from '../../../../../src/insights/insights.ts'
import {
  currenciesIn,
  groupsOf,
  stepsOf,
  totalOf,
} from '../../../../../src/sandbox/web/dashboard/insights/figures.ts'

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

test('the steps of a chart include those without payments', () => {
  const shown = tallyOf(
    { by: 'day', from: new Date('2026-02-27T12:00:00Z'), to: new Date('2026-03-02T12:00:00Z') },
    [
      ['2026-02-28T10:00:00', 'EUR', 'SETTLED', 100],
      ['2026-03-02T10:00:00', 'EUR', 'SETTLED', null],
    ],
  )
  expect(
    stepsOf(groupsOf(shown, 'EUR'), shown).map(({ key, count, amountAuthorized }) => [
      key,
      count,
      amountAuthorized,
    ]),
  ).toEqual([
    ['2026-02-27', 0, 0],
    ['2026-02-28', 1, 100],
    ['2026-03-01', 0, 0],
    ['2026-03-02', 1, null],
  ])
})

test('without limits, the steps reach from the first payment to the last', () => {
  const shown = tallyOf({ by: 'hour' }, [
    ['2026-02-28T22:59:59', 'EUR', 'SETTLED', 1],
    ['2026-03-01T01:00:00', 'EUR', 'SETTLED', 1],
  ])
  expect(stepsOf(shown.groups, shown).map(({ key }) => key)).toEqual([
    '2026-02-28T22:00Z',
    '2026-02-28T23:00Z',
    '2026-03-01T00:00Z',
    '2026-03-01T01:00Z',
  ])
  expect(stepsOf([], shown)).toEqual([])
})

test('a very long time has only the steps with payments', () => {
  const shown = tallyOf({ by: 'day' }, [
    ['1970-01-01T00:00:00', 'EUR', 'SETTLED', 1],
    ['2026-03-01T01:00:00', 'EUR', 'SETTLED', 1],
  ])
  expect(stepsOf(shown.groups, shown)).toHaveLength(2)
})
