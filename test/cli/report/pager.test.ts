import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Pager } from '../../../src/cli/command/context.ts'
import { page } from '../../../src/cli/process/programs.ts'
import { createBench } from '../../support/run-pay.ts'
import type { Bench, RunOptions } from '../../support/run-pay.ts'

let bench: Bench
let shown: (readonly [text: string, pager: Pager])[]
// These tests only read.
beforeAll(async () => {
  bench = createBench()
  await bench.runPay('sandbox seed --payments 30')
})
afterAll(() => bench.dispose())
beforeEach(() => {
  shown = []
})

const onTerminal = (words: string, options: RunOptions = {}) =>
  bench.runPay(`--sandbox ${words}`, {
    tty: true,
    rows: 24,
    page: async (text, pager) => {
      shown.push([text, pager])
      return true
    },
    ...options,
  })

describe('a list that is taller than the terminal', () => {
  test('goes through less, as in git', async () => {
    expect(await onTerminal('payment list --limit 30')).toMatchObject({ exitCode: 0, stdout: '' })
    expect(shown).toMatchObject([
      [expect.stringContaining('A-1030'), { command: 'less', env: { LESS: 'FRX', LESSCHARSET: 'utf-8' } }],
    ])
  })

  test.each([
    ['PAGER', { PAGER: 'more -s' }, { command: 'more -s' }],
    ['LESS', { LESS: 'S' }, { command: 'less', env: { LESS: 'S' } }],
    ['LESSCHARSET', { LESSCHARSET: 'latin1' }, { command: 'less', env: { LESSCHARSET: 'latin1' } }],
  ])('follows %s', async (_, env, pager) => {
    await onTerminal('payment list --limit 30', { env })
    expect(shown).toMatchObject([[expect.any(String), pager]])
  })

  test('on Windows goes through no pager but the one in PAGER', async () => {
    const ran = await onTerminal('payment list --limit 30', { platform: 'win32' })
    expect(ran.stdout).toContain('A-1030')
    expect(shown).toEqual([])
    await onTerminal('payment list --limit 30', { platform: 'win32', env: { PAGER: 'more' } })
    expect(shown).toMatchObject([[expect.any(String), { command: 'more' }]])
  })

  test('is printed if the pager cannot be started', async () => {
    const ran = await onTerminal('payment list --limit 30', { page: async () => false })
    expect(ran.stdout).toContain('A-1030')
  })
})

test.each<readonly [what: string, words: string, options: RunOptions]>([
  ['a list that fits', 'payment list --limit 15', {}],
  ['a pipe', 'payment list --limit 30', { tty: false }],
  ['a terminal of unknown height', 'payment list --limit 30', { rows: 0 }],
  ['another format', 'payment list --limit 30 -o csv', {}],
  ['--query', 'payment list --limit 30 --query data[].id', {}],
  ['--no-pager', 'payment list --limit 30 --no-pager', {}],
  ['--no-input', 'payment list --limit 30 --no-input', {}],
  ['PAY_NO_PAGER', 'payment list --limit 30', { env: { PAY_NO_PAGER: '1' } }],
  ['PAGER=cat', 'payment list --limit 30', { env: { PAGER: 'cat' } }],
  ['an empty PAGER', 'payment list --limit 30', { env: { PAGER: '' } }],
  ['CI', 'payment list --limit 30', { env: { CI: '1' } }],
  ['TERM=dumb', 'payment list --limit 30', { env: { TERM: 'dumb' } }],
  ['a page that is no list', 'sandbox tokenize --help', {}],
])('%s needs no pager', async (_, words, options) => {
  const ran = await onTerminal(words, options)
  expect(ran.exitCode).toBe(0)
  expect(ran.stdout).not.toBe('')
  expect(shown).toEqual([])
})

test.each([
  ['reads everything', 'cat > /dev/null', 'linux', true],
  ['is left before the end', 'true', 'linux', true],
  ['ends with an error', 'exit 1', 'linux', true],
  ["doesn't exist", 'no-such-pager 2> /dev/null', 'linux', false],
  ['reads everything, in cmd.exe', 'cat > /dev/null', 'win32', true],
  ["doesn't exist, for cmd.exe", 'exit 1', 'win32', false],
])('a pager that %s', async (_, command, platform, isShown) => {
  expect(await page('line\n'.repeat(50_000), { command, env: process.env }, platform)).toBe(isShown)
})
