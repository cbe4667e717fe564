import { expect, test } from 'vitest'
import { parseResponse } from '../../src/api/parse-response.ts'
import { lazySchema, z } from '../../src/api/schema.ts'

test('parses a response by its schema', () => {
  const schema = lazySchema(() => z.array(z.object({ a: z.string() })))
  expect(parseResponse(schema, [{ a: 'x' }])).toEqual([{ a: 'x' }])
  expect(parseResponse(schema, { list: 1 })).toBeUndefined()
})

test('a response with hundreds of thousands of invalid entries does not match', () => {
  const schema = lazySchema(() => z.object({ list: z.array(z.string()) }))
  expect(parseResponse(schema, { list: Array.from({ length: 300_000 }, () => 1) })).toBeUndefined()
})
