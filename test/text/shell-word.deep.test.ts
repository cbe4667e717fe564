import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { posixWord } from '../../src/text/shell-word.ts'
import { createBench } from '../support/run-pay.ts'
import { HOSTILE_WORDS, readPowerShell } from '../support/shells.ts'
import { ROOT } from '../support/spawn-pay.ts'

/** The shells that read what pay prints. `-i` where the history is expanded only in a terminal. */
const SHELLS = ['bash', 'zsh', 'fish'] as const

const folder = mkdtempSync(join(tmpdir(), 'pay-shells-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(
  join(folder, 'pay'),
  String.raw`#!/bin/sh
printf '%s\0' "$@" >>"$RECORD"
printf '\n\0' >>"$RECORD"
`,
)
chmodSync(join(folder, 'pay'), 0o755)

/** The arguments of each command of a script, as a shell hands them on. */
function argumentsIn(shell: string, lines: readonly string[]): readonly (readonly string[])[] {
  const record = join(folder, `${shell}.record`)
  rmSync(record, { force: true })
  const work = mkdtempSync(join(folder, 'empty-'))
  writeFileSync(join(folder, 'script'), `${lines.join('\n')}\n`)
  const { status, stderr } = spawnSync(shell, [join(folder, 'script')], {
    cwd: work,
    encoding: 'utf8',
    env: {
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      RECORD: record,
      HOME: work,
      ID: 'p1',
      OPERATION: 'o1',
    },
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(readdirSync(work).filter((name) => !name.startsWith('.'))).toEqual([])
  return readFileSync(record, 'utf8')
    .split('\n\0')
    .slice(0, -1)
    .map((words) => words.replaceAll(work, '~').split('\0').slice(0, -1))
}

describe.each(SHELLS)('%s', (shell) => {
  test('reads hostile words as they were meant, and runs none of them', () => {
    const words = HOSTILE_WORDS.filter((word) => posixWord(word) !== '…')
    expect(
      argumentsIn(
        shell,
        words.map((word) => `pay ${posixWord(word)}`),
      ),
    ).toEqual(words.map((word) => [word]))
  })
})

/** Simple commands: without pipes, redirections and variables of their own. */
const isSimple = (line: string): boolean =>
  !/[|<>;&()`]|\$(?!ID"|OPERATION")|\\$|[A-Z]…/.test(line.replaceAll(/"[^"$]*"|'[^']*'/g, ''))

const bench = createBench()
afterAll(() => bench.dispose())

async function printedLines(): Promise<readonly string[]> {
  const { stdout } = await bench.runPay('commands -o json')
  const described: { readonly data: readonly { readonly examples: readonly { readonly line: string }[] }[] } =
    JSON.parse(stdout)
  const pages = [
    'README.md',
    ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.startsWith('reference/commands'))
      .map((name) => join('docs', name)),
  ].flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^pay .*$/gm)].map(([line]) =>
      line.replace(/ +# .*$/, ''),
    ),
  )
  const examples = described.data.flatMap(({ examples: all }) => all.map(({ line }) => line))
  return [...new Set([...examples, ...pages])].filter((line) => line.startsWith('pay ') && isSimple(line))
}

test('help, README and reference print commands that every shell reads in the same way', async () => {
  const lines = await printedLines()
  expect(lines.length).toBeGreaterThan(150)
  const [bash, ...others] = SHELLS.map((shell) => argumentsIn(shell, lines))
  for (const other of others) expect(other).toEqual(bash)
  const portable = lines.flatMap((line, at) => (/[$\\~]/.test(line) ? [] : [{ line, words: bash?.[at] }]))
  for (const { line, words } of portable)
    expect({ line, words: readPowerShell(line.slice('pay '.length)) }).toEqual({ line, words })
})

test('an interactive bash leaves exclamation marks alone', () => {
  const word = posixWord('A-!!')
  const script = `echo first\nprintf '<%s>' ${word}\n`
  const shown = execFileSync('bash', ['--norc', '-i'], {
    input: script,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  expect(shown).toContain('<A-!!>')
})
