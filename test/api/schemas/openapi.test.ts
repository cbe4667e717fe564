import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { ERROR_STATUS } from '../../../src/api/error-ids.ts'
import { openApiDocument } from '../../../src/api/schemas/openapi.ts'
import { requestModelName } from '../../../src/api/model-names.ts'
import { SETS } from '../../../src/api/sets.ts'
import { TREE } from '../../../src/commands/tree.ts'
import { at, createPayment, openService, textAt } from '../../sandbox/service.ts'
import { documentCheck, operations, OPTIONS } from './checker.ts'
import type { Check } from './checker.ts'

const document = openApiDocument({ ...OPTIONS, describeTag: (tag) => TREE[tag]?.summary })
const text = JSON.stringify(document)

const nameOf = (parameter: unknown): unknown =>
  at(document, 'components', 'parameters', String(at(parameter, '$ref')).split('/').at(-1) ?? '', 'name') ??
  at(parameter, 'name')

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

test('is valid OpenAPI 3.1', async () => {
  expect(await new Validator().validate(JSON.parse(text))).toMatchObject({ valid: true })
})

test('has no dangling reference', () => {
  const missing = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].filter(
    ([, path = '']) => at(document, ...path.split('/')) === undefined,
  )
  expect(missing).toEqual([])
})

test('has no unused or duplicate schema', () => {
  const schemas = Object.entries(Object(at(document, 'components', 'schemas')))
  expect(schemas.filter(([name]) => !text.includes(`"#/components/schemas/${name}"`))).toEqual([])
  const shapes = schemas.map(([, schema]) => JSON.stringify(schema))
  expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([])
})

/** Every object in the document, with its path. */
function* partsOf(value: unknown, path = ''): Generator<readonly [path: string, part: object]> {
  if (typeof value !== 'object' || value === null) return
  yield [path, value]
  for (const [name, child] of Object.entries(value)) yield* partsOf(child, `${path}/${name}`)
}

const parts = [...partsOf(document)]

describe('what linters demand', () => {
  test('every array says what its items are', () => {
    const arrays = parts.filter(([, part]) =>
      list(at(part, 'type')).concat(at(part, 'type')).includes('array'),
    )
    expect(arrays.length).toBeGreaterThan(20)
    expect(arrays.filter(([, part]) => !Object.hasOwn(part, 'items')).map(([path]) => path)).toEqual([])
  })

  test('the values of an enum have its type', () => {
    const wrong = parts.filter(([, part]) => {
      const values = at(part, 'enum')
      return Array.isArray(values) && values.some((value) => typeof value !== at(part, 'type'))
    })
    expect(wrong.map(([path]) => path)).toEqual([])
  })

  test('every tag of an operation is described, and paths end without a slash', () => {
    const tags = list(at(document, 'tags')).map((tag) => at(tag, 'name'))
    const paths = Object.entries(Object(at(document, 'paths')))
    for (const [path, methods] of paths) {
      expect(path).not.toMatch(/\/$|\?/)
      for (const operation of Object.values(Object(methods)))
        expect(tags).toEqual(expect.arrayContaining([...list(at(operation, 'tags'))]))
    }
  })
})

describe.each(operations)('$id', (operation) => {
  const described = at(document, 'paths', operation.path, operation.method.toLowerCase())
  const parameters = list(at(described, 'parameters'))

  test('has its scope, idempotency key and replay rule', () => {
    expect(described).toMatchObject({
      operationId: operation.id,
      security: [{ apiKey: [operation.scope] }],
      'x-replay': operation.replay,
      'x-risk': operation.risk,
      ...(operation.beta ? { 'x-beta': true } : {}),
    })
    expect(at(described, 'description')).toContain(operation.scope)
    expect(String(at(described, 'summary')).endsWith(' (beta)')).toBe(operation.beta)
    expect(parameters.map(nameOf).includes('X-Idempotency-Key')).toBe(operation.idempotencyKey)
    expect(parameters.map(nameOf)).toContain('X-Api-Version')
  })

  test('has its path and query parameters', () => {
    const named = (where: string) => parameters.filter((part) => at(part, 'in') === where).map(nameOf)
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(named('path')).toEqual(inPath)
    const query: unknown = operation.query?.()._zod.def
    expect(named('query')).toEqual(Object.keys(Object(at(query, 'shape'))))
  })

  test('has its body and an error for every other status', () => {
    const body = at(described, 'requestBody')
    expect(body !== undefined).toBe(operation.request !== undefined)
    if (body !== undefined) expect(at(body, 'required')).toBe(operation.bodyOptional !== true)
    const statuses = Object.keys(Object(at(described, 'responses')))
    expect(statuses).toEqual(['200', ...(operation.id === 'payment.resume' ? ['202'] : []), 'default'])
  })
})

