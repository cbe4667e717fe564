import { check } from 'recheck'
import { describe, expect, test } from 'vitest'
import { readPatterns } from './patterns.ts'
import type { Pattern } from './patterns.ts'
import { FILES, textOf } from './rooms.ts'

/** Texts for parts of a pattern that only the running program knows, by file and code. They stand for every value. */
const SAMPLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Any number of tokens and literals, of which only the zone has no longest text, and there is one zone at most.
  'rows/map/date-format.ts': {
    source: String.raw`([a-z]{3,9}\.?)[ \u00A0\u202F](\d\d?)x([a-z]{3,9})(\d{4})((?:[a-z_]+(?:/[a-z0-9_+-]+)+|[a-z]{2,5}))abc`,
  },
  // A number between tildes.
  'cli/guard/curl-command.ts': { marker: '~0~' },
}

const FOUND = FILES.map((path) => [path, readPatterns(path, textOf(path), SAMPLES[path])] as const)
const literalOf = ({ source, flags }: Pattern): string => `/${source}/${flags}`
const PATTERNS = new Map(
  FOUND.flatMap(([, { patterns }]) => patterns.map((pattern) => [literalOf(pattern), pattern] as const)),
)
const pathsOf = (literal: string): readonly string[] =>
  FOUND.filter(([, { patterns }]) => patterns.some((pattern) => literalOf(pattern) === literal)).map(
    ([path]) => path,
  )

/**
 * How the cost of a pattern grows, from an analysis or, for what that doesn't cover, from a search for the worst input. The
 * search counts steps: with the limits in time that are the default, it would call a pattern slow on a busy machine.
 */
async function growthOf({ source, flags }: Pattern): Promise<string> {
  const found = await check(source, flags, { attackLimit: STEPS, ...NO_TIME_LIMITS })
  return found.status === 'unknown' ? `unknown: ${found.error.kind}` : found.complexity.type
}

const STEPS = 100_000_000
const LONG_MS = 1_200_000
const NO_TIME_LIMITS = {
  timeout: LONG_MS,
  attackTimeout: LONG_MS,
  incubationTimeout: LONG_MS,
  seedingTimeout: LONG_MS,
}
const LINEAR = ['constant', 'linear', 'safe']

describe('regular expressions', () => {
  test('can be read from the source, or have samples', () => {
    const unread = FOUND.flatMap(([path, file]) => file.unread.map((code) => `${path}: ${code}`))
    expect(unread).toEqual([])
    const unused = Object.entries(SAMPLES).filter(([path, samples]) =>
      Object.keys(samples).some((code) => {
        const { [code]: _, ...others } = samples
        return readPatterns(path, textOf(path), others).unread.length === 0
      }),
    )
    expect(unused).toEqual([])
  })

  test(
    'take a time that grows linearly with the length of the text',
    async () => {
      const checked = await Promise.all(
        [...PATTERNS].map(async ([literal, pattern]) => ({ literal, growth: await growthOf(pattern) })),
      )
      const slow = checked.filter(({ growth }) => !LINEAR.includes(growth))
      expect(
        slow.map(({ literal, growth }) => `${pathsOf(literal).join(', ')}: ${growth}: ${literal}`),
      ).toEqual([])
    },
    LONG_MS,
  )
})

describe('the rules themselves', () => {
  test.each([
    [String.raw`const a = /x\/y/gi`, [String.raw`/x\/y/gi`]],
    ["new RegExp('a+', 'u')", ['/a+/u']],
    ["RegExp('a' + 'b')", ['/ab/']],
    ["const A = 'a'\nnew RegExp(`^${A}$`, 'g')", ['/^a$/g']],
    ['export const A = String.raw`\\d`\nnew RegExp(A)', [String.raw`/\d/`]],
    ["text.match('a.b')", ['/a.b/']],
    ['text.match(/a/)', ['/a/']],
    ['text.match(pattern)', []],
    ["const text = '/a+/'", []],
  ])('find the patterns in %j', (code, literals) => {
    const { patterns, unread } = readPatterns('x.ts', code)
    expect(patterns.map(literalOf)).toEqual(literals)
    expect(unread).toEqual([])
  })

  test('find a constructor that cannot be read, and take a sample for it', () => {
    const code = 'const a = (name: string) => new RegExp(`^${name}$`)'
    expect(readPatterns('x.ts', code)).toEqual({ patterns: [], unread: ['new RegExp(`^${name}$`)'] })
    expect(readPatterns('x.ts', code, { name: 'b' })).toEqual({
      patterns: [{ source: '^b$', flags: '' }],
      unread: [],
    })
  })

  test.each([
    ['^a+b', '', 'linear'],
    ['^(a|b)*$', '', 'linear'],
    [String.raw`(?<!\/)\/+$`, '', 'safe'],
    [String.raw`\/+$`, '', 'polynomial'],
    ['([^&=]+)=([^&]*)', 'g', 'polynomial'],
    [String.raw`\B(?=(?:\d{3})+$)`, 'g', 'polynomial'],
    ['^(a+)+$', '', 'exponential'],
    ['(', '', 'unknown: invalid'],
  ])('see how the cost of /%s/%s grows: %s', async (source, flags, growth) => {
    expect(await growthOf({ source, flags })).toBe(growth)
  })
})
