import { fileURLToPath } from 'node:url'
import { array, assert, constantFrom, integer, jsonValue, oneof, property, record, string } from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { shapesOf } from '../../scripts/plain-shapes.mjs'
import * as externalPayment from '../../src/api/external-payment.ts'
import { inspect } from '../../src/api/inspect.ts'
import * as instrument from '../../src/api/instrument.ts'
import * as loyalty from '../../src/api/loyalty.ts'
import * as payment from '../../src/api/payment.ts'
import { fitsPlainly, isPlainlyValid, keepShape, readAs } from '../../src/api/plain-shape.ts'
import type { PlainShape } from '../../src/api/plain-shape.ts'
import { brokenRules } from '../../src/api/rules.ts'
import { lazy } from '../../src/api/lazy.ts'
import { z } from '../../src/api/schema.ts'
import type { Schema } from '../../src/api/schema.ts'
import * as session from '../../src/api/session.ts'
import { SETS } from '../../src/api/sets.ts'
import type { NamedSet } from '../../src/api/sets.ts'
import { CURRENCY_CODES } from '../../src/money/currencies.ts'
import { tries } from '../support/tries.ts'

const MODULES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'external-payment': { ...externalPayment },
  instrument: { ...instrument },
  loyalty: { ...loyalty },
  payment: { ...payment },
  session: { ...session },
}
const isSchema = (value: unknown): value is Schema => typeof value === 'function'

const SHAPES = await shapesOf(fileURLToPath(new URL('../../src/api', import.meta.url)))
const ROWS = [...SHAPES].flatMap(([module, shapes]) =>
  [...shapes].map(([name, shape]) => {
    const schema = MODULES[module]?.[name]
    if (!isSchema(schema)) throw new Error(`${module} has no schema ${name}`)
    return { name, schema, shape }
  }),
)
beforeAll(() => {
  for (const { schema, shape } of ROWS) keepShape(schema, JSON.stringify(shape))
})

const junk = oneof(
  jsonValue(),
  constantFrom<unknown>(null, undefined, -1, 0, 1.5, 2 ** 53, 2n ** 60n, '', 'EUR', 'XXX', [], {}, [null]),
)

/** Values near a shape: most of their parts are right, and any may be wrong, too many or missing. */
function near(shape: PlainShape): Arbitrary<unknown> {
  return oneof({ weight: 30, arbitrary: rightFor(shape) }, { weight: 1, arbitrary: junk })
}

function rightFor(shape: PlainShape): Arbitrary<unknown> {
  if (shape === 'no' || shape === 'any') return junk
  if (shape === 'text') return string({ maxLength: 5 })
  if (shape === 'flag') return constantFrom(true, false)
  if ('whole' in shape) return integer({ min: -2, max: 1000 })
  if ('set' in shape) {
    const set: NamedSet = SETS[shape.set]
    return constantFrom(...(set.values ?? []), 'EUR', 'DE', 'OTHER', '2026-01-31T09:30:00Z')
  }
  if ('list' in shape) return array(near(shape.list), { maxLength: 2 })
  if ('map' in shape) return jsonValue()
  const fields = Object.fromEntries(Object.entries(shape.fields).map(([name, inner]) => [name, near(inner)]))
  const known = record(fields, { requiredKeys: [] })
  const more = constantFrom({}, {}, {}, {}, { surplus: 1 }, { __proto__: 1 }, { constructor: 'x' })
  return record({ known, more }).map((parts) => ({ ...parts.known, ...parts.more }))
}

describe.each(ROWS)('$name', ({ schema, shape }) => {
  test('what fits its plain shape is what its schema reads, unchanged', () => {
    assert(
      property(near(shape), (value) => {
        if (fitsPlainly(schema, value))
          expect(schema().safeParse(value)).toEqual({ success: true, data: value })
      }),
      { numRuns: tries(200) },
    )
  })

  test('and where nothing is to be said, the schema has nothing to say', () => {
    assert(
      property(near(shape), (value) => {
        if (!isPlainlyValid(schema, value, CURRENCY_CODES)) return
        expect(schema().safeParse(value)).toMatchObject({ success: true })
        expect(brokenRules(schema(), value)).toEqual([])
        expect(inspect(schema(), value, CURRENCY_CODES)).toEqual([])
      }),
      { numRuns: tries(200) },
    )
  })
})

describe('ordinary values need no schema', () => {
  test.each<[string, Schema, unknown]>([
    ['refund', payment.refundPaymentRequest, { amount: 500, reason: 'late' }],
    ['refund of all', payment.refundPaymentRequest, {}],
    ['capture', payment.capturePaymentRequest, { amount: 1, final: false }],
    ['create', payment.createPaymentRequest, { paymentMethodToken: 't', amount: 0, currencyCode: 'EUR' }],
  ])('%s', (_, schema, body) => {
    expect(isPlainlyValid(schema, body, CURRENCY_CODES)).toBe(true)
  })

  test('an answer, with what it holds beyond its schema', () => {
    const answer = { id: 'p', status: 'NEW_STATUS', amount: 1, metadata: { a: [1] }, more: { b: null } }
    expect(fitsPlainly(payment.payment, answer)).toBe(true)
  })
})

test.each<[string, Schema, unknown]>([
  ['an unknown field', payment.refundPaymentRequest, { amount: 1, ammount: 2 }],
  ['a field of every object', payment.refundPaymentRequest, { constructor: 'x' }],
  ['an amount too small', payment.refundPaymentRequest, { amount: 0 }],
  ['an amount too large to be exact', payment.refundPaymentRequest, { amount: 2 ** 53 }],
  ['a missing field', payment.adjustAuthorizationRequest, {}],
  ['a currency that is none', payment.createPaymentRequest, { paymentMethodToken: 't', currencyCode: 'XXY' }],
  ['a field with a rule', payment.createPaymentRequest, { paymentMethodToken: 't', order: {} }],
  ['metadata', payment.createPaymentRequest, { paymentMethodToken: 't', metadata: {} }],
  ['a list', payment.refundPaymentRequest, []],
  ['null', payment.refundPaymentRequest, null],
])('%s is left to the schema', (_, schema, body) => {
  expect(isPlainlyValid(schema, body, CURRENCY_CODES)).toBe(false)
})

test('without its shape every value is left to the schema', () => {
  expect(fitsPlainly(payment.transaction, {})).toBe(false)
  expect(isPlainlyValid(payment.transaction, {}, CURRENCY_CODES)).toBe(false)
})

test('an answer with more wrong entries than the parser can count does not fit', () => {
  const schema = lazy(() => z.array(z.object({ a: z.string() })))
  expect(readAs(schema, [{ a: 'x' }])).toEqual([{ a: 'x' }])
  expect(readAs(schema, { list: 1 })).toBeUndefined()
  expect(
    readAs(
      lazy(() => z.object({ list: z.array(z.string()) })),
      { list: Array.from({ length: 300_000 }, () => 1) },
    ),
  ).toBeUndefined()
})
