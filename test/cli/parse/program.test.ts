import { array, assert, asyncProperty, constantFrom, oneof, shuffledSubarray, tuple } from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { flagNames } from '../../../src/cli/command/input.ts'
import { readLine } from '../../../src/cli/parse/program.ts'
import type { CommandSpec, Tree } from '../../../src/cli/command/spec.ts'
import { TREE } from '../../../src/commands/tree.ts'
import { UsageError } from '../../../src/errors.ts'
import { scaledRuns } from '../../support/test-effort.ts'

const LOADS = Object.values(TREE).flatMap((noun) => [
  ...(noun.load === undefined ? [] : [noun.load]),
  ...Object.values(noun.verbs ?? {}),
])
const SPECS: readonly CommandSpec[] = await Promise.all(LOADS.map(async (load) => (await load()).command))

const wordsOf = (line: string): readonly string[] => (line === '' ? [] : line.split(' '))

/** What a line is read as, or why it is refused. */
async function read(words: readonly string[]): Promise<unknown> {
  try {
    const line = await readLine(TREE, words)
    switch (line.kind) {
      case 'command':
        return { command: line.spec.path.join(' '), ...line.input }
      case 'help':
        return { help: line.page.spec?.path.join(' ') ?? line.page.name(), isShort: line.isShort }
      case 'version':
        return 'version'
    }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const { code, message, details } = error
    return { code, message, hint: details.hint, next: details.next }
  }
}

const AFTER_NAME = 'Flags of a command come after its name: pay <noun> <verb> [ARG] [options]'

