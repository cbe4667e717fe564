import { expect, test } from 'vitest'
import { fieldAt, fieldOf, mergeDeep, numberAt, textAt } from '../../src/json/fields.ts'

const BODY = { order: { id: 'A-1', lines: [{ amount: 5 }] }, amount: 5 }

test.each([
  [['order', 'id'], 'A-1'],
  [['order', 'lines', 0, 'amount'], 5],
  [['order', 'lines', '0', 'amount'], 5],
  [['order', 'lines', 'length'], undefined],
  [['order', 'lines', 1, 'amount'], undefined],
  [['order', 'number'], undefined],
  [['amount', 'value'], undefined],
  [['constructor'], undefined],
  [[], BODY],
])('the value at %j is %j', (path, value) => {
  expect(fieldAt(BODY, path)).toEqual(value)
})

test('a field of another kind is undefined', () => {
  expect([textAt(BODY, 'amount'), numberAt(BODY, 'amount')]).toEqual([undefined, 5])
  expect([textAt(BODY.order, 'id'), numberAt(BODY.order, 'id')]).toEqual(['A-1', undefined])
  expect([fieldOf([1], 'length'), fieldOf(null, 'id'), fieldOf('A-1', 'length')]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('merges objects and replaces everything else', () => {
  const base = { a: { b: 1, c: [1, 2] }, d: 'kept' }
  expect(mergeDeep(base, { a: { c: [3] }, e: null })).toEqual({ a: { b: 1, c: [3] }, d: 'kept', e: null })
  expect(mergeDeep(base, { a: undefined })).toEqual(base)
  expect(mergeDeep({}, JSON.parse('{"__proto__":{"x":1}}'))).not.toHaveProperty('x')
})
