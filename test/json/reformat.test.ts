import { assert, bigInt, constantFrom, jsonValue, property, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isJson, splitJsonItems, reformatJson } from '../../src/json/reformat.ts'

describe('reformatJson', () => {
  test.each([
    ['{}', '{}'],
    ['[ ]', '[]'],
    ['{"a":[]}', '{\n  "a": []\n}'],
    ['[1,{"a":{}},[[]]]', '[\n  1,\n  {\n    "a": {}\n  },\n  [\n    []\n  ]\n]'],
    [' "x" ', '"x"'],
    ['\uFEFF{"a":1}', '{\n  "a": 1\n}'],
  ])('lays out %j', (text, laidOut) => {
    expect(reformatJson(text, 2)).toBe(laidOut)
  })

  test('keeps the value in both layouts', () => {
    assert(
      property(jsonValue({ stringUnit: 'binary' }), constantFrom(0, 1, 3), (value, spaces) => {
        const text = JSON.stringify(value, undefined, spaces)
        expect(JSON.parse(reformatJson(text, 2))).toEqual(JSON.parse(text))
        expect(reformatJson(text, 2)).toBe(JSON.stringify(value, undefined, 2))
        expect(reformatJson(text, 0)).toBe(JSON.stringify(value))
      }),
    )
  })

  test('keeps every digit', () => {
    assert(
      property(tuple(bigInt(), bigInt({ min: 0n })), ([whole, decimals]) => {
        expect(reformatJson(`[ ${whole}.${decimals}0E+007 ]`, 0)).toBe(`[${whole}.${decimals}0E+007]`)
      }),
    )
  })

  test.each(['{"10":1,"9":2,"a":3,"1":4}', '{"a":1,"a":2,"a":1}', '{"a":"\\u0041\\/","__proto__":1.0}'])(
    'keeps order, duplicate keys and escapes: %s',
    (text) => {
      expect(reformatJson(reformatJson(text, 2), 0)).toBe(text)
    },
  )
})

test('deep nesting takes no more than 40 spaces a line', () => {
  const text = `${'['.repeat(199)}${'1,'.repeat(10_000)}1${']'.repeat(199)}`
  const formatted = reformatJson(text, 2)
  expect(formatted.length).toBeLessThan(25 * text.length)
  expect(reformatJson(formatted, 0)).toBe(text)
})

describe('isJson', () => {
  test.each(['', '{', '{"a":1', '<html>', '[1,]', '"a\nb"', '{"a" 1}', '['.repeat(100_000)])(
    'is false for %j',
    (text) => {
      expect(isJson(text)).toBe(false)
    },
  )

  test.each(['1', '{"a":1,"a":2}', '\uFEFF[]'])('%j', (text) => {
    expect(isJson(text)).toBe(true)
  })

  test('is false for nesting whose indent alone would exhaust the memory', () => {
    expect(isJson('['.repeat(100_000) + ']'.repeat(100_000))).toBe(false)
  })
})

test.each<[text: string, items: readonly string[] | undefined]>([
  ['[1, {"a": 2.0}, [ ]]', ['1', '{"a":2.0}', '[]']],
  ['[]', []],
  ['{"data": [{"id": "a,]"}, {"id":"b"}], "nextCursor": "x"}', ['{"id":"a,]"}', '{"id":"b"}']],
  ['{"data":[]}', []],
  ['{"\\u0064ata":[1]}', ['1']],
  ['{"data":[1],"data":[2]}', ['2']],
  ['{"data":[1],"data":3}', undefined],
  ['{"inner":{"data":[1]}}', undefined],
  ['{"x":"data","y":[1]}', undefined],
  ['{"data":{}}', undefined],
  ['{}', undefined],
  ['"data"', undefined],
  ['7', undefined],
])('splitJsonItems of %s is %j', (text, items) => {
  expect(splitJsonItems(text, 'data')).toEqual(items)
})

test('a long text is reformatted whole', () => {
  const value = { rows: Array.from({ length: 9_000 }, (_, row) => ({ row, ids: [`p-${row}`] })) }
  expect(reformatJson(JSON.stringify(value), 2)).toBe(JSON.stringify(value, undefined, 2))
  expect(reformatJson(JSON.stringify(value, undefined, 2), 0)).toBe(JSON.stringify(value))
})
