import { expect, test } from 'vitest'
import { lazy } from '../../src/api/lazy.ts'
import { readAs } from '../../src/api/parse-response.ts'
import { z } from '../../src/api/schema.ts'

test('an answer is read as its schema reads it', () => {
  const schema = lazy(() => z.array(z.object({ a: z.string() })))
  expect(readAs(schema, [{ a: 'x' }])).toEqual([{ a: 'x' }])
  expect(readAs(schema, { list: 1 })).toBeUndefined()
})

test('an answer with more wrong entries than the parser can count does not fit', () => {
  const schema = lazy(() => z.object({ list: z.array(z.string()) }))
  expect(readAs(schema, { list: Array.from({ length: 300_000 }, () => 1) })).toBeUndefined()
})
