import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  digitsOf,
  formatExpiry,
  groupDigits,
  retype,
} from '../../../../src/pages/checkout/card/typed-digits.ts'

test.each([
  ['', ''],
  ['411', '411'],
  ['4111', '4111'],
  ['41111', '4111 1'],
  ['4111111111111111', '4111 1111 1111 1111'],
  ['4111111111111111222', '4111 1111 1111 1111 222'],
  ['378282246310005', '3782 822463 10005'],
  ['36227206271667', '3622 720627 1667'],
])('%j is grouped as %j', (digits, text) => expect(groupDigits(digits)).toBe(text))

test.each([
  ['', ''],
  ['1', '1'],
  ['4', '04'],
  ['12', '12'],
  ['123', '12/3'],
  ['1230', '12/30'],
  ['122030', '12/30'],
  ['1220', '12/20'],
  ['12203', '12/203'],
  ['12301', '12/30'],
])('the digits %j are the expiry date %j', (digits, text) => expect(formatExpiry(digits)).toBe(text))

/** `|` is the cursor. */
function typed(text: string) {
  const cursor = text.indexOf('|')
  return { text: text.replace('|', ''), cursor }
}

describe('the cursor', () => {
  test.each([
    ['typing at the end', '4111', '41111|', 'insertText', '4111 1|'],
    ['typing inside', '4111 1', '41211| 1', 'insertText', '4121 1|1'],
    ['Backspace inside', '4111 1111', '411| 1111', 'deleteContentBackward', '411|1 111'],
    ['Backspace over a separator', '4111 1111', '4111|1111', 'deleteContentBackward', '411|1 111'],
    ['Delete over a separator', '4111 2333', '4111|2333', 'deleteContentForward', '4111| 333'],
    ['pasting with other separators', '', '4111-1111 1111.1111|', 'insertFromPaste', '4111 1111 1111 1111|'],
    ['text without digits', '', 'abc|', 'insertText', '|'],
    ['deleting everything', '4111 1', '|', 'deleteContentBackward', '|'],
  ])('%s', (_, before, after, inputType, expected) => {
    expect(retype(before, typed(after), { inputType, format: groupDigits })).toEqual(typed(expected))
  })

  test('follows a month that gets its zero', () => {
    expect(retype('', typed('4|'), { inputType: 'insertText', format: formatExpiry })).toEqual(typed('04|'))
  })

  test('stays after the same digit, no matter what is typed where', () => {
    const digits = fc.stringMatching(/^\d{0,19}$/)
    fc.assert(
      fc.property(digits, fc.nat(30), fc.stringMatching(/^[\d -]{0,5}$/), (given, at, inserted) => {
        const before = groupDigits(given)
        const cursor = Math.min(at, before.length)
        const text = before.slice(0, cursor) + inserted + before.slice(cursor)
        const after = retype(
          before,
          { text, cursor: cursor + inserted.length },
          { inputType: 'insertText', format: groupDigits },
        )
        expect(digitsOf(after.text)).toBe(digitsOf(text))
        expect(digitsOf(after.text.slice(0, after.cursor))).toBe(
          digitsOf(text.slice(0, cursor + inserted.length)),
        )
      }),
    )
  })

  test('Backspace always deletes exactly one digit until none is left', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{1,19}$/), fc.nat(30), (given, at) => {
        const before = groupDigits(given)
        const cursor = Math.min(Math.max(at, 1), before.length)
        const text = before.slice(0, cursor - 1) + before.slice(cursor)
        const after = retype(
          before,
          { text, cursor: cursor - 1 },
          { inputType: 'deleteContentBackward', format: groupDigits },
        )
        expect(digitsOf(after.text)).toHaveLength(given.length - 1)
      }),
    )
  })
})
