import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listPaymentsQuery } from '../../../src/api/models/payment.ts'
import { PAYMENT_STATUSES } from '../../../src/api/sets.ts'
import { parseJson } from '../../../src/json/json.ts'
import { readListQuery } from '../../../src/sandbox/handlers/lists.ts'
import { Problem } from '../../../src/sandbox/problem.ts'
import { acceptBody, acceptQuery } from '../../../src/sandbox/request/validation.ts'
import { fixturesOf, operationOf, operations, queryCheck, requestChecks } from './checker.ts'
import type { Fixture } from './checker.ts'
import { scaledRuns } from '../../support/test-effort.ts'

/**
 * Compares the schemas with the service's checks of a body alone. Left out, because JSON Schema cannot express it or a
 * handler adds it: a literal null as the whole body (read as no body), NUL and half surrogate pairs, duplicate keys, a
 * body above 1 MB, and the total of an order. Integers of metadata are given as JSON text.
 */

const JUNK = fc.constantFrom<unknown>(
  null,
  true,
  '',
  'EUR',
  'EUX',
  'DE',
  'PHYSICAL',
  'FIRST_PAYMENT',
  '2026-01-31T09:30:00Z',
  '2026-02-29T09:30:00Z',
  '2024-02-29T09:30:00+00:00',
  '2026-01-31 10:30+0100',
  0,
  1,
  -1,
  1.5,
  2 ** 53 - 1,
  2 ** 53,
  [],
  {},
  [null],
  [{}],
  [{ amount: 1 }],
  [{ amount: null }],
  { '': 1 },
  { a: null },
  { lineItems: [{ amount: 1 }] },
  { shipping: { amount: 1 } },
  { fees: [{ type: 'a' }] },
  { A: { networks: { VISA: {} } } },
  { A: { networks: { VISO: {} } } },
)

type Edit = (body: unknown) => unknown

const FIELDS = [
  'order',
  'orderDetails',
  'lineItems',
  'amount',
  'currencyCode',
  'metadata',
  'customer',
  'createdAt',
  'options',
  'networks',
  'VISA',
  'x',
  '',
]

/** Sets, adds or removes one value; half of the additions are at the top level, where most rules are. */
const edit: fc.Arbitrary<Edit> = fc
  .record({
    at: fc.nat(),
    kind: fc.constantFrom('set', 'delete', 'add', 'add at the top'),
    field: fc.constantFrom(...FIELDS),
    junk: JUNK,
  })
  .map(({ at, kind, field, junk }) => (body) => {
    const paths = kind === 'add' ? recordsOf(body) : pathsOf(body)
    const path = kind === 'add at the top' ? [] : (paths[at % paths.length] ?? [])
    if (kind.startsWith('add'))
      return change(body, path, (part) => (isRecord(part) ? { ...part, [field]: junk } : part))
    if (kind === 'set' || path.length === 0) return change(body, path, () => junk)
    return change(body, path.slice(0, -1), (part) => without(part, path.at(-1) ?? ''))
  })

const recordsOf = (body: unknown) =>
  pathsOf(body).filter((path) =>
    isRecord(path.reduce<unknown>((part, step) => Reflect.get(Object(part), step), body)),
  )

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, child]) => pathsOf(child, [...path, key]))]
}

function change(value: unknown, [step, ...rest]: readonly string[], make: Edit): unknown {
  if (step === undefined) return make(value)
  if (Array.isArray(value))
    return value.map((entry, at) => (String(at) === step ? change(entry, rest, make) : entry))
  return isRecord(value) ? { ...value, [step]: change(value[step], rest, make) } : value
}

function without(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return value.filter((_, at) => String(at) !== step)
  return isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== step)) : value
}

/** Whether the service accepts it. Rethrows anything but a Problem. */
function accepts(accept: () => unknown): boolean {
  try {
    accept()
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

const RUNS = scaledRuns(100)
const seen = { accepted: 0, refused: 0 }

describe('the service accepts a body exactly if its schema does', () => {
  test.each(operations.flatMap(({ id, request }) => (request === undefined ? [] : [[id, request] as const])))(
    '%s',
    (id, request) => {
      const operation = operationOf(id)
      const checks = Object.entries(requestChecks(operation))
      const documented = fixturesOf('request').filter((fixture: Fixture) => fixture.operation.id === id)
      expect(documented, `add test/fixtures/api/${id}.request.json`).not.toEqual([])
      fc.assert(
        fc.property(
          fc.constantFrom(...documented.map(({ body }) => body)),
          fc.array(edit, { maxLength: 3 }),
          (body, edits) => {
            const text = JSON.stringify(edits.reduce((before, make) => make(before), body))
            if (text === 'null') return
            const isAccepted = accepts(() => acceptBody({ ...operation, request }, parseJson(text)))
            seen[isAccepted ? 'accepted' : 'refused'] += 1
            for (const [kind, check] of checks) {
              const wrong = check(JSON.parse(text))
              expect([kind, wrong.length === 0], `${text}\n${wrong.join('\n')}`).toEqual([kind, isAccepted])
            }
          },
        ),
        { numRuns: RUNS, seed: 20_260 },
      )
    },
  )

  test('many bodies were accepted and many refused', () => {
    expect(seen.accepted).toBeGreaterThan(RUNS * 3)
    expect(seen.refused).toBeGreaterThan(RUNS * 3)
  })
})

const query = fc.record(
  {
    limit: fc.constantFrom<unknown>(-1, 0, 1, 50, 100, 101, 1.5, 'many', true),
    status: fc.array(fc.constantFrom(...PAYMENT_STATUSES, 'settled', ''), { minLength: 1, maxLength: 3 }),
    order_id: fc.array(fc.constantFrom('a', 'order-1'), { minLength: 1, maxLength: 2 }),
    currency_code: fc.array(fc.constantFrom('EUR', 'JPY', 'EUX', 'eur'), { minLength: 1, maxLength: 2 }),
    from_date: fc.constantFrom('2026-01-31', '2026-01-31T09:30:00Z'),
    min_amount: fc.constantFrom<unknown>(-1, 0, 700, 2 ** 53 - 1, 2 ** 53, 0.5, 'x'),
    unknown: fc.constant('x'),
  },
  { requiredKeys: [] },
)

test('the service accepts payment filters exactly if their schema does', () => {
  const check = queryCheck(operationOf('payment.list'))
  fc.assert(
    fc.property(query, (given) => {
      const wire = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
      const isAccepted = accepts(() => readListQuery(acceptQuery(listPaymentsQuery, wire), 'payments'))
      const wrong = check(JSON.parse(JSON.stringify(given)))
      expect(wrong.length === 0, `${JSON.stringify(given)}\n${wrong.join('\n')}`).toBe(isAccepted)
    }),
    { numRuns: scaledRuns(200), seed: 20_260 },
  )
})
