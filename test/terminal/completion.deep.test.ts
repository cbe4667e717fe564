import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { createPathBench } from '../support/spawn-pay.ts'
import type { PathBench } from '../support/spawn-pay.ts'
import { inTerminal, terminalTest } from '../support/pseudo-terminal.ts'
import { splitWords } from '../support/run-pay.ts'

/** Completion by Tab in real shells. A shell function `pay` records the arguments of each completed line, as one line. */

let bench: PathBench
let here: string
const ids = new Map<string, string>()

/** An order id that would run commands if a shell evaluated it. */
const HOSTILE = 'Z$(touch hacked)`touch hacked`;touch hacked;"\\ *&|#{a,b} ~'
const ORDERS = ['A:1', 'two words', "it's", 'B=2@x', HOSTILE]

const CREATE = splitWords("--sandbox payment create --token tok_visa --amount '1 EUR' -qo id --order-id")
beforeAll(async () => {
  bench = createPathBench()
  here = join(bench.folder, 'here')
  mkdirSync(here)
  writeFileSync(join(here, 'my payments.csv'), '')
  for (const order of ORDERS) {
    const made = await bench.pay([...CREATE, order], {})
    expect(made).toMatchObject({ exitCode: 0 })
    ids.set(order, made.stdout.trim())
  }
  const key = { stdin: 'key-0123456789abcdef' }
  await bench.pay('profile add shop --base-url https://api.example.com --live --api-key-stdin -q', key)
})
afterAll(() => bench.dispose())

const SHELLS = {
  bash: {
    start: `bash --norc --noprofile -i`,
    setUp: [
      `eval "$(pay completion bash)"`,
      `pay() { printf '%s\\0' "$@" >> ../words; echo >> ../words; echo 'EN''D'; }`,
      `PS1='RE''ADY> '`,
    ],
  },
  zsh: {
    start: 'zsh -f -i',
    setUp: [
      `eval "$(pay completion zsh)"`,
      `pay() { printf '%s\\0' "$@" >> ../words; echo >> ../words; echo 'EN''D' }`,
      `setopt no_beep; unsetopt zle_bracketed_paste; PS1='RE''ADY> '`,
    ],
  },
  fish: {
    start: 'fish --no-config -i',
    setUp: [
      `pay completion fish | source`,
      `function pay; printf '%s\\0' $argv >> ../words; echo >> ../words; echo 'EN''D'; end`,
      `function fish_prompt; echo -n 'RE''ADY> '; end; set -g fish_autosuggestion_enabled 0`,
    ],
  },
} as const

type Shell = keyof typeof SHELLS

const shells = (['bash', 'zsh', 'fish'] as const satisfies readonly Shell[]).filter((shell) => {
  const isHere = spawnSync(shell, ['-c', 'exit 0']).status === 0
  if (!isHere) process.stderr.write(`SKIPPED: completion in ${shell}: it is not installed here.\n`)
  return isHere
})

/** The arguments of each line after its Tabs were pressed, in one session. */
async function typed(shell: Shell, lines: readonly string[]): Promise<readonly (readonly string[])[]> {
  const { start, setUp } = SHELLS[shell]
  const words = join(bench.folder, 'words')
  rmSync(words, { force: true })
  await inTerminal(start, {
    env: { ...bench.env, HISTFILE: '' },
    cwd: here,
    columns: 200,
    timeoutMs: 110_000,
    steps: [
      { when: '', type: setUp.map((command) => `${command}\r`).join('') },
      ...lines.flatMap((line) => [
        { when: 'READY> ', type: `${line}\r` },
        { when: 'END', type: '' },
      ]),
      { when: 'READY> ', type: 'exit 0\r' },
    ],
  })
  const recorded = readFileSync(words, 'utf8').split('\n').slice(0, -1)
  return recorded.map((line) => line.split('\0').slice(0, -1))
}

const CASES = [
  ['commands', 'pay paym\tref\t', ['payment', 'refund']],
  ['top-level commands', 'pay whoa\t', ['whoami']],
  ['flags', 'pay payment refund p1 --am\t500', ['payment', 'refund', 'p1', '--amount', '500']],
  ['values of a flag', 'pay whoami -o nd\t', ['whoami', '-o', 'ndjson']],
  ['values after an equals sign', 'pay whoami --output=nd\t', ['whoami', '--output=ndjson']],
  [
    'the last of several values',
    'pay payment list --status SETTLED,PEN\t',
    ['payment', 'list', '--status', 'SETTLED,PENDING'],
  ],
  ['profiles', 'pay whoami --profile sh\t', ['whoami', '--profile', 'shop']],
  [
    'values with spaces and stars',
    'pay sandbox faults add --on DEL\t',
    ['sandbox', 'faults', 'add', '--on', 'DELETE /payment-instruments/*'],
  ],
  [
    'values inside quotes',
    'pay sandbox faults add --on "DEL\t',
    ['sandbox', 'faults', 'add', '--on', 'DELETE /payment-instruments/*'],
  ],
  ['files with spaces', 'pay observability import my\t', ['observability', 'import', 'my payments.csv']],
  ...(
    [
      ['ids with a colon', 'A:', 'A:1'],
      ['ids with other word-break characters', 'B=2@', 'B=2@x'],
      ['ids with spaces', 'tw', 'two words'],
      ['ids with quotes', 'it', "it's"],
      ['hostile ids, and runs nothing of them', 'Z', HOSTILE],
      ['hostile ids inside quotes', '"Z', HOSTILE],
    ] as const
  ).map(
    ([what, start, order]) =>
      [
        what,
        `pay --sandbox payment create --order-id ${start}\t`,
        ['--sandbox', 'payment', 'create', '--order-id', order],
      ] as const,
  ),
] as const

describe.each(shells)('%s completes', (shell) => {
  let found: readonly (readonly string[])[]
  let [id, start] = ['', '']
  beforeAll(async () => {
    id = ids.get('A:1') ?? ''
    start = id.slice(0, 6)
    found = await typed(shell, [
      ...CASES.map(([, line]) => line),
      `pay --sandbox payment get ${start}\t`,
      `pay -p shop payment get ${start}\t`,
    ])
  }, 120_000)

  terminalTest.each(CASES.map(([what, , words], index) => [what, words, index] as const))(
    '%s',
    (_, words, index) => {
      expect(found[index]).toEqual(words)
      expect(readdirSync(here)).toEqual(['my payments.csv'])
    },
  )

  terminalTest('recent payments of the named profile, and none of another', () => {
    expect(found.slice(CASES.length)).toEqual([
      ['--sandbox', 'payment', 'get', id],
      ['-p', 'shop', 'payment', 'get', start],
    ])
  })
})
