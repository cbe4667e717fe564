import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { posixWord } from '../../src/text/shell-word.ts'
import { createBench, jsonAnswer } from '../support/run-pay.ts'
import type { Bench, RunResult } from '../support/run-pay.ts'
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

/** What a command prints for people to type: the `next` of its error, and lines in its sentences. */
const printedIn = ({ stdout, stderr }: RunResult): readonly string[] => [
  ...new Set(
    [...`${stdout}\n${stderr}`.matchAll(/(?:^|Next:? +|: )(pay (?:--|[a-z]+ ).*?)\.?$/gm)].map(
      ([, line = '']) => line,
    ),
  ),
]

/** The commands that are printed for an order, an e-mail, files, columns and a reason of this name. */
async function printedFor(own: Bench, word: string): Promise<readonly string[]> {
  const pay = async (...words: readonly string[]) => printedIn(await own.runPay(['--sandbox', ...words]))
  const created = ['payment', 'create', '--token', 'tok_visa', '--amount', '10.00 EUR', `--order-id=${word}`]
  await own.runPay(['--sandbox', ...created])
  const row = (...cells: readonly string[]) =>
    `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`
  writeFileSync(join(own.folder, `${word}.csv`), row('orderId', 'amount', 'reason') + row(word, 'x', word))
  const records = row('paymentId', 'Amount', 'amount') + row('p1', '1', word)
  writeFileSync(join(own.folder, `${word}-records.csv`), records)
  const columns = row('Order Number', 'Amount', `Amount ${word}`) + row(word, '7.00 EUR', '')
  writeFileSync(join(own.folder, 'columns.csv'), columns)
  const lost = await own.runPay(['--sandbox', ...created], { service: () => jsonAnswer(500, {}) })
  if (lost.exitCode !== 10) throw new Error(`${word}: ${lost.stderr}`)
  const [{ id }]: readonly [{ id: string }] = JSON.parse((await own.runPay('ops list --json')).stdout)
  return [
    ...(await pay('payment', 'get', '--', word)),
    ...(await pay('payment', 'get', '--', `${word}@example.com`)),
    ...(await pay('payment', 'get', `--order=${word}x`)),
    ...(await pay('find', '--', word)),
    ...(await pay(
      'batch',
      'plan',
      'refund',
      `./${word}.csv`,
      '--rejects',
      `${word}.rej`,
      `--reason=${word}`,
    )),
    ...(await pay('batch', 'template', '--', `${word}.csv`)),
    ...(await pay('batch', 'template', 'columns.csv')),
    ...(await pay('observability', 'import', '-n', '--', `${word}-records.csv`)),
    ...printedIn(lost),
    ...printedIn(await own.runPay(['ops', 'show', id])),
  ]
}

/** The errors of a line that was not read as it was meant. */
const MISREAD = ['unknown_flag', 'unknown_command', 'given_twice', 'usage']

/** One word of each kind. */
const PRINTED_WORDS = [
  'A-$(touch pwned)',
  'A-`touch pwned`',
  'A-!touch',
  '%PATH%',
  'a & touch pwned',
  'it\'s "quoted"',
  'a\\',
  '~',
  '*',
  '#a',
  'a„b“c',
  'Ünï-😀',
  '-$x',
  '--yes',
]

test('what is printed for hostile words arrives as it was meant, and runs nothing', async () => {
  const printed: { readonly word: string; readonly line: string; readonly own: Bench }[] = []
  for (const word of PRINTED_WORDS) {
    const own = createBench()
    for (const line of await printedFor(own, word)) printed.push({ word, line, own })
  }
  const lines = printed.map(({ line }) => line)
  const [bash = [], ...others] = SHELLS.map((shell) => argumentsIn(shell, lines))
  for (const other of others) expect(other).toEqual(bash)
  for (const word of PRINTED_WORDS)
    expect(
      printed.filter((one, at) => one.word === word && bash[at]?.some((typed) => typed.includes(word)))
        .length,
      word,
    ).toBeGreaterThan(1)
  for (const [at, { line, own }] of printed.entries()) {
    const { stderr } = await own.runPay(['--json', ...(bash[at] ?? [])])
    expect({ line, misread: MISREAD.filter((code) => stderr.includes(`"${code}"`)) }).toEqual({
      line,
      misread: [],
    })
  }
  for (const { own } of printed) own.dispose()
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
