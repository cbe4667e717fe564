import { array, assert, constantFrom, oneof, property, tuple } from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { flagNames } from '../../src/cli/input.ts'
import { readPlainly } from '../../src/cli/plain-input.ts'
import type { CommandSpec } from '../../src/cli/spec.ts'
import { readStrictly } from '../../src/cli/strict-input.ts'
import { TREE } from '../../src/commands/tree.ts'
import { tries } from '../support/tries.ts'

const LOADS = Object.values(TREE).flatMap((noun) => [
  ...(noun.load === undefined ? [] : [noun.load]),
  ...Object.values(noun.verbs ?? {}),
])
const SPECS: readonly CommandSpec[] = await Promise.all(LOADS.map(async (load) => (await load()).command))

/** What people and scripts type, well and badly, for one command. */
const lineFor = (spec: CommandSpec): Arbitrary<readonly string[]> => {
  const flag = constantFrom(...flagNames(spec))
  const value = constantFrom('500', 'pay_1', 'a=b', '', '-', '-1', 'ü', '10.00 EUR', 'false', '__proto__')
  const word = oneof(
    { weight: 6, arbitrary: flag.map((name) => `--${name}`) },
    { weight: 2, arbitrary: tuple(flag, value).map(([name, text]) => `--${name}=${text}`) },
    { weight: 6, arbitrary: value },
    {
      weight: 2,
      arbitrary: constantFrom('-p', '-o', '-q', '-v', '-y', '-n', '-h', '-V', '-d', '-qv', '-pshop', '-x'),
    },
    { weight: 1, arbitrary: constantFrom('--', '--wrong', '--js', '--no-json', '--input', '--no-final') },
  )
  return array(word, { maxLength: 6 })
}

const strictly = (spec: CommandSpec, words: readonly string[]): unknown => {
  try {
    return readStrictly(spec, words)
  } catch (error) {
    return error
  }
}

test.each(SPECS.map((spec) => [spec.path.join(' '), spec] as const))(
  'pay %s: what is read plainly is what commander reads',
  (_, spec) => {
    assert(
      property(lineFor(spec), (words) => {
        const plain = readPlainly(spec, words)
        if (plain !== undefined) expect(strictly(spec, words)).toEqual(plain)
      }),
      { numRuns: tries(100) },
    )
  },
)

describe('ordinary lines need no commander', () => {
  const words = SPECS.flatMap((spec) =>
    spec.examples.flatMap(({ line }) => {
      const typed = line.split(' ')
      // Of one word each: what a shell makes of quotes, pipes and variables is not known here.
      return /["'|$<>\\(]/.test(line) || typed[0] !== 'pay' || line.includes(' - ')
        ? []
        : [[line, spec, typed.slice(1).filter((word) => !spec.path.includes(word))] as const]
    }),
  )
  test('there are some', () => expect(words.length).toBeGreaterThan(20))
  test.each(words)('%s', (_, spec, typed) => {
    expect(readPlainly(spec, typed)).toEqual(strictly(spec, typed))
  })
})

test('a flag keeps its name, whatever commander calls it', () => {
  for (const spec of SPECS)
    for (const name of flagNames(spec)) {
      const read = [[`--${name}`], [`--${name}`, '500'], [`--no-${name}`]].map((words) =>
        strictly(spec, words),
      )
      const names = read.flatMap((one) => Object.keys(Object(Object(one).flags)))
      expect(names).toContain(name.replace(/^no-/, ''))
    }
})
