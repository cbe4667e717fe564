import { describe, expect, test } from 'vitest'
import { stringifyJson } from '../../../src/json/json.ts'
import { GOOD, MAJOR, lineOf, rowsOf, sourceOf } from './ndjson-bench.ts'

describe('a record', () => {
  test('reports all of its problems, without the value in the kind', () => {
    const [row] = rowsOf(
      lineOf({ amount: '7', currencyCode: 'EURO', statsu: 'x', order: 5, createdAt: '31/01/2026' }),
    )
    expect(row?.problems).toMatchObject([
      { column: 'createdAt', value: '31/01/2026', kind: 'does not show which number is the month' },
      { column: 'amount', value: '7', kind: 'must be a whole number' },
      { column: 'order', value: '5', kind: 'must be an object' },
      {
        column: 'currencyCode',
        value: 'EURO',
        kind: 'is not an ISO 4217 code such as EUR',
        hint: 'Did you mean EUR?',
      },
      { column: 'statsu', value: 'x', kind: 'unknown field', hint: 'Did you mean status?' },
    ])
  })

  test('without a required field is rejected', () => {
    const { paymentId: _id, ...rest } = GOOD
    expect(rowsOf(`${JSON.stringify(rest)}\n`)).toMatchObject([
      { id: '', problems: [{ column: 'paymentId', value: undefined, kind: 'is required' }] },
    ])
  })

  test('keeps every digit and every key', () => {
    const text = lineOf({}).replace(
      '"order"',
      '"metadata":{"__proto__":"a","n":12345678901234567890},"order"',
    )
    const [row] = rowsOf(text)
    expect(stringifyJson(row?.prepared?.body)).toContain(
      '"metadata":{"__proto__":"a","n":12345678901234567890}',
    )
  })

  test('gets its time converted to UTC', () =>
    expect(rowsOf(lineOf({ createdAt: '2026-01-31T09:30:00+01:00' }))).toMatchObject([
      { prepared: { body: { createdAt: '2026-01-31T08:30:00Z' } } },
    ]))

  test.each([
    ['12.50', 1250],
    ['"12.50"', 1250],
    ['12', 1200],
    ['90071992547409.91', Number.MAX_SAFE_INTEGER],
  ])('gets an amount in major units converted: %s', (amount, minor) =>
    expect(rowsOf(lineOf({}).replace('700', amount), { options: MAJOR })).toMatchObject([
      { prepared: { body: { amount: minor } } },
    ]),
  )

  test.each([
    ['12.505', 'has more decimals than its currency'],
    ['1e3', 'is a number that a spreadsheet shortened'],
    ['-1', 'is negative'],
    ['90071992547409.92', 'is more than 9007199254740991 minor units'],
    ['"12,50"', 'has a comma'],
    ['null', 'must be a whole number'],
    ['{}', 'must be a whole number'],
  ])('reports a bad amount in major units once: %s', (amount, kind) => {
    const [row] = rowsOf(lineOf({}).replace('700', amount), { options: MAJOR })
    expect(row?.problems).toMatchObject([{ column: 'amount', kind }])
  })

  test('has one warning for each unknown value', () => {
    const { rowOf, rowWarnings } = sourceOf()
    for (let row = 1; row <= 2; row += 1) rowOf([lineOf({ status: 'SETLED' }).trim()])
    expect(rowWarnings.all()).toEqual([
      { text: expect.stringContaining('"SETLED" is not a known value'), count: 2 },
    ])
  })
})
