import { expect, test } from 'vitest'
import { formatSpan, parseDuration } from '../../src/text/duration.ts'
import { UsageError } from '../../src/errors.ts'

test.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['2m', 120_000],
  ['25h', 90_000_000],
  ['1d', 86_400_000],
  ['1h30m', 5_400_000],
  ['36525d', 36_525 * 86_400_000],
])('%s is %i ms', (text, ms) => {
  expect(parseDuration(text, 'it')).toBe(ms)
})

test.each([
  '',
  '5',
  's',
  '-1s',
  '+1s',
  '1.5s',
  '1 s',
  '0s',
  '0h0m',
  '1S',
  '1w',
  '1hour',
  '36526d',
  '9999999999s',
])('refuses "%s" and names the flag', (text) => {
  const read = () => parseDuration(text, '--timeout')
  expect(read).toThrow(UsageError)
  expect(read).toThrow('--timeout takes a positive duration')
})

test.each(['24h', '47h59m', '2d', '7d', '2d1h1ms', '1h30m', '90d'])(
  '%s is written as it was read',
  (text) => {
    expect(formatSpan(parseDuration(text, 'it'))).toBe(text)
  },
)
