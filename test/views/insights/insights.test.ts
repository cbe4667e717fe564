import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wasAuthorized } from '../../../src/views/insights/facts.ts'
import type { PaymentFact } from '../../../src/views/insights/facts.ts'
import { GROUPINGS, InsightsTally } from '../../../src/views/insights/insights.ts'
import type { Insights, InsightsQuery } from '../../../src/views/insights/insights.ts'
import { FACT } from './payment-fact.ts'

function insightsOf(facts: readonly PaymentFact[], query: InsightsQuery): Insights {
  const tally = new InsightsTally(query)
  for (const fact of facts) tally.add(fact)
  return tally.result()
}

describe('figures', () => {
  test('add up the payments of a group', () => {
    const facts = [
      FACT,
      { ...FACT, amountAuthorized: 500, amountCaptured: 300, amountRefunded: 100 },
      { ...FACT, status: 'DECLINED', amountAuthorized: 0, amountCaptured: 0 },
    ]
    expect(insightsOf(facts, { by: 'processor' })).toEqual({
      from: null,
      to: null,
      by: 'processor',
      groups: [
        {
          key: 'ALPHA',
          currencyCode: 'EUR',
          count: 3,
          authorized: 2,
          declined: 1,
          failed: 0,
          authorizationRate: 2 / 3,
          amountAuthorized: 1500,
          amountCaptured: 1300,
          amountRefunded: 100,
          net: 1200,
        },
      ],
    })
  })

  test('never add up two currencies', () => {
    const { groups } = insightsOf([FACT, { ...FACT, currencyCode: 'USD' }], { by: 'status' })
    expect(groups.map(({ key, currencyCode, count }) => [key, currencyCode, count])).toEqual([
      ['SETTLED', 'EUR', 1],
      ['SETTLED', 'USD', 1],
    ])
  })

  test.each<[string, readonly Partial<PaymentFact>[], object]>([
    ['none is known', [{ amountCaptured: null, amountRefunded: null }], { amountCaptured: null, net: null }],
    [
      'one is known',
      [{ amountRefunded: null }, { amountRefunded: 40 }],
      { amountRefunded: 40, amountCaptured: 2000, net: 1960 },
    ],
    ['nothing refunded as far as is known', [{ amountRefunded: null }], { amountRefunded: null, net: 1000 }],
  ])('leave out unknown parts: %s', (_name, changes, expected) => {
    const facts = changes.map((change) => ({ ...FACT, ...change }))
    expect(insightsOf(facts, { by: 'status' }).groups[0]).toMatchObject(expected)
  })

  test('keep every digit beyond 2^53', () => {
    const facts = Array.from({ length: 3 }, () => ({ ...FACT, amountCaptured: Number.MAX_SAFE_INTEGER }))
    expect(insightsOf(facts, { by: 'status' }).groups[0]?.amountCaptured).toBe(27_021_597_764_222_973n)
  })

  test('have no rate where nothing was tried', () => {
    const [group] = insightsOf([{ ...FACT, status: 'PENDING', amountAuthorized: 0 }], { by: 'status' }).groups
    expect(group).toMatchObject({ authorized: 0, declined: 0, failed: 0, authorizationRate: null })
  })
})

