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

/** `<operation>[.<form>].request.json` and `….response.json`: bodies as they are documented, not as our code makes them. */
function fixturesOf(kind: 'request' | 'response'): readonly Fixture[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(`.${kind}.json`))
  return names.flatMap((name) => {
    const operation = operations.find(({ id }) => name.startsWith(`${id}.`))
    if (operation === undefined) return []
    return [{ name, operation, body: JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) }]
  })
}

/** null clears a field where the operation says so; the schemas know only the fields that stay. */
const withoutNulls = (body: unknown, { nullClears }: Operation): unknown =>
  nullClears === true
    ? Object.fromEntries(Object.entries(Object(body)).filter(([, value]) => value !== null))
    : body

const missing = z.never()

describe('requests', () => {
  test.each(fixturesOf('request'))('$name fits its schema without a finding', ({ operation, body }) => {
    const schema = operation.request?.() ?? missing
    const parsed = z.safeParse(schema, withoutNulls(body, operation))
    expect(parsed.error?.issues).toBeUndefined()
    expect(parsed.data).toEqual(withoutNulls(body, operation))
    expect(findUnknownEntries(schema, body, CURRENCY_CODES)).toEqual([])
  })

  test('there is one for every operation with a body', () => {
    const covered = new Set(fixturesOf('request').map(({ operation }) => operation.id))
    const withBody = operations.filter(({ request }) => request !== undefined).map(({ id }) => id)
    expect([...covered].toSorted()).toEqual(withBody.toSorted())
  })
})

describe('answers', () => {
  test.each(fixturesOf('response'))('$name fits its schema and keeps every field', ({ operation, body }) => {
    const parsed = z.safeParse(operation.response(), body)
    expect(parsed.error?.issues).toBeUndefined()
    expect(parsed.data).toEqual(body)
  })

  test.each(fixturesOf('response'))(
    '$name has no field that the schema does not name',
    ({ operation, body }) => {
      const unknown = findUnknownEntries(operation.response(), body, CURRENCY_CODES).filter(
        ({ kind }) => kind === 'unknown-field',
      )
      expect(unknown).toEqual([])
    },
  )

  test('there is one for every operation', () => {
    const covered = new Set(fixturesOf('response').map(({ operation }) => operation.id))
    expect([...covered].toSorted()).toEqual(operations.map(({ id }) => id).toSorted())
  })
})

test('every fixture belongs to an operation', () => {
  const known = [...fixturesOf('request'), ...fixturesOf('response')].map(({ name }) => name)
  expect(known.toSorted()).toEqual(readdirSync(FOLDER).toSorted())
})

/** Given in other forms of the same request. */
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
