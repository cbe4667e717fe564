import { assert, integer, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { truncate, widthOf } from '../../src/output/width.ts'

test.each([
  ['', 0],
  ['EUR 7.00', 8],
  ['Zürich', 6],
  ['Zu\u0308rich', 6],
  ['東京', 4],
  ['ｶﾅ', 2],
  ['한국', 4],
  ['👩‍👩‍👧', 2],
  ['👍🏽', 2],
  ['🇩🇪', 2],
  ['❤️', 2],
  ['✓ ✗ •', 5],
  ['…', 1],
  ['\u0301', 0],
  ['\u304B\u3099', 2],
  ['\u1112\u1161\u11AB', 2],
  ['\u0915\u094D\u0937\u093F', 3],
  ['\u2068\u05E9\u05DC\u05D5\u05DD\u2069', 4],
  ['\u0645\u062D\u0645\u062F', 4],
  ['1\uFE0F\u20E3', 2],
  ['\u{1FAE0}', 2],
  ['\u0E17\u0E35\u0E48', 1],
  ['a\u200Db', 2],
])('%j takes %i columns', (text, width) => {
  expect(widthOf(text)).toBe(width)
})

test.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdef', 4, 'abc…'],
  ['東京都', 4, '東…'],
  ['東京都', 5, '東京…'],
  ['👍🏽👍🏽👍🏽', 5, '👍🏽👍🏽…'],
  ['👍🏽👍🏽👍🏽', 4, '👍🏽…'],
  ['👩‍👩‍👧👍', 3, '👩‍👩‍👧…'],
  ['🇩🇪🇫🇷', 3, '🇩🇪…'],
  ['🇩🇪🇫🇷', 2, '…'],
  ['Zu\u0308rich', 3, 'Zu\u0308…'],
  ['𠮷野家', 5, '𠮷野…'],
  ['a\u0301\u0316\u0301bcd', 3, 'a\u0301\u0316\u0301b…'],
  ['abc', 1, '…'],
  ['abc', 0, ''],
])('%j cut to %i is %j', (text, width, cut) => {
  expect(truncate(text, width)).toBe(cut)
})

test('never exceeds the width when truncating', () => {
  assert(
    property(string({ unit: 'grapheme' }), integer({ min: 1, max: 20 }), (text, width) => {
      const cut = truncate(text, width)
      expect(widthOf(cut)).toBeLessThanOrEqual(width)
    }),
  )
})
