import {
  array,
  assert,
  constantFrom,
  letrec,
  nat,
  oneof,
  property,
  string,
  stringMatching,
  tuple,
} from 'fast-check'
import { parse } from 'lossless-json'
import { describe, expect, test } from 'vitest'
import { parseJson, stringifyJson } from '../../src/json/json.ts'
import { scaledRuns } from '../support/test-effort.ts'

function isRefused(read: () => unknown): boolean {
  try {
    read()
    return false
  } catch {
    return true
  }
}

describe('a response', () => {
  /** JSON as other programs write it: odd numbers, keys given twice, keys like indexes, escapes and spaces. */
  const { text: jsonText } = letrec<{ text: string }>((tie) => {
    const space = constantFrom('', '', ' ', '\n\t')
    const number = oneof(
      stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,20})?([eE][+-]?\d{1,3})?$/),
      constantFrom('-0', '1.0', '1.50', '1e5', '1E400', '0.1', '9007199254740993', '-0.0e-0'),
    )
    const words = oneof(
      string({ unit: 'binary' }).map((value) => JSON.stringify(value)),
      constantFrom('"\\\\"', '"\\""', '"1.0,"', '"[1e999,\\"1.0\\"]"', '"\\u0031\\/"', '"{[,:"'),
    )
    const key = oneof(words, constantFrom('"__proto__"', '"10"', '"9"', '"a"', '"\\u0061"', '"constructor"'))
    const list = array(tie('text'), { maxLength: 4 }).map((entries) => `[${entries.join(',')}]`)
    const record = array(tuple(key, space, tie('text')), { maxLength: 5 }).map(
      (fields) => `{${fields.map(([name, gap, value]) => `${name}${gap}:${value}`).join(',')}}`,
    )
    const value = oneof(
      { depthSize: 'small' },
      number,
      words,
      constantFrom('true', 'false', 'null'),
      list,
      record,
    )
    return { text: tuple(space, value, space).map((parts) => parts.join('')) }
  })

  const byLibrary = (text: string): unknown =>
    parse(text, undefined, {
      parseNumber: (digits) => parseJson(digits),
      onDuplicateKey: ({ newValue }) => newValue,
    })

  test('is read like lossless-json reads it', () => {
    assert(
      property(jsonText, (text) => {
        const value = parseJson(text, { duplicateKeys: 'last' })
        expect(stringifyJson(value)).toBe(stringifyJson(byLibrary(text)))
        expect(value).toEqual(byLibrary(text))
      }),
      { numRuns: scaledRuns(500) },
    )
  })

  test('is refused where lossless-json refuses it', () => {
    const damaged = tuple(
      jsonText,
      nat(),
      constantFrom('', '"', '}', ']', ',', ':', '\\', '\n', 'x', '1'),
    ).map(
      ([text, at, piece]) =>
        `${text.slice(0, at % text.length)}${piece}${text.slice((at % text.length) + 1)}`,
    )
    assert(
      property(damaged, (text) => {
        const isRefusedByUs = isRefused(() => parseJson(text, { duplicateKeys: 'last' }))
        expect(isRefusedByUs).toBe(isRefused(() => byLibrary(text)))
      }),
      { numRuns: scaledRuns(500) },
    )
  })

  test('has the key that its text has, also after a similar text', () => {
    parseJson(String.raw`{"x":0,"\\":{}}`, { duplicateKeys: 'last' })
    expect(parseJson(String.raw`{"x":0,"\u0061":{}}`, { duplicateKeys: 'last' })).toEqual({ x: 0, a: {} })
  })

  test('keeps each digit of one number among others', () => {
    const text = '{"10":1.50,"9":[1,-0],"a":"1.50","amount":700,"big":12345678901234567890}'
    expect(parseJson(text, { duplicateKeys: 'last' })).toEqual(byLibrary(text))
    expect(stringifyJson(parseJson(text, { duplicateKeys: 'last' }))).toContain('"10":1.50')
  })

  test('has an ordinary key __proto__, with odd numbers too', () => {
    const value = parseJson('{"__proto__":{"polluted":1.50}}', { duplicateKeys: 'last' })
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(stringifyJson(value)).toBe('{"__proto__":{"polluted":1.50}}')
  })
})