describe('groups', () => {
  test.each([
    ['day', '2026-01-31'],
    ['hour', '2026-01-31T23:00Z'],
    ['country', 'DE'],
    ['method', 'PAYMENT_CARD'],
    ['source', 'payments'],
    ['currency', 'EUR'],
    ['reason', null],
  ] as const)('by %s', (by, key) => {
    expect(insightsOf([FACT], { by }).groups.map((group) => group.key)).toEqual([key])
  })

  test('are days of UTC, regardless of the offset of the record', () => {
    const at = (createdAt: string | undefined) => ({ ...FACT, createdAt })
    const facts = [at('2026-02-01T01:30:00+02:00'), at('2026-01-31T23:00:00Z'), at(undefined)]
    const { groups } = insightsOf(facts, { by: 'day' })
    expect(groups.map(({ key, count }) => [key, count])).toEqual([
      ['2026-01-31', 2],
      [null, 1],
    ])
  })

  test('hold a leap second, with the second before it', () => {
    const facts = [{ ...FACT, createdAt: '2016-12-31T23:59:60.5Z' }]
    const [from, to] = [new Date('2016-12-31T00:00:00Z'), new Date('2016-12-31T23:59:59.999Z')]
    expect(insightsOf(facts, { by: 'hour', from, to }).groups).toMatchObject([
      { key: '2016-12-31T23:00Z', count: 1 },
    ])
  })

  test('of time are in their order, others the largest first', () => {
    const facts = [
      { ...FACT, createdAt: '2026-03-02T00:00:00Z', processor: 'B' },
      { ...FACT, createdAt: '2026-03-02T00:00:00Z', processor: 'B' },
      { ...FACT, createdAt: '2026-03-01T00:00:00Z', processor: 'A' },
    ]
    expect(insightsOf(facts, { by: 'day' }).groups.map(({ key }) => key)).toEqual([
      '2026-03-01',
      '2026-03-02',
    ])
    expect(insightsOf(facts, { by: 'processor' }).groups.map(({ key }) => key)).toEqual(['B', 'A'])
  })

  test('hold the period with both its ends', () => {
    const facts = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'].map(
      (createdAt) => ({ ...FACT, createdAt }),
    )
    const from = new Date('2026-01-01T00:00:00Z')
    const to = new Date('2026-01-02T00:00:00Z')
    const found = insightsOf([...facts, { ...FACT, createdAt: undefined }], { by: 'day', from, to })
    expect(found.groups.map(({ key }) => key)).toEqual(['2026-01-01', '2026-01-02'])
    expect(found).toMatchObject({ from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' })
  })
})

test('every grouping gives what a second computation gives', () => {
  const amount = fc.option(fc.integer({ min: 0, max: 10_000 }))
  const fact: fc.Arbitrary<PaymentFact> = fc.record({
    source: fc.constantFrom('payments', 'external'),
    createdAt: fc.constantFrom(
      '2026-01-01T00:00:00Z',
      '2026-01-01T23:59:59.999999',
      '2026-01-02T01:00:00+02:00',
    ),
    status: fc.constantFrom('SETTLED', 'AUTHORIZED', 'DECLINED', 'FAILED', 'CANCELLED', 'PENDING', undefined),
    currencyCode: fc.constantFrom('EUR', 'USD', undefined),
    processor: fc.constantFrom('A', 'B', undefined),
    method: fc.constantFrom('PAYMENT_CARD', undefined),
    reason: fc.constantFrom('DO_NOT_HONOR', undefined),
    country: fc.constantFrom('DE', undefined),
    amountAuthorized: amount,
    amountCaptured: amount,
    amountRefunded: amount,
  })
  fc.assert(
    fc.property(fc.array(fact, { maxLength: 30 }), fc.constantFrom(...GROUPINGS), (facts, by) => {
      const { groups } = insightsOf(facts, { by })
      // Over all groups nothing is lost and nothing counted twice.
      expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(facts.length)
      for (const group of groups) {
        const members = facts.filter(
          (one) => (one.currencyCode ?? null) === group.currencyCode && slowKey(one, by) === group.key,
        )
        const known = (name: 'amountCaptured' | 'amountRefunded' | 'amountAuthorized') => {
          const parts = members.map((one) => one[name]).filter((part) => part !== null)
          return parts.length === 0 ? null : parts.reduce((sum, part) => sum + part, 0)
        }
        expect(group.count).toBe(members.length)
        expect(group.amountCaptured).toBe(known('amountCaptured'))
        expect(group.amountRefunded).toBe(known('amountRefunded'))
        expect(group.amountAuthorized).toBe(known('amountAuthorized'))
        expect(group.declined).toBe(members.filter(({ status }) => status === 'DECLINED').length)
        expect(group.authorized).toBe(members.filter(wasAuthorized).length)
      }
    }),
  )
})

function slowKey(fact: PaymentFact, by: (typeof GROUPINGS)[number]): string | null {
  const iso = new Date(
    fact.createdAt?.includes('+') === true || fact.createdAt?.endsWith('Z') === true
      ? fact.createdAt
      : `${fact.createdAt ?? ''}Z`,
  ).toISOString()
  const keys = {
    ...fact,
    currency: fact.currencyCode,
    day: iso.slice(0, 10),
    hour: `${iso.slice(0, 13)}:00Z`,
  }
  return keys[by] ?? null
}
