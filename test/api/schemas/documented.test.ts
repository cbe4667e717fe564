import { describe, expect, test } from 'vitest'
import { answerChecks, fixturesOf, requestChecks } from './checker.ts'

describe('documented requests', () => {
  test.each(fixturesOf('request'))('$name fits its JSON Schema and its OpenAPI', ({ operation, body }) => {
    for (const [kind, check] of Object.entries(requestChecks(operation)))
      expect(check(body), kind).toEqual([])
  })
})

describe('documented answers', () => {
  test.each(fixturesOf('response'))('$name fits its JSON Schema and its OpenAPI', ({ operation, body }) => {
    for (const [kind, check] of Object.entries(answerChecks(operation))) expect(check(body), kind).toEqual([])
  })

  test.each(fixturesOf('response'))('$name may hold more than is named', ({ operation, body }) => {
    const more = { ...Object(body), somethingNew: { at: 1 }, status: 'A_NEW_STATUS' }
    for (const [kind, check] of Object.entries(answerChecks(operation))) expect(check(more), kind).toEqual([])
  })
})
