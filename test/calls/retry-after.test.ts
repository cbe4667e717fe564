import { expect, test } from 'vitest'
import { MAX_WAIT_MS, retryAfterMs } from '../../src/calls/retry-after.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')

test.each([
  ['seconds', '2', 2_000],
  ['zero', '0', 0],
  ['spaces around', ' 7 ', 7_000],
  ['the longest that is waited for', '60', 60_000],
  ['an HTTP date', 'Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['the older form of RFC 850', 'Sunday, 01-Mar-26 12:00:05 GMT', 5_000],
  ['a date that has passed', 'Sun, 01 Mar 2026 11:00:00 GMT', 0],
])('reads %s', (_, header, ms) => {
  expect(retryAfterMs(header, NOW)).toBe(ms)
})

test.each(['61', '86400', '999999999999', 'Mon, 02 Mar 2026 12:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
  'caps %s: no server makes anybody wait for more than a minute',
  (header) => {
    expect(retryAfterMs(header, NOW)).toBe(MAX_WAIT_MS)
    expect(MAX_WAIT_MS).toBe(60_000)
  },
)

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
