import { assert, bigInt, jsonValue, oneof, property, stringMatching, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonError } from '../../src/json/json-error.ts'
import { isLosslessNumber, parseJson, plainNumber, stringifyJson } from '../../src/json/json.ts'

const failure = (text: string): JsonError => {
  try {
    parseJson(text)
  } catch (error) {
    if (error instanceof JsonError) return error
    throw error
  }
  throw new Error(`was taken: ${text}`)
}

describe('numbers', () => {
  test.each([
    ['700', 700],
    ['-1', -1],
    ['0.5', 0.5],
    ['1e+21', 1e21],
    ['12345678901234567890', 12_345_678_901_234_567_890n],
    ['9007199254740993', 9_007_199_254_740_993n],
    ['-100000000000000000000000', -100_000_000_000_000_000_000_000n],
  ])('reads %s exactly', (text, value) => {
    expect(parseJson(text)).toBe(value)
  })

  test.each(['1.0', '-0', '1E2', '0.1000', '1e400', '3.141592653589793238462643'])(
    'keeps the text of %s where JavaScript would write it otherwise',
    (text) => {
      const value = parseJson(text)
      expect(isLosslessNumber(value)).toBe(true)
      expect(stringifyJson(value)).toBe(text)
    },
  )

  test('writes back every digit it has read', () => {
    const integer = bigInt().map(String)
    const decimal = tuple(bigInt(), stringMatching(/^\d{1,30}$/)).map(([a, b]) => `${a}.${b}`)
    assert(
      property(oneof(integer, decimal), (digits) => {
        expect(stringifyJson(parseJson(`{"amount":${digits}}`))).toBe(`{"amount":${digits}}`)
      }),
    )
  })
})

test.each([
  ['1.10', 1.1],
  ['1E2', 100],
  ['1e400', undefined],
  ['0.12345678901234567890', undefined],
])('the plain number of %s is %s', (text, number) => {
  const value = parseJson(text)
  expect(isLosslessNumber(value) && plainNumber(value)).toBe(number)
})

describe('values', () => {
  test('agree with JSON.parse for all that both can hold', () => {
    assert(
      property(jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = JSON.stringify(value)
        expect(JSON.parse(stringifyJson(parseJson(text)))).toEqual(JSON.parse(text))
      }),
    )
  })

  test('keep __proto__ as a key of their own', () => {
    const value = parseJson('{"__proto__":{"polluted":true}}')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(stringifyJson(value)).toBe('{"__proto__":{"polluted":true}}')
  })

  test('may follow a byte order mark', () => {
    expect(parseJson('\uFEFF{"a":1}')).toEqual({ a: 1 })
  })

  test('are written over several lines with an indent', () => {
    expect(stringifyJson({ a: [1n] }, 2)).toBe('{\n  "a": [\n    1\n  ]\n}')
  })

  test('are written as null where JSON has no form for them', () => {
    expect(stringifyJson(undefined)).toBe('null')
  })
})

describe('refusals', () => {
  test.each([
    ['', 'No JSON: the text is empty at line 1, column 1'],
    [' \n ', 'No JSON: the text is empty at line 1, column 1'],
    ['{"a":1\n,x}', "No JSON: Quoted object key expected but got 'x' at line 2, column 2"],
    ['{"a":', "No JSON: Object value expected after ':' at line 1, column 6"],
    ['[1,]', "No JSON: Array item expected but got ']' at line 1, column 4"],
    ['nul', "No JSON: JSON value expected but got 'n' at line 1, column 1"],
    ['"abc', "No JSON: End of string '\"' expected but reached end of input at line 1, column 5"],
    ['{} x', "No JSON: Expected end of input but got 'x' at line 1, column 4"],
    ['-', "No JSON: Invalid number '-', expecting a digit but reached end of input at line 1, column 2"],
    ['}{', "No JSON: JSON value expected but got '}' at line 1, column 1"],
    ['1:2', "No JSON: Expected end of input but got ':' at line 1, column 2"],
    ['{"\\x":1}', "No JSON: Invalid escape character '\\x' at line 1, column 3"],
    ['":":', "No JSON: Expected end of input but got ':' at line 1, column 4"],
  ])('%j is %s', (text, message) => {
    expect(failure(text).message).toBe(message)
  })

  test.each(['{"amount":1,"amount":2}', '{"amount":1,"amount":1}', '{"amount":1,"\\u0061mount":1}'])(
    'a key given twice is refused, whatever its values: %s',
    (text) => {
      expect(failure(text).message).toBe('Key "amount" is given twice: the second one at line 1, column 13')
    },
  )

  test('the last of two equal keys counts where an answer is read', () => {
    expect(parseJson('{"a":1,"a":{"b":2}}', { duplicateKeys: 'last' })).toEqual({ a: { b: 2 } })
    expect(() => parseJson('['.repeat(300), { duplicateKeys: 'last' })).toThrow(JsonError)
  })

  test('the same key in two objects is no duplicate', () => {
    expect(parseJson('[{"a":1},{"a":{"a":"a"}}]')).toEqual([{ a: 1 }, { a: { a: 'a' } }])
  })

  test('200 levels are taken and 201 are refused', () => {
    expect(() => parseJson('['.repeat(200) + ']'.repeat(200))).not.toThrow()
    expect(failure('['.repeat(201) + ']'.repeat(201)).message).toBe(
      'Nested deeper than 200 levels at line 1, column 201',
    )
  })

  test('a million levels are an error and no stack overflow', () => {
    expect(failure('{"a":'.repeat(1_000_000)).message).toContain('Nested deeper than 200 levels')
  })

  test('brackets inside strings do not count as nesting', () => {
    expect(parseJson(JSON.stringify('['.repeat(500)))).toBe('['.repeat(500))
  })

  test('the place is told in numbers too', () => {
    expect(failure('{\n  "a": }')).toMatchObject({ position: 9, line: 2, column: 8 })
  })
})
