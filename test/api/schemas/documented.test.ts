import { describe, expect, test } from 'vitest'
import { answerChecks, fixturesOf, requestChecks } from './checker.ts'

test.each(fixturesOf('request'))(
  'documented requests: $name is valid by JSON Schema and OpenAPI',
  ({ operation, body }) => {
    for (const [kind, check] of Object.entries(requestChecks(operation)))
      expect(check(body), kind).toEqual([])
  },
)

describe('documented responses', () => {
  test.each(fixturesOf('response'))('$name is valid by JSON Schema and OpenAPI', ({ operation, body }) => {
    for (const [kind, check] of Object.entries(answerChecks(operation))) expect(check(body), kind).toEqual([])
  })

  test.each(fixturesOf('response'))('$name may have other fields', ({ operation, body }) => {
    const more = { ...Object(body), somethingNew: { at: 1 }, status: 'A_NEW_STATUS' }
    for (const [kind, check] of Object.entries(answerChecks(operation))) expect(check(more), kind).toEqual([])
  })
})
