import { expect, test } from 'vitest'
import { formatSpan } from '../../../../src/pages/dashboard/clock/format-span.ts'

test.each([
  [-5, '0s'],
  [999, '0s'],
  [59_999, '59s'],
  [3_599_000, '59m 59s'],
  [3_600_000, '1h'],
  [3_601_000, '1h'],
  [90_000_000, '1d 1h'],
  [86_460_000, '1d'],
])('%i ms is %s', (ms, text) => expect(formatSpan(ms)).toBe(text))
