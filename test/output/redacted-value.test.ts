import { expect, test } from 'vitest'
import { parseJson } from '../../src/json/json.ts'
import { formatRedactedEntry } from '../../src/output/redacted-value.ts'

test.each([
  ['ticket', 'T-1', 'ticket: T-1'],
  ['tries', 2, 'tries: 2'],
  ['rate', parseJson('1.10'), 'rate: 1.10'],
  ['nested', { a: [true, null] }, 'nested: {"a":[true,null]}'],
  ['token', 'tok_1', 'token: [redacted]'],
  ['note', 'card 4111 1111 1111 1111', 'note: card [card number]'],
  ['4111111111111111', 1, '[card number]: 1'],
  ['\u001Bk', 'a\nb', '\\u001bk: a b'],
  ['__proto__', 'x', '__proto__: x'],
  ['gone', null, 'gone: null'],
])('%j with %j is %j', (key, value, text) => {
  expect(formatRedactedEntry(key, value)).toBe(text)
})
