import { expect, test } from 'vitest'
import { at, openService, refusal } from '../service.ts'

test.each(['order_id=%ED%A0%80', 'order_id=%zz', '%E0%A4=1', 'order_id=%'])(
  'refuses a query that is not percent-encoded UTF-8: %s',
  async (query) => {
    const answer = await (await openService()).call('GET', `/payments?${query}`)
    expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
  },
)

test('reports at most a hundred problems, and how many more there are', async () => {
  const body = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`unknown-${index}`, 1]))
  const answer = await (await openService()).call('POST', '/client-session', body)
  expect(at(answer.body, 'error', 'validationErrors', 0, 'errors')).toHaveLength(100)
  expect(at(answer.body, 'error', 'description')).toMatch(/; and 900 more$/)
})

test.each([
  ['of a wrong type', 'x', '$.lineItems[0] must be an object', 900],
  ['with an unknown field', { x: 1 }, '$.lineItems[0].x is not a known field', 900],
  ['with an unknown value', { productType: 'x' }, '$.lineItems[0].productType must be one of', 900],
  ['with text that is not stored', { name: '\0' }, '$.lineItems[0].name contains a NUL', 900],
])('reports a hundred of a thousand lines %s', async (_, line, first, more) => {
  const lineItems = Array.from({ length: 1_000 }, () => line)
  const answer = await (await openService()).call('POST', '/client-session', { lineItems })
  expect(answer).toMatchObject(refusal(422, 'RequestValidationError'))
  expect(at(answer.body, 'error', 'validationErrors', 0, 'errors')).toHaveLength(100)
  expect(at(answer.body, 'error', 'description')).toContain(first)
  expect(at(answer.body, 'error', 'description')).toContain(`; and ${more} more`)
})

test('shortens a very long key in a problem', async () => {
  const answer = await (await openService()).call('POST', '/client-session', { ['k'.repeat(500_000)]: 1 })
  expect(at(answer.body, 'error', 'validationErrors', 0, 'errors')).toEqual([
    { path: `$["${'k'.repeat(100)}…"]`, description: 'is not a known field' },
  ])
})

test('refuses a number with very many digits as an integer', async () => {
  const service = await openService()
  const taken = `{"metadata":{"a":${'9'.repeat(1_000)}}}`
  const refused = `{"metadata":{"a":${'9'.repeat(100_000)}}}`
  expect(await service.call('POST', '/client-session', undefined, { text: taken })).toMatchObject({
    status: 200,
  })
  expect(await service.call('POST', '/client-session', undefined, { text: refused })).toMatchObject(
    refusal(422, 'RequestValidationError'),
  )
})
