import { expect, test } from 'vitest'
import { isTorn, mayHaveValue } from '../../../src/ledger/files/damaged-line.ts'
import { ONCE, REFUND, REFUSED, createLedgerBench } from '../ledger-bench.ts'
import { rewrite } from '../damage-bench.ts'

test.each([
  ['', true],
  ['\0\0\0', true],
  ['{"i', true],
  ['{"id":"op-1","operation":"pay', true],
  ['{"id":"op-1","operation":"pay\0\0', true],
  ['{"id":"op-1","checksum":"0123', true],
  ['{"id":"op-1","checksum":"0123456789abcdef0123456789abcdef"', true],
  ['{"id":"op-1","checksum":"0123456789abcdef0123456789abcdef"}', false],
  ['{"id":"op-1","checksum":"0123456789abcdef0123456789abcdef"]', false],
  ['{"id":"op-1"}', false],
  ['zid":"op-1","operation":"pay', false],
])('%j is cut short: %s', (line, expected) => {
  expect(isTorn(line)).toBe(expected)
})

test('a line is cut short when a whole record follows in the same line', async () => {
  const bench = createLedgerBench()
  await (await bench.process().ledger.begin(REFUND, ONCE)).settle(REFUSED)
  let line = ''
  rewrite(bench, (text) => {
    line = text.trim()
    return text
  })
  expect(isTorn(`{"id":"op-0","oper${line}`)).toBe(true)
  expect(isTorn(`{"id":"op-0","oper${line.replace('rejected', 'abandoned')}`)).toBe(false)
})

test.each([
  ['{"target":"p1"}', true],
  ['{"target":"p2"}', true],
  ['{"target":"something-else"}', false],
  ['{"target":"something-else"}{"target":"p1"}', true],
  ['{"target":null}', false],
  ['{"targeT":"something-else"}', true],
  ['{"target":"\0\0\0\0\0\0\0\0"}', true],
  ['{"target":"something', true],
])('%s may be on p1: %s', (line, expected) => {
  expect(mayHaveValue(line, 'target', 'p1')).toBe(expected)
})