test('has every operation once, and nothing else', () => {
  const described = Object.values(Object(at(document, 'paths'))).flatMap((path) =>
    Object.values(Object(path)).map((operation) => textAt(operation, 'operationId')),
  )
  expect(described.toSorted()).toEqual(operations.map(({ id }) => id).toSorted())
})

test('lists every error id with its status', () => {
  const words = textAt(document, 'components', 'responses', 'Error', 'description')
  for (const [id, status] of Object.entries(ERROR_STATUS))
    expect(words.split('\n').find((line) => line.startsWith(`- ${status}: `))).toMatch(
      new RegExp(`\\b${id}\\b`),
    )
  expect(SETS.errorId.values).toEqual(Object.keys(ERROR_STATUS))
})

test('has the default port of pay sandbox start', () => {
  expect(at(document, 'servers', 0, 'variables', 'port', 'default')).toBe('4010')
})

test('lists every version that the service accepts, except dates', async () => {
  const { schema } = Object(at(document, 'components', 'parameters', 'ApiVersion'))
  const later = ['2.2', '2.3', '2.4', '2.5', '2.6', '2.7', '2.8', '2.9']
  expect(schema).toMatchObject({ enum: ['2021-09-27', '2.1', ...later], default: '2021-09-27' })
  const service = await openService()
  for (const version of list(at(schema, 'enum')))
    await service.ok('GET', '/payments', undefined, { headers: { 'x-api-version': String(version) } })
})

test('the response to setting a default has no isVerified', () => {
  const schemas = at(document, 'components', 'schemas')
  expect(at(schemas, 'DefaultPaymentMethod', 'properties')).not.toHaveProperty('isVerified')
  expect(at(schemas, 'SavedPaymentMethod', 'properties')).toHaveProperty('isVerified')
})

test('describes every resource', () => {
  const tags = list(at(document, 'tags'))
  expect(tags).toHaveLength(5)
  for (const tag of tags) expect(textAt(tag, 'description')).not.toBe('')
})

describe('the error schema', () => {
  const check: Check = documentCheck('components', 'schemas', 'Error')

  test("accepts the errors of the service, which use the document's model names", async () => {
    const service = await openService()
    const id = textAt(await createPayment(service, 'tok_visa'), 'id')
    const refused = [
      await service.call('POST', `/payments/${id}/capture`, { amount: 'a' }),
      await service.call('POST', `/payments/${id}/capture`, { amount: 5000 }),
      await service.call('GET', '/payments/unknown', undefined, { key: '' }),
      await service.call('DELETE', '/payments'),
    ]
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 401, 405])
    for (const { body } of refused) expect(check(body)).toEqual([])
    expect(at(refused[0]?.body, 'error', 'validationErrors', 0, 'model')).toBe(
      requestModelName('payment.capture'),
    )
  })

  test('refuses other JSON', () => {
    expect(check({ message: 'no' })).not.toEqual([])
    expect(check({ error: 'no' })).not.toEqual([])
  })
})

test('a currency is a pattern if no list is given', () => {
  const bare = openApiDocument({})
  expect(at(bare, 'components', 'schemas', 'CurrencyCode')).toMatchObject({ pattern: '^[A-Z]{3}$' })
})
