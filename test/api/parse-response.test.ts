import { expect, test } from 'vitest'
import { parseResponse } from '../../src/api/parse-response.ts'
import { lazySchema, z } from '../../src/api/schema.ts'

test('an answer is read as its schema reads it', () => {
  const schema = lazySchema(() => z.array(z.object({ a: z.string() })))
  expect(parseResponse(schema, [{ a: 'x' }])).toEqual([{ a: 'x' }])
  expect(parseResponse(schema, { list: 1 })).toBeUndefined()
})

test('an answer with more wrong entries than the parser can count does not fit', () => {
  const schema = lazySchema(() => z.object({ list: z.array(z.string()) }))
  expect(parseResponse(schema, { list: Array.from({ length: 300_000 }, () => 1) })).toBeUndefined()
})
