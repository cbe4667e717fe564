import {
  assert,
  bigInt,
  constantFrom,
  jsonValue,
  nat,
  oneof,
  property,
  stringMatching,
  tuple,
} from 'fast-check'
import { parse } from 'lossless-json'
import { describe, expect, test } from 'vitest'
import { JsonError } from '../../src/json/json-error.ts'
import { isLosslessNumber, parseJson, toPlainNumber, stringifyJson } from '../../src/json/json.ts'
import { scaledRuns } from '../support/test-effort.ts'

const failure = (text: string, duplicateKeys: 'refuse' | 'last' = 'refuse'): JsonError => {
  try {
    parseJson(text, { duplicateKeys })
  } catch (error) {
    if (error instanceof JsonError) return error
    throw error
  }
  throw new Error(`was accepted: ${text}`)
}

const messageOf = (read: () => unknown): string | undefined => {
  try {
    read()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
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
    'keeps %s as text, which JavaScript would write differently',
    (text) => {
      const value = parseJson(text)
      expect(isLosslessNumber(value)).toBe(true)
      expect(stringifyJson(value)).toBe(text)
    },
  )

  test('writes every digit it read', () => {
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
  expect(isLosslessNumber(value) && toPlainNumber(value)).toBe(number)
})

describe('values', () => {
  test('agree with JSON.parse on every value that both can represent', () => {
    assert(
      property(jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = JSON.stringify(value)
        expect(JSON.parse(stringifyJson(parseJson(text)))).toEqual(JSON.parse(text))
      }),
    )
  })

  test('keep __proto__ as an ordinary key', () => {
    const value = parseJson('{"__proto__":{"polluted":true}}')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(stringifyJson(value)).toBe('{"__proto__":{"polluted":true}}')
  })

  test('may follow a byte order mark', () => {
    expect(parseJson('\uFEFF{"a":1}')).toEqual({ a: 1 })
  })

  test('are written on several lines with an indent', () => {
    expect(stringifyJson({ a: [1n] }, 2)).toBe('{\n  "a": [\n    1\n  ]\n}')
  })

  test('are written as null if JSON cannot represent them', () => {
    expect(stringifyJson(undefined)).toBe('null')
  })
})

describe('refusals', () => {
  test.each([
    ['', 'The text is empty at line 1, column 1'],
    [' \n ', 'The text is empty at line 1, column 1'],
    ['{"a":1\n,x}', 'Unexpected "x" at line 2, column 2'],
    ['{"a":', 'Unexpected end of the text at line 1, column 6'],
    ['{"a"}', 'Unexpected "}" at line 1, column 5'],
    ['{1:2}', 'Unexpected "1" at line 1, column 2'],
    ['[1,]', 'Unexpected "]" at line 1, column 4'],
    ['[1}', 'Unexpected "}" at line 1, column 3'],
    ['[01]', 'Unexpected "1" at line 1, column 3'],
    ['nul', 'Unexpected "n" at line 1, column 1'],
    ['"abc', 'Unexpected end of the text at line 1, column 5'],
    ['{} x', 'Unexpected "x" at line 1, column 4'],
    ['-', 'Unexpected "-" at line 1, column 1'],
    ['}{', 'Unexpected "}" at line 1, column 1'],
    ['1:2', 'Unexpected ":" at line 1, column 2'],
    ['{"\\x":1}', 'Unexpected "\\\\" at line 1, column 3'],
    ['["a\tb"]', 'Unexpected "\\t" at line 1, column 4'],
    ['":":', 'Unexpected ":" at line 1, column 4'],
  ])('%j: %s', (text, message) => {
    expect(failure(text).message).toBe(message)
  })

  test('the position is where lossless-json stops, within one token', () => {
    const broken = tuple(
      jsonValue(),
      nat(),
      constantFrom('', '"', '}', ']', ',', ':', '\\', '\n', 'x', '1'),
    ).map(([value, at, piece]) => {
      const text = JSON.stringify(value)
      return `${text.slice(0, at % text.length)}${piece}${text.slice((at % text.length) + 1)}`
    })
    let compared = 0
    assert(
      property(broken, (text) => {
        const message = messageOf(() =>
          parse(text, undefined, { onDuplicateKey: ({ newValue }) => newValue }),
        )
        if (message === undefined) return
        const stopped = Number(/at position (\d+)$/.exec(message)?.[1])
        const { position } = failure(text, 'last')
        compared += 1
        expect(position).toBeLessThanOrEqual(stopped)
        // The text before it is a valid beginning.
        expect(text.slice(position, stopped)).toMatch(/^(?:[-+.\deE]*|\\u?[\da-f]{0,3})$/i)
      }),
      { numRuns: scaledRuns(500), seed: 1 },
    )
    expect(compared).toBeGreaterThan(100)
  })

  test.each(['{"amount":1,"amount":2}', '{"amount":1,"\\u0061mount":2}', '{"amount":1,"amount":1.0}'])(
    'refuses a duplicate key: %s',
    (text) => {
      expect(failure(text).message).toBe('Key "amount" is given twice: the second one at line 1, column 13')
    },
  )

  test('accepts a duplicate key with the same value', () => {
    expect(parseJson('{"amount":1,"amount":1}')).toEqual({ amount: 1 })
  })

  test('the last of two equal keys counts with duplicateKeys: last', () => {
    expect(parseJson('{"a":1,"a":{"b":2}}', { duplicateKeys: 'last' })).toEqual({ a: { b: 2 } })
    expect(() => parseJson('['.repeat(300), { duplicateKeys: 'last' })).toThrow(JsonError)
  })

  test('the same key in two objects is not a duplicate', () => {
    expect(parseJson('[{"a":1},{"a":{"a":"a"}}]')).toEqual([{ a: 1 }, { a: { a: 'a' } }])
  })

  test('accepts 200 levels and refuses 201', () => {
    expect(() => parseJson('['.repeat(200) + ']'.repeat(200))).not.toThrow()
    expect(failure('['.repeat(201) + ']'.repeat(201)).message).toBe(
      'Nested deeper than 200 levels at line 1, column 201',
    )
  })

  test('a million levels are an error, not a stack overflow', () => {
    expect(failure('{"a":'.repeat(1_000_000)).message).toContain('Nested deeper than 200 levels')
  })

  test('brackets inside strings do not count as nesting', () => {
    expect(parseJson(JSON.stringify('['.repeat(500)))).toBe('['.repeat(500))
  })

  test('has the position as numbers', () => {
    expect(failure('{\n  "a": }')).toMatchObject({ position: 9, line: 2, column: 8 })
  })
})
