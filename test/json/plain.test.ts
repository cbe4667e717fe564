import { array, assert, constantFrom, letrec, nat, oneof, property, string, tuple } from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { LosslessNumber, parse, stringify } from 'lossless-json'
import { describe, expect, test } from 'vitest'
import { refuseDeepNesting, refuseDuplicatesAndDepth } from '../../src/json/check.ts'
import { parseJson, stringifyJson } from '../../src/json/json.ts'
import { isPlain, parsePlain } from '../../src/json/plain.ts'
import { tries } from '../support/tries.ts'

/** The same each time: what is counted below is no matter of luck. */
const RUNS = { numRuns: tries(600), seed: 1 }

/** The exact way: a number that may lose a digit is not met by the fast one. */
function parseExactly(text: string, refuseDuplicates: boolean): unknown {
  if (refuseDuplicates) refuseDuplicatesAndDepth(text)
  else refuseDeepNesting(text)
  return parse(text, undefined, {
    parseNumber: (digits) =>
      String(Number(digits)) === digits ? Number(digits) : new LosslessNumber(digits),
    onDuplicateKey: ({ newValue }) => newValue,
  })
}

/** Everything that can be told of a value: `toEqual` looks neither at the order of keys nor at `__proto__`. */
function tell(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tell)
  if (value instanceof LosslessNumber) return `number ${value.toString()}`
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 'minus zero' : [value]
  return [
    Object.getPrototypeOf(value) === Object.prototype,
    Object.entries(value).map(([k, v]) => [k, tell(v)]),
  ]
}

const space = constantFrom('', '', '', ' ', '\n', '\t', '\r\n  ')
const escapes = constantFrom(
  '\\\\',
  '\\"',
  '\\/',
  '\\b',
  '\\n',
  '\\u0041',
  '\\u0000',
  '\\u2028',
  '\\ud83d\\ude00',
  '\\uD83D',
  '\\ude00',
  '\\u005c',
  '\\u0022',
  'a',
  'b',
  ':',
  ',',
  '{',
  ']',
  '1e5',
  '[-0',
  ' ',
  'é',
  '\u2028',
  '\ud83d',
  '\udc00',
  '\u{1f600}',
  '\u007f',
)
const piece = oneof(
  { weight: 4, arbitrary: escapes },
  string({ maxLength: 3, unit: 'binary' }).map((text) => JSON.stringify(text).slice(1, -1)),
)
const written = array(piece, { maxLength: 6 }).map((pieces) => `"${pieces.join('')}"`)
const key = oneof(
  constantFrom(
    '"a"',
    '"b"',
    '"\\u0061"',
    '"__proto__"',
    '"constructor"',
    '"toJSON"',
    '"isLosslessNumber"',
    '"1"',
    '"0"',
    '""',
    '"a:"',
  ),
  written,
)
const number = oneof(
  nat().map(String),
  constantFrom(
    '0',
    '-0',
    '-1',
    '0.5',
    '-0.0',
    '1.0',
    '1e5',
    '1E2',
    '1e+21',
    '-0e1',
    '1e400',
    '5e-324',
    '999999999999999',
    '9999999999999999',
    '9007199254740993',
    '-9007199254740993',
    '123456789012345678901234567890',
  ),
)
/** No JSON, or nearly none. */
const broken = constantFrom(
  '',
  '01',
  '1.',
  '.5',
  '-',
  '+1',
  'nul',
  'NaN',
  "'a'",
  '"\\x"',
  '"\t"',
  '"',
  '[1,]',
  '{,}',
  '\u00a0',
  '\ufeff',
)

const inside = (pieces: readonly string[], [open, close]: readonly [string, string]) =>
  `${open}${pieces.join(',')}${close}`

function textWith(leaf: Arbitrary<string>): Arbitrary<string> {
  const { value } = letrec<{ value: string }>((tie) => {
    const spaced = tuple(space, tie('value'), space).map((parts) => parts.join(''))
    const member = tuple(space, key, space, space, tie('value'), space).map(
      ([a, name, b, c, child, d]) => `${a}${name}${b}:${c}${child}${d}`,
    )
    return {
      value: oneof(
        { maxDepth: 5, depthSize: 'medium' },
        leaf,
        array(spaced, { maxLength: 4 }).map((pieces) => inside(pieces, ['[', ']'])),
        array(member, { maxLength: 4 }).map((pieces) => inside(pieces, ['{', '}'])),
        array(member, { maxLength: 4 }).map((pieces) => inside(pieces, ['{', '}'])),
      ),
    }
  })
  return tuple(space, value, space).map((parts) => parts.join(''))
}

const word = constantFrom('true', 'false', 'null')
const plainText = textWith(oneof(word, nat().map(String), written))
const anyText = textWith(oneof(word, number, written))
const brokenText = textWith(oneof({ weight: 5, arbitrary: written }, { weight: 1, arbitrary: broken }))