describe('a refused line', () => {
  test.each([
    // What commander hands to unknownOption()
    [
      'payment get p1 --bogus SECRET',
      'unknown_flag',
      'There is no flag --bogus',
      undefined,
      'pay payment get --help',
    ],
    [
      'payment refund p1 --amnt 5',
      'unknown_flag',
      'There is no flag --amnt',
      'Did you mean --amount?',
      'pay payment refund --help',
    ],
    ['payment get p1 --js', 'unknown_flag', 'There is no flag --js', undefined, 'pay payment get --help'],
    [
      'payment get -xyz',
      'unknown_flag',
      'There is no such flag as -xyz',
      'If it is the ID, put it last, behind --',
      'pay payment get --help',
    ],
    ['payment get p1 --json=1', 'bad_value', '--json takes no value', undefined, 'pay payment get --help'],
    [
      'payment capture p1 --no-final=no',
      'bad_value',
      '--no-final takes no value',
      undefined,
      'pay payment capture --help',
    ],
    ['--json=x payment get p1', 'bad_value', '--json takes no value', undefined, 'pay --help'],
    [
      '--profle x payment get p1',
      'unknown_flag',
      'There is no global flag --profle',
      'Did you mean --profile?',
      'pay --help',
    ],
    [
      '--amount 500 payment refund p1',
      'unknown_flag',
      'There is no global flag --amount',
      AFTER_NAME,
      'pay --help',
    ],
    [
      'payment --final capture p1',
      'unknown_flag',
      'There is no global flag --final',
      AFTER_NAME,
      'pay --help',
    ],
    ['-zz foo', 'unknown_flag', 'There is no global flag -zz', AFTER_NAME, 'pay --help'],
    ['--bogus', 'unknown_flag', 'There is no flag --bogus', undefined, 'pay --help'],
    [
      '-help',
      'unknown_flag',
      'There is no such flag as what was typed',
      'Did you mean --help?',
      'pay --help',
    ],
    // unknownCommand()
    [
      'foo',
      'unknown_command',
      'There is no command "pay foo"',
      'pay --help lists what there is',
      'pay --help',
    ],
    [
      'foo --help',
      'unknown_command',
      'There is no command "pay foo"',
      'pay --help lists what there is',
      'pay --help',
    ],
    [
      'payment foo --bogus',
      'unknown_command',
      'There is no command "pay payment foo"',
      'pay payment --help lists what there is',
      'pay payment --help',
    ],
    [
      'payment refnd p1',
      'unknown_command',
      'There is no command "pay payment refnd"',
      'Did you mean "pay payment refund"?',
      'pay payment refund --help',
    ],
    // optionMissingArgument()
    [
      'payment list --limit',
      'usage',
      "Option '--limit' argument missing",
      undefined,
      'pay payment list --help',
    ],
    [
      'payment list -o',
      'usage',
      "Option '-o, --output' argument missing",
      undefined,
      'pay payment list --help',
    ],
    ['--profile', 'usage', "Option '-p, --profile' argument missing", undefined, 'pay --help'],
    // Its code commander.excessArguments
    [
      'payment get p1 p2',
      'usage',
      'Too many arguments. Expected 1 argument but got 2.',
      undefined,
      'pay payment get --help',
    ],
    [
      'payment list p1',
      'usage',
      'Too many arguments. Expected 0 arguments but got 1.',
      undefined,
      'pay payment list --help',
    ],
    [
      'payment get p1 -- --json',
      'usage',
      'Too many arguments. Expected 1 argument but got 2.',
      undefined,
      'pay payment get --help',
    ],
  ])('pay %s: %s, %s', async (line, code, message, hint, next) => {
    expect(await read(wordsOf(line))).toEqual({ code, message, hint, next: [next] })
  })

  test.each([
    ['payment get p1 --timeout 1s --timeout 2s', '--timeout is given twice'],
    ['--timeout 1s payment get p1 --timeout 2s', '--timeout is given twice'],
    ['--timeout 1s payment --timeout 1s get p1', '--timeout is given twice'],
    ['--reason a payment refund p1 --reason b', '--reason is given twice'],
    ['payment get p1 -o json --output=json', '--output is given twice'],
    ['payment capture p1 --final --no-final', '--final and --no-final contradict each other'],
    ['payment capture p1 --no-final --final', '--final and --no-final contradict each other'],
    ['profile set x --no-read-only -q --read-only', '--read-only and --no-read-only contradict each other'],
  ])('pay %s: %s', async (line, message) => {
    expect(await read(wordsOf(line))).toMatchObject({ code: 'given_twice', message })
  })

  test.each([
    ['--client-token SECRET session get'],
    ['session --client-token SECRET get'],
    ['--api-key=SECRET payment list'],
    ['payment list --api-key=SECRET'],
    ['payment list --api-key SECRET'],
    ['-SECRET instrument delete'],
    ['instrument -SECRET delete'],
    ['instrument delete -SECRET'],
    ['instrument delete -vSECRET'],
    ['instrument delete SECRET SECRET2'],
    ['instrument delete SECRET --bogus SECRET2'],
    ['instrument vault --bogus=SECRET'],
    ['session get --client-token SECRET --client-token SECRET2'],
  ])('repeats no secret: pay %s', async (line) => {
    const refused = await read(wordsOf(line))
    expect(refused).toHaveProperty('code')
    expect(JSON.stringify(refused)).not.toContain('SECRET')
  })

  test('repeats no secret that was typed in one word with its flag', async () => {
    for (const words of [
      ['--client-token SECRET', 'session', 'get'],
      ['session', '--client-token SECRET', 'get'],
    ])
      expect(JSON.stringify(await read(words))).not.toContain('SECRET')
  })
})

