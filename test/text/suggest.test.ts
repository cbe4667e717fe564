import { describe, expect, test } from 'vitest'
import { closest, joinChoices, meantBy } from '../../src/text/suggest.ts'

const COMMANDS = ['create', 'get', 'list', 'authorize', 'capture', 'refund', 'adjust']

describe('closest', () => {
  test.each([
    ['refnud', 'refund', 'swapped letters'],
    ['refun', 'refund', 'a lost letter'],
    ['reffund', 'refund', 'a doubled letter'],
    ['capturw', 'capture', 'a wrong letter'],
    ['REFUND', 'refund', 'different case'],
    ['athorise', 'authorize', 'two mistakes in a long word'],
    ['lst', 'list', 'one mistake in a short word'],
    ['gte', 'get', 'a swap in a short word'],
  ])('corrects %s to %s: %s', (word, meant) => {
    expect(closest(word, COMMANDS)).toBe(meant)
  })

  test.each(['frobnicate', 'xyz', '', 'g', 'create-payment-now'])('has no suggestion for %j', (word) => {
    expect(closest(word, COMMANDS)).toBeUndefined()
  })

  test('has no suggestion for a one-letter word with nothing in common', () => {
    expect(closest('x', ['y', 'z'])).toBeUndefined()
  })

  test('prefers the nearest candidate, then the first', () => {
    expect(closest('caps', ['cape', 'caps', 'capt'])).toBe('caps')
    expect(closest('USE', ['USD', 'USN'])).toBe('USD')
  })

  test('has no suggestion without candidates', () => {
    expect(closest('refund', [])).toBeUndefined()
  })
})

test.each([
  ['ref', 'refund'],
  ['auth', 'authorize'],
  ['REF', 'refund'],
  ['gat', 'get'],
  ['r', undefined],
  ['xy', undefined],
])('the word %s may mean %s', (word, expected) => {
  expect(meantBy(word, COMMANDS)).toBe(expected)
})

test.each([
  [['a'], 'a'],
  [['a', 'b'], 'a or b'],
  [['a', 'b', 'c'], 'a, b or c'],
])('joins %j as "%s"', (choices, joined) => {
  expect(joinChoices(choices)).toBe(joined)
})
