import { expect, test } from 'vitest'
import { isLoopback } from '../../src/text/loopback.ts'

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['::1', true],
  ['[::1]', true],
  ['127.0.0.256', false],
  ['127.example.com', false],
  ['shop.localhost', false],
  ['localhost.example.com', false],
  ['192.168.0.1', false],
])('%s is this machine: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})
