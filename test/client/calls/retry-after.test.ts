import { expect, test } from 'vitest'
import { retryAfterMs, waitInWords } from '../../../src/client/calls/retry-after.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')

test.each([
  ['seconds', '2', 2_000],
  ['zero', '0', 0],
  ['spaces around', ' 7 ', 7_000],
  ['years', '999999999999', 999_999_999_999_000],
  ['a date in ages', 'Fri, 31 Dec 9999 23:59:59 GMT', 251_629_934_399_000],
  ['an HTTP date', 'Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['the older form of RFC 850', 'Sunday, 01-Mar-26 12:00:05 GMT', 5_000],
  ['a date that has passed', 'Sun, 01 Mar 2026 11:00:00 GMT', 0],
])('reads %s', (_, header, ms) => {
  expect(retryAfterMs(header, NOW)).toBe(ms)
})

test.each([
  ['0', '0 s'],
  ['90', '90 s'],
  ['120', '2 min'],
  ['3600', '60 min'],
  ['86400', '24 h'],
  ['999999999', '11575 days'],
])('%s seconds are %s', (header, words) => {
  expect(waitInWords(retryAfterMs(header, NOW) ?? -1)).toBe(words)
})

test.each([
  undefined,
  '',
  ' ',
  '-1',
  '-5',
  '12.5',
  '1e3',
  '0x10',
  'soon',
  'Infinity',
  '1 2',
  '٣',
  '9999999999999999',
])('knows nothing from %s', (header) => {
  expect(retryAfterMs(header, NOW)).toBeUndefined()
})
