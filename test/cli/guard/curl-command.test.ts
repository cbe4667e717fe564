import { assert, constantFrom, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { createMarker } from '../../../src/cli/guard/curl-command.ts'

test('a marker for placeholders does not occur in the request', () => {
  assert(
    property(string({ unit: constantFrom('~', '0', '1', '~0~', '~1~2~', 'x') }), (text) => {
      expect(text).not.toContain(createMarker(text))
    }),
  )
})

test('a marker stays short, however many tildes the request has', () => {
  expect(createMarker('~'.repeat(1000))).toBe('~0~')
})
