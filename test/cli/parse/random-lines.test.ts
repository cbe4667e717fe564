import { array, assert, asyncProperty, constantFrom, oneof, shuffledSubarray, tuple } from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { expect, test } from 'vitest'
import { flagNames } from '../../../src/cli/parse/command-flags.ts'
import type { CommandSpec } from '../../../src/cli/command/spec.ts'
import { SPECS, read } from './read-words.ts'
import { scaledRuns } from '../../support/test-effort.ts'

/** Random lines for one command, correct and incorrect. */
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
  return tuple(
    array(word, { maxLength: 2 }),
    array(word, { maxLength: 2 }),
    array(word, { maxLength: 6 }),
  ).map(([first, between, last]) =>
    spec.path.length === 1
      ? [...first, ...spec.path, ...last]
      : [...first, spec.path[0], ...between, ...spec.path.slice(1), ...last],
  )
}

test.each(SPECS.map((spec) => [spec.path.join(' '), spec] as const))(
  'pay %s: any line is accepted or refused with a usage error',
  async (_, spec) => {
    await assert(
      asyncProperty(lineFor(spec), async (words) => {
        await read(words)
      }),
      { numRuns: scaledRuns(20) },
    )
  },
)

test('the position of global options does not matter', async () => {
  const groups = [
    ['--profile', 'a'],
    ['-o=json'],
    ['-q'],
    ['--no-input'],
    ['--timeout=5s'],
    ['--query', '-x'],
  ]
  const whole = groups.flat()
  const expected = await read(['payment', 'refund', 'p1', '--reason', 'b', ...whole])
  expect(expected).toMatchObject({ command: 'payment refund', flags: { input: false, query: '-x' } })
  await assert(
    asyncProperty(
      shuffledSubarray(groups, { minLength: groups.length }),
      array(constantFrom(0, 1, 2, 3), { minLength: groups.length, maxLength: groups.length }),
      async (all, places) => {
        const at = (place: number) => all.flatMap((group, index) => (places[index] === place ? group : []))
        const words = [...at(0), 'payment', ...at(1), 'refund', ...at(2), 'p1', '--reason', 'b', ...at(3)]
        expect(await read(words)).toEqual(expected)
      },
    ),
    { numRuns: scaledRuns(100) },
  )
})
