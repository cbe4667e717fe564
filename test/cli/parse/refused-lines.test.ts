import { describe, expect, test } from 'vitest'
import { read, wordsOf } from './read-words.ts'

const AFTER_NAME = 'Options of a command come after its name: pay <noun> <verb> [ARG] [options]'

const KEY_HINT =
  'Never put the key on the command line: set PAY_API_KEY or PAY_API_KEY_FILE, or store it in a profile.'

const surplus = (taken: string): string =>
  `It takes ${taken}. The value of a flag follows its name, and a value with spaces needs quotes.`

describe('a refused line', () => {
  /** By error code: the line, its message, the command whose help is named, and the hint. */
  const REFUSED: Readonly<Record<string, readonly (readonly [string, string, string, string?])[]>> = {
    unknown_flag: [
      ['payment list --api-key SECRET', 'There is no flag --api-key', 'payment list ', KEY_HINT],
      ['--api-key=SECRET payment list', 'There is no global flag --api-key', '', KEY_HINT],
      // commander's unknownOption()
      ['payment get p1 --bogus SECRET', 'There is no flag --bogus', 'payment get '],
      ['payment refund p1 --amnt 5', 'There is no flag --amnt', 'payment refund ', 'Did you mean --amount?'],
      ['payment get p1 --js', 'There is no flag --js', 'payment get ', 'Did you mean --json?'],
      ['payment get -xyz', 'There is no flag -xyz', 'payment get ', 'If it is the ID, put it last, after --'],
      ['--profle x payment get p1', 'There is no global flag --profle', '', 'Did you mean --profile?'],
      ['--amount 500 payment refund p1', 'There is no global flag --amount', '', AFTER_NAME],
      ['payment --final capture p1', 'There is no global flag --final', '', AFTER_NAME],
      ['-zz foo', 'There is no global flag -zz', '', AFTER_NAME],
      ['--bogus', 'There is no flag --bogus', ''],
      ['-help', 'A word looks like a flag but is not one', '', 'Did you mean --help?'],
    ],
    bad_duration: [
      [
        'sandbox clock advance -2h',
        'A duration must be positive, not -2h',
        'sandbox clock ',
        'Moves the sandbox clock forward, which settles payments and expires tokens: no real money. Only pay sandbox reset turns it back.',
      ],
    ],
    bad_value: [
      ['payment get p1 --json=1', '--json takes no value', 'payment get '],
      ['payment capture p1 --no-final=no', '--no-final takes no value', 'payment capture '],
      ['--json=x payment get p1', '--json takes no value', ''],
    ],
    // unknownCommand()
    unknown_command: [
      ['foo', 'There is no command "pay foo"', '', 'pay --help lists the commands.'],
      ['foo --help', 'There is no command "pay foo"', '', 'pay --help lists the commands.'],
      [
        'payment foo --bogus',
        'There is no command "pay payment foo"',
        'payment ',
        'pay payment has create, get, list, authorize, capture, refund, adjust, resume, cancel, wait, explain.',
      ],
      [
        'payment refnd p1',
        'There is no command "pay payment refnd"',
        'payment refund ',
        'Did you mean "pay payment refund"?',
      ],
    ],
    // optionMissingArgument() and commander.excessArguments
    usage: [
      ['payment list --limit', '--limit needs a value', 'payment list '],
      ['payment list -o', '-o, --output needs a value', 'payment list '],
      ['--profile', '-p, --profile needs a value', ''],
      ['--profile --json payment get p1', '-p, --profile needs a value', ''],
      ['payment refund p1 --reason --dry-run', '--reason needs a value', 'payment refund '],
      ['payment get p1 p2', 'Too many arguments: expected 1, got 2', 'payment get ', surplus('ID only')],
      ['payment list p1', 'Too many arguments: expected 0, got 1', 'payment list ', surplus('no arguments')],
      [
        'payment get p1 -- --json',
        'Too many arguments: expected 1, got 2',
        'payment get ',
        surplus('ID only'),
      ],
    ],
  }
  test.for(Object.entries(REFUSED).flatMap(([code, rows]) => rows.map((row) => [code, ...row] as const)))(
    'with %s: pay %s: %s',
    async ([code, line, message, command, hint]) => {
      expect(await read(wordsOf(line))).toEqual({ code, message, hint, next: [`pay ${command}--help`] })
    },
  )

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
    ['status', 'payment explain'],
    ['card', 'instrument list'],
    ['subscription', 'instrument delete'],
    ['points', 'loyalty refund'],
    ['handover', 'ops report'],
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
