import { describe, expect, test } from 'vitest'
import { flagNames } from '../../../src/cli/parse/command-flags.ts'
import { readLine } from '../../../src/cli/parse/program.ts'
import { scanLine } from '../../../src/cli/parse/scan-line.ts'
import type { CommandSpec, Tree } from '../../../src/cli/command/spec.ts'
import { SPECS, read, wordsOf } from './read-words.ts'

describe('an accepted line', () => {
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
    ['--base-url https://a.test profile add x', { flags: { 'base-url': 'https://a.test', input: true } }],
    ['payment refund p1 --reason=--dry-run', { flags: { reason: '--dry-run', input: true, validate: true } }],
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
    ['payment refund p1 --reason -- --help', { help: 'payment refund', isShort: false }],
    ['-h whoami --help', { help: 'whoami', isShort: false }],
    ['--bogus --help', { help: 'pay', isShort: false }],
    ['-V', 'version'],
    ['-yV', 'version'],
    ['payment --version', 'version'],
    ['payment get --version', 'version'],
  ])('pay %s requests help or the version', async (line, asked) => {
    expect(await read(wordsOf(line))).toEqual(asked)
  })

  test('loads only the named command', async () => {
    const command: CommandSpec = { path: ['a', 'b'], summary: '', examples: [{ purpose: '', line: '' }] }
    const never = () => Promise.reject(new Error('loaded'))
    const tree: Tree = {
      a: { summary: '', verbs: { b: () => Promise.resolve({ command }), c: never } },
      d: { summary: '', load: never },
    }
    expect(await readLine(tree, scanLine(['a', 'b']))).toMatchObject({ kind: 'command', spec: command })
    expect(await readLine(tree, scanLine(['a']))).toMatchObject({ kind: 'help' })
    expect(await readLine(tree, scanLine(['--help']))).toMatchObject({ kind: 'help' })
  })
})

test('every flag keeps its kebab-case name', async () => {
  for (const spec of SPECS)
    for (const name of flagNames(spec)) {
      if (name === 'help' || name === 'version') continue
      const names: string[] = []
      for (const words of [[`--${name}`, '500'], [`--${name}`], [`--no-${name}`]]) {
        if (names.length > 0) break
        const found = await read([...spec.path, ...words])
        names.push(...Object.keys(Object(Object(found).flags)))
      }
      expect(names).toContain(name.replace(/^no-/, ''))
    }
})
