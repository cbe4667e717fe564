import { assert, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasUnsafeCharacters, safeJson, safeLines, safeText } from '../../src/output/safe-text.ts'

const NOTHING_UNSAFE = /^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200B\u2060\uFEFF\p{Cs}]*$/u

describe('safeText', () => {
  test.each([
    ['plain text', 'plain text'],
    ['\u001B[2Jgone', '\\u001b[2Jgone'],
    ['\u001B]0;title\u0007', '\\u001b]0;title\\u0007'],
    ['\u009B31mred', '\\u009b31mred'],
    ['a\u007Fb', 'a\\u007fb'],
    ['one\r\ntwo\tthree', 'one two three'],
    ['evil\u202Etxt.exe', 'evil\\u202etxt.exe'],
    ['\u2066isolate\u2069', '\\u2066isolate\\u2069'],
    ['zero\u200Bwidth\uFEFF', 'zero\\u200bwidth\\ufeff'],
    ['line\u2028paragraph\u2029', 'line\\u2028paragraph\\u2029'],
    ['tag \u{E0041}', 'tag \\udb40\\udc41'],
    ['lone \uD800', 'lone \\ud800'],
    ['a\u200Db', 'a\\u200db'],
    ['👩‍👩‍👧 Zürich 東京', '👩‍👩‍👧 Zürich 東京'],
    ['👩🏽‍💻', '👩🏽‍💻'],
  ])('turns %j into %j', (text, safe) => {
    expect(safeText(text)).toBe(safe)
  })

  test('leaves no control characters in any text', () => {
    assert(
      property(string({ unit: 'binary' }), (text) => {
        expect(safeText(text)).toMatch(NOTHING_UNSAFE)
      }),
    )
  })

  test('does not change its own output', () => {
    assert(
      property(string({ unit: 'binary' }), (text) => {
        expect(safeText(safeText(text))).toBe(safeText(text))
      }),
    )
  })
})

test('safeLines keeps line breaks of every kind and nothing else', () => {
  expect(safeLines('a\r\nb\rc\nd\u001B\te')).toBe('a\nb\nc\nd\\u001b e')
})

test('safeJson has the same value and no control characters', () => {
  assert(
    property(string({ unit: 'binary' }), (text) => {
      const json = JSON.stringify({ [text]: text }, undefined, 2)
      expect(JSON.parse(safeJson(json))).toEqual(JSON.parse(json))
      expect(safeJson(json).replaceAll('\n', '')).toMatch(NOTHING_UNSAFE)
    }),
  )
})

test.each([
  ['a b\n', true],
  ['a\u009B', true],
  ['a b', false],
  ['👩‍💻', false],
])('hasUnsafeCharacters(%j) is %s', (text, answer) => {
  expect(hasUnsafeCharacters(text)).toBe(answer)
})