describe.each([true, false])('with keys given twice refused: %s', (refuseDuplicates) => {
  test.each([
    ['ordinary', plainText],
    ['any', anyText],
    ['broken', brokenText],
  ])('%s text is read as the exact way reads it, or not at all', (_, texts) => {
    let answered = 0
    assert(
      property(texts, (text) => {
        const plain = parsePlain(text, { refuseDuplicates })
        if (plain === undefined) return
        answered += 1
        const exact = parseExactly(text, refuseDuplicates)
        expect(tell(plain.value)).toEqual(tell(exact))
        expect(stringify(plain.value)).toBe(stringify(exact))
        expect(stringifyJson(plain.value)).toBe(stringify(exact))
      }),
      RUNS,
    )
    // Else nothing was compared.
    expect(answered).toBeGreaterThan(RUNS.numRuns / 20)
  })

  test.each([199, 200, 201, 5000])('%i levels are read as the exact way reads them', (depth) => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const text = `${open.repeat(depth)}${open === '[' ? '' : '1'}${close.repeat(depth)}`
      const plain = parsePlain(text, { refuseDuplicates })
      expect(plain !== undefined).toBe(depth <= 200)
      if (plain === undefined) expect(() => parseExactly(text, refuseDuplicates)).toThrow('Nested deeper')
      else expect(stringifyJson(plain.value)).toBe(text)
    }
  })
})

test.each([
  ['any', anyText],
  ['broken', brokenText],
])('what the fast way leaves of %s text is read as the library reads it', (_, texts) => {
  const readBy = (read: () => unknown) => {
    try {
      return { value: tell(read()) }
    } catch (error) {
      return { isJson: false, isDuplicate: String(error).includes('given twice') }
    }
  }
  assert(
    property(texts, (text) => {
      for (const duplicateKeys of ['refuse', 'last'] as const)
        expect(readBy(() => bigintsAsText(parseJson(text, { duplicateKeys })))).toEqual(
          readBy(() => parseExactly(text, duplicateKeys === 'refuse')),
        )
    }),
    RUNS,
  )
})

/** As the library keeps them in these tests. */
function bigintsAsText(value: unknown): unknown {
  if (typeof value === 'bigint') return new LosslessNumber(String(value))
  if (Array.isArray(value)) return value.map(bigintsAsText)
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return value
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, bigintsAsText(child)]))
}

describe('the fast way answers', () => {
  test.each([
    '{"a":1,"b":[true,null,"x"],"c":{"a":-1}}',
    '[ 1 , 999999999999999 ] ',
    '{"a":"\\"b\\":1"}',
    '{"__proto__":{"a":1}}',
  ])('%s', (text) => {
    const plain = parsePlain(text, { refuseDuplicates: true })
    expect(plain).toBeDefined()
    expect(tell(plain?.value)).toEqual(tell(parseExactly(text, true)))
  })
})

describe('the fast way leaves to the exact one', () => {
  test.each([
    '1',
    '"a"',
    '[-0]',
    '[ -0]',
    '{"a":\n0.5}',
    '[1,1e5]',
    '[1234567890123456]',
    '[[1.0]]',
    '{"a" : 1E2}',
    '[',
  ])('%s', (text) => {
    expect(parsePlain(text, { refuseDuplicates: false })).toBeUndefined()
  })

  test.each([
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":1}',
    '[{"\\\\":{"b":1,"b" :1}}]',
    '{"__proto__":1,"__proto__":2}',
  ])('%s, unless the last one counts', (text) => {
    expect(parsePlain(text, { refuseDuplicates: true })).toBeUndefined()
    expect(tell(parsePlain(text, { refuseDuplicates: false })?.value)).toEqual(
      tell(parseExactly(text, false)),
    )
  })
})

describe('writing', () => {
  const { value: values } = letrec<{ value: unknown }>((tie) => ({
    value: oneof(
      { maxDepth: 5, depthSize: 'medium' },
      constantFrom<unknown>(
        undefined,
        null,
        true,
        0,
        -0,
        0.1,
        1e21,
        5e-324,
        Number.NaN,
        2 ** 53,
        '\ud83d',
        '\u2028',
        '"\\',
      ),
      constantFrom<unknown>(5n, 12_345_678_901_234_567_890n, new LosslessNumber('1.10')),
      string({ unit: 'binary' }),
      array(tie('value'), { maxLength: 4 }),
      array(tuple(constantFrom('a', 'b', '1', '', '__proto__', 'isLosslessNumber', '\udc00'), tie('value')), {
        maxLength: 4,
      }).map((entries) => Object.fromEntries(entries)),
    ),
  }))

  test.each([0, 2])('gives the text of the exact way with an indent of %i', (indent) => {
    let plain = 0
    assert(
      property(values, (value) => {
        // Where all values of an object are undefined, the library leaves an empty line.
        const exact = stringify(value, undefined, indent)?.replaceAll(/\{\n\n *\}/g, '{}')
        if (!isPlain(value)) return
        expect(stringifyJson(value, indent)).toBe(exact ?? 'null')
        plain += 1
        expect(JSON.stringify(value, undefined, indent)).toBe(exact)
      }),
      RUNS,
    )
    expect(plain).toBeGreaterThan(RUNS.numRuns / 20)
    expect(plain).toBeLessThan(RUNS.numRuns)
  })

  test.each([[5n], [[{ a: 5n }]], [{ a: [new LosslessNumber('1.0')] }], [{ ['__proto__']: 5n }]])(
    'leaves digits to the exact way: %#',
    (value) => {
      expect(isPlain(value)).toBe(false)
    },
  )

  test('reads back what it has written', () => {
    assert(
      property(anyText, (text) => {
        const value = parseJson(text, { duplicateKeys: 'last' })
        expect(tell(parseJson(stringifyJson(value)))).toEqual(tell(value))
      }),
      RUNS,
    )
  })
})
