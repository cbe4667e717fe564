import { describe, expect, test } from 'vitest'
import { read, wordsOf } from './read-words.ts'

const AFTER_NAME = 'Options of a command come after its name: pay <noun> <verb> [ARG] [options]'

const KEY_HINT =
  'Never put the key on the command line: set PAY_API_KEY or PAY_API_KEY_FILE, or store it in a profile.'

describe('a refused line', () => {
  test.each([
    [
      'payment list --api-key SECRET',
      'unknown_flag',
      'There is no flag --api-key',
      KEY_HINT,
      'pay payment list --help',
    ],
    [
      '--api-key=SECRET payment list',
      'unknown_flag',
      'There is no global flag --api-key',
      KEY_HINT,
      'pay --help',
    ],
    // commander's unknownOption()
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
    [
      'payment get p1 --js',
      'unknown_flag',
      'There is no flag --js',
      'Did you mean --json?',
      'pay payment get --help',
    ],
    [
      'payment get -xyz',
      'unknown_flag',
      'There is no flag -xyz',
      'If it is the ID, put it last, after --',
      'pay payment get --help',
    ],
    [
      'sandbox clock advance -2h',
      'bad_duration',
      'A duration must be positive, not -2h',
      'Moves the sandbox clock forward, which settles payments and expires tokens: no real money. Only pay sandbox reset turns it back.',
      'pay sandbox clock --help',
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
      'A word looks like a flag but is not one',
      'Did you mean --help?',
      'pay --help',
    ],
    // unknownCommand()
    [
      'foo',
      'unknown_command',
      'There is no command "pay foo"',
      'pay --help lists the commands.',
      'pay --help',
    ],
    [
      'foo --help',
      'unknown_command',
      'There is no command "pay foo"',
      'pay --help lists the commands.',
      'pay --help',
    ],
    [
      'payment foo --bogus',
      'unknown_command',
      'There is no command "pay payment foo"',
      'pay payment --help lists the commands.',
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
    ['payment list --limit', 'usage', '--limit needs a value', undefined, 'pay payment list --help'],
    ['payment list -o', 'usage', '-o, --output needs a value', undefined, 'pay payment list --help'],
    ['--profile', 'usage', '-p, --profile needs a value', undefined, 'pay --help'],
    ['--profile --json payment get p1', 'usage', '-p, --profile needs a value', undefined, 'pay --help'],
    [
      'payment refund p1 --reason --dry-run',
      'usage',
      '--reason needs a value',
      undefined,
      'pay payment refund --help',
    ],
    // commander.excessArguments
    [
      'payment get p1 p2',
      'usage',
      'Too many arguments: expected 1, got 2',
      undefined,
      'pay payment get --help',
    ],
    [
      'payment list p1',
      'usage',
      'Too many arguments: expected 0, got 1',
      undefined,
      'pay payment list --help',
    ],
    [
      'payment get p1 -- --json',
      'usage',
      'Too many arguments: expected 1, got 2',
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
    ['show', 'payment get'],
    ['undo', 'payment cancel'],
    ['undo', 'payment refund'],
    ['void', 'payment cancel'],
    ['login', 'profile add'],
    ['init', 'profile add'],
  ])('pay %s leads to pay %s', async (word, command) => {
    expect(await read([word, 'p1'])).toMatchObject({
      code: 'unknown_command',
      hint: expect.stringContaining(`"pay ${command}"`),
      next: expect.arrayContaining([`pay ${command} --help`]),
    })
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

  test('repeats no secret that was typed as one word with its flag', async () => {
    for (const words of [
      ['--client-token SECRET', 'session', 'get'],
      ['session', '--client-token SECRET', 'get'],
    ])
      expect(JSON.stringify(await read(words))).not.toContain('SECRET')
  })
})