describe('a line that is read', () => {
  test.each([
    ['payment get p1', { command: 'payment get', args: { ID: 'p1' }, flags: { input: true } }],
    ['-qp shop payment get p1', { args: { ID: 'p1' }, flags: { quiet: true, profile: 'shop', input: true } }],
    [
      '-ojson payment -pshop get -qv p1',
      { flags: { output: 'json', profile: 'shop', quiet: true, verbose: true, input: true } },
    ],
    ['--no-input payment get p1', { flags: { input: false } }],
    ['payment --no-input get p1', { flags: { input: false } }],
    ['--reason a payment refund p1', { flags: { reason: 'a', input: true, validate: true } }],
    [
      '--base-url https://a.example profile add x',
      { flags: { 'base-url': 'https://a.example', input: true } },
    ],
    ['payment refund p1 --reason --dry-run', { flags: { reason: '--dry-run', input: true, validate: true } }],
    ['--profile --json payment get p1', { flags: { profile: '--json', input: true } }],
    ['payment list --limit -5', { args: {}, flags: { limit: '-5', input: true } }],
    ['payment get -5', { args: { ID: '-5' } }],
    ['payment get -', { args: { ID: '-' } }],
    ['payment get -- --json', { args: { ID: '--json' }, flags: { input: true } }],
    ['payment get --json -- --help', { args: { ID: '--help' }, flags: { json: true, input: true } }],
    ['-- payment get --json', { command: 'payment get', args: { ID: '--json' } }],
    ['payment create --set a=1 --set=b=2', { flags: { set: ['a=1', 'b=2'], input: true, validate: true } }],
    ['payment create --set a=1 --no-validate', { flags: { set: ['a=1'], input: true, validate: false } }],
    ['payment capture p1 --final --final', { flags: { final: true, input: true, validate: true } }],
    ['payment capture p1 --no-final', { flags: { final: false, input: true, validate: true } }],
    ['obs template', { command: 'observability template' }],
    ['whoami --json --json', { command: 'whoami', flags: { json: true, input: true } }],
  ])('pay %s', async (line, input) => {
    expect(await read(wordsOf(line))).toMatchObject(input)
  })

  test.each([
    ['', { help: 'pay', isShort: true }],
    ['--sandbox', { help: 'pay', isShort: true }],
    ['-h', { help: 'pay', isShort: true }],
    ['--help', { help: 'pay', isShort: false }],
    ['--version --help', { help: 'pay', isShort: false }],
    ['payment', { help: 'payment', isShort: true }],
    ['obs --json', { help: 'observability', isShort: true }],
    ['--help payment refund', { help: 'payment refund', isShort: false }],
    ['payment -h refund p1 p2 --bogus', { help: 'payment refund', isShort: true }],
    ['payment refund p1 --reason --help', { help: 'payment refund', isShort: false }],
    ['payment refund p1 --amount -h', { help: 'payment refund', isShort: true }],
    ['-h whoami --help', { help: 'whoami', isShort: false }],
    ['--bogus --help', { help: 'pay', isShort: false }],
    ['-V', 'version'],
    ['-yV', 'version'],
    ['payment --version', 'version'],
    ['payment get --version', 'version'],
  ])('pay %s asks for help or the version', async (line, asked) => {
    expect(await read(wordsOf(line))).toEqual(asked)
  })

  test('loads no more than the named command', async () => {
    const command: CommandSpec = { path: ['a', 'b'], summary: '', examples: [{ says: '', line: '' }] }
    const never = () => Promise.reject(new Error('loaded'))
    const tree: Tree = {
      a: { summary: '', verbs: { b: () => Promise.resolve({ command }), c: never } },
      d: { summary: '', load: never },
    }
    expect(await readLine(tree, ['a', 'b'])).toMatchObject({ kind: 'command', spec: command })
    expect(await readLine(tree, ['a'])).toMatchObject({ kind: 'help' })
    expect(await readLine(tree, ['--help'])).toMatchObject({ kind: 'help' })
  })
})

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
  'pay %s: any line is read, or refused as one of the person who typed it',
  async (_, spec) => {
    await assert(
      asyncProperty(lineFor(spec), async (words) => {
        await read(words)
      }),
      { numRuns: scaledRuns(50) },
    )
  },
)

test('global options mean the same wherever they stand', async () => {
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

test('a flag keeps its name, whatever commander calls it', async () => {
  for (const spec of SPECS)
    for (const name of flagNames(spec)) {
      if (name === 'help' || name === 'version') continue
      const lines = [[`--${name}`], [`--${name}`, '500'], [`--no-${name}`]]
      const found = await Promise.all(lines.map((words) => read([...spec.path, ...words])))
      const names = found.flatMap((one) => Object.keys(Object(Object(one).flags)))
      expect(names).toContain(name.replace(/^no-/, ''))
    }
})
