import { expect, test } from 'vitest'
import { isWorthwhile } from '../../src/http/v8-tuning.ts'

test.each([
  ['20.19.0', {}, true],
  ['21.7.3', {}, true],
  ['22.0.0', {}, false],
  ['26.1.0', {}, false],
  ['20.19.0', { PAY_NO_V8_TUNING: '1' }, false],
  ['20.19.0', { PAY_NO_V8_TUNING: '' }, true],
])('Node %s with %j: %s', (nodeVersion, env, expected) => {
  expect(isWorthwhile({ nodeVersion, env })).toBe(expected)
})
