import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findUnknownEntries, knownKeys } from '../../src/api/unknown-fields.ts'
import type { Operation } from '../../src/api/operation.ts'
import { z } from '../../src/api/schema.ts'
import { OPERATIONS } from '../../src/api/table.ts'
import { CURRENCY_CODES } from '../../src/money/currencies.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/api')
const operations: readonly Operation[] = OPERATIONS

interface Fixture {
  readonly name: string
  readonly operation: Operation
  readonly body: unknown
}

/** `<operation>[.<form>].request.json` and `….response.json`: bodies from the API's documentation, not from our code. */
function fixturesOf(kind: 'request' | 'response'): readonly Fixture[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(`.${kind}.json`))
  return names.flatMap((name) => {
    const operation = operations.find(({ id }) => name.startsWith(`${id}.`))
    if (operation === undefined) return []
    return [{ name, operation, body: JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) }]
  })
}

/** The files to add for operations without a fixture. */
const missingFixtures = (kind: 'request' | 'response', needed: readonly Operation[]): readonly string[] => {
  const covered = new Set(fixturesOf(kind).map(({ operation }) => operation.id))
  return needed.filter(({ id }) => !covered.has(id)).map(({ id }) => `test/fixtures/api/${id}.${kind}.json`)
}

/** Removes nulls if the operation clears fields with null, which the schemas do not describe. */
const withoutNulls = (body: unknown, { nullClears }: Operation): unknown =>
  nullClears === true
    ? Object.fromEntries(Object.entries(Object(body)).filter(([, value]) => value !== null))
    : body

const missing = z.never()

describe('requests', () => {
  test.each(fixturesOf('request'))(
    '$name matches its schema without unknown entries',
    ({ operation, body }) => {
      const schema = operation.request?.() ?? missing
      const parsed = z.safeParse(schema, withoutNulls(body, operation))
      expect(parsed.error?.issues).toBeUndefined()
      expect(parsed.data).toEqual(withoutNulls(body, operation))
      expect([...findUnknownEntries(schema, body, CURRENCY_CODES)]).toEqual([])
    },
  )

  test('exist for every operation with a body', () => {
    expect(
      missingFixtures(
        'request',
        operations.filter(({ request }) => request !== undefined),
      ),
    ).toEqual([])
  })
})

describe('responses', () => {
  test.each(fixturesOf('response'))(
    '$name matches its schema and keeps every field',
    ({ operation, body }) => {
      const parsed = z.safeParse(operation.response(), body)
      expect(parsed.error?.issues).toBeUndefined()
      expect(parsed.data).toEqual(body)
    },
  )

  test.each(fixturesOf('response'))('$name has no unknown field', ({ operation, body }) => {
    const unknown = [...findUnknownEntries(operation.response(), body, CURRENCY_CODES)].filter(
      ({ kind }) => kind === 'unknown-field',
    )
    expect(unknown).toEqual([])
  })

  test('exist for every operation', () => {
    expect(missingFixtures('response', operations)).toEqual([])
  })
})

test('every fixture belongs to an operation', () => {
  const known = [...fixturesOf('request'), ...fixturesOf('response')].map(({ name }) => name)
  expect(known.toSorted()).toEqual(readdirSync(FOLDER).toSorted())
})

/** Fields of the other forms of the same request. */
const OTHER_FORM = new Set(['lineItems', 'orderDetails'])

test.each(operations.flatMap((operation) => (operation.request === undefined ? [] : [operation])))(
  'the first request of $id fills every field',
  (operation) => {
    const body: unknown = JSON.parse(readFileSync(join(FOLDER, `${operation.id}.request.json`), 'utf8'))
    const known = knownKeys(operation.request?.() ?? missing, []) ?? []
    expect(Object.keys(Object(body)).toSorted()).toEqual(
      known.filter((key) => !OTHER_FORM.has(key)).toSorted(),
    )
  },
)
