import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { EXIT } from '../../src/errors.ts'
import { blocksOf, rowsOf } from '../support/markdown.ts'
import { createPathBench, ROOT } from '../support/spawn-pay.ts'
import { useSpawnBench } from '../support/use-spawn-bench.ts'
import { startScriptedServer } from '../support/scripted-server.ts'
import { ENTER, inTerminal, terminalTest } from '../support/pseudo-terminal.ts'

const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const BLOCKS = blocksOf(README)

/** Blocks that no test runs, by their first line, each with its reason. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm ci && npm start': 'would install into the folder that runs the tests; a clean clone does it in CI',
  'npm test': 'is what runs this',
  'npm install -g .': 'would change the machine',
  'pay sandbox start': 'runs until Ctrl-C; the tests of pages start it',
}
/** The other blocks, by a text that only they contain. Each has a test below. */
const RUN = [
  'pay sandbox seed',
  'pay profile add shop',
  'pay profile remove shop',
  'case $code in',
  'pay --sandbox observability import',
  'pay --sandbox batch plan',
  'pay --sandbox reconcile',
  '--token tok_3ds',
]

const KEY = 'key_that_nobody_may_see_0123'

const bench = useSpawnBench(createPathBench)

const shellBlocks = BLOCKS.filter(({ language }) => language === 'sh').map(({ text }) => text)
const blockWith = (words: string): string => shellBlocks.find((text) => text.includes(words)) ?? ''
const run = (text: string, env: Readonly<Record<string, string>> = {}) =>
  bench.shell(`set -eu\n${text}`, { env: { ...bench.env, ...env } })

test('every shell block is run by a test or excluded with a reason', () => {
  const strays = shellBlocks.filter(
    (text) =>
      !Object.hasOwn(NOT_RUN, text.split('\n')[0] ?? '') && !RUN.some((words) => text.includes(words)),
  )
  expect(strays).toEqual([])
  expect(shellBlocks).toHaveLength(Object.keys(NOT_RUN).length + RUN.length)
})

test('a settlement file is reconciled, and what is no match is in a file', async () => {
  await run('pay sandbox seed --payments 60')
  const ran = await run(blockWith('pay --sandbox reconcile'))
  expect(ran, ran.stderr).toMatchObject({ exitCode: EXIT.bulk })
  expect(ran.stdout).toMatch(/Matched +\d\d\n/)
  expect(ran.stdout).toMatch(/ours +refund/)
  const [header = ''] = readFileSync(join(bench.folder, 'settled.csv'), 'utf8').split(/\r?\n/)
  const exceptions = readFileSync(join(bench.folder, 'exceptions.csv'), 'utf8').split(/\r?\n/)
  expect(exceptions[0]).toBe(`${header},verdict,found`)
  expect(README).toContain('It lacks the refunds, so the exit code is 14')
})

test('a decline is explained, and the line for a challenge answers it', async () => {
  const ran = await run(blockWith('--token tok_3ds'))
  expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
  expect(ran.stdout).toContain('exit code 13')
  expect(ran.stdout).toMatch(/Reason +INSUFFICIENT_FUNDS/)
  const [, line = ''] = /^Next, to answer for the customer: (.*)$/m.exec(ran.stderr) ?? []
  const answered = await run(line)
  expect(answered, answered.stderr).toMatchObject({ exitCode: 0 })
  expect(answered.stdout).toMatch(/Status +✓ Authorized/)
})

test('one line per shell installs completion', async () => {
  const page = readFileSync(join(ROOT, 'docs/reference/completion.md'), 'utf8')
  const lines = blocksOf(page).filter(
    ({ language, text }) => language === 'sh' && text.includes('pay completion'),
  )
  const ran = await run(lines.map(({ text }) => text).join('\n'))
  expect(ran, ran.stderr).toMatchObject({ exitCode: 0, stderr: '' })
  const written = (path: string) => readFileSync(join(bench.folder, path), 'utf8')
  expect(written('.bashrc')).toBe('eval "$(pay completion bash)"\n')
  expect(written('.zshrc')).toBe('eval "$(pay completion zsh)"\n')
  expect(written('.config/fish/completions/pay.fish')).toContain('complete -c pay ')
})

test('the trial works as written', async () => {
  const ran = await run(blockWith('pay sandbox seed'))
  expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
  expect(ran.stdout).toMatch(/A-1171[^\n]*MASTERCARD/)
  expect(ran.stdout).toMatch(/Left to refund\s+104\.00 EUR/)
})

test('the live example leaves no profile and no server behind', async () => {
  const [added] = blockWith('pay profile add shop').split('ID=')
  const ran = await run(`${added}${blockWith('pay profile remove shop')}`)
  expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
  const left = await run('pay profile list -o id; pay sandbox status -o id')
  expect(left.stdout.split('\n')).not.toContain('shop')
  expect(left.stdout).not.toContain('http')
})

test('a batch works as written', async () => {
  const ran = await run(blockWith('pay --sandbox batch plan'))
  expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
  expect(ran.stdout).toMatch(/2 ready/)
  expect(ran.stdout).toMatch(/As planned +2\n/)
})

test('an import works as written', async () => {
  const ran = await run(blockWith('pay --sandbox observability import'))
  expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
  expect(ran.stdout).toMatch(/Created +1\n/)
})

describe('the real refund', () => {
  const commands = blockWith('pay profile add shop').trimEnd()
  const refunded = async () => {
    const read = await run(
      `ID=$(pay --sandbox payment list --order-id order-1043 -o id)
       pay --sandbox payment get "$ID" --query processor.amountRefunded`,
    )
    return read.stdout.trim()
  }
  afterEach(() => bench.pay('sandbox stop'))

  terminalTest('shows a preview, asks, and refunds', async () => {
    const script = join(bench.folder, 'refund.sh')
    writeFileSync(script, commands)
    const { exitCode, screen } = await inTerminal(`sh '${script}'`, {
      env: bench.env,
      steps: [{ when: '(y/N)', type: `y${ENTER}` }],
    })
    expect(exitCode, screen).toBe(0)
    expect(screen).toContain('LIVE: real money, on profile shop')
    expect(screen).toMatch(/Remaining after\s+44\.90 EUR/)
    expect(screen).not.toContain('sandbox_all')
    expect(await refunded()).toBe('500')
  })

  terminalTest('sends nothing when Enter is pressed', async () => {
    const script = join(bench.folder, 'refund.sh')
    writeFileSync(script, commands)
    const { exitCode, screen } = await inTerminal(`sh '${script}'`, {
      env: bench.env,
      steps: [{ when: '(y/N)', type: ENTER }],
    })
    expect(exitCode, screen).not.toBe(0)
    expect(await refunded()).toBe('0')
  })

  terminalTest('never shows the key while it is typed', async () => {
    const { exitCode, screen } = await inTerminal('pay profile add shop --base-url https://api.example.com', {
      env: bench.env,
      steps: [
        { when: 'API key', type: KEY },
        // Some prompt libraries show the typed text on Ctrl-T.
        { when: '*'.repeat(KEY.length), type: '\u0014' },
        { when: '', type: ENTER },
      ],
    })
    expect(exitCode, screen).toBe(0)
    expect(screen).toContain('••••0123')
    expect(screen).not.toContain(KEY)
  })

  test('sends nothing without a terminal and without --yes', async () => {
    expect(await run(commands)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--yes') })
    expect(await refunded()).toBe('0')
  })

  test('acts on the profile that it adds, whatever the default is', async () => {
    await bench.pay('profile add other --base-url http://127.0.0.1:1 --live --api-key-stdin', { stdin: KEY })
    const ran = await run(`${commands} --yes`)
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
    expect(await refunded()).toBe('500')
  })

  test('refunds in a script with --yes', async () => {
    const ran = await run(`${commands} --yes`)
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
    expect(await refunded()).toBe('500')
  })
})

describe('the script with exit codes', () => {
  const script = blockWith('case $code in')

  test('refunds once for a ticket, and says so the second time', async () => {
    const made = await run(
      `ID=$(pay payment create --token tok_visa --amount '9.00 EUR' --order-id A-1 -o id)
       pay payment capture "$ID" -o id`,
      { PAY_PROFILE: 'sandbox' },
    )
    const env = { PAY_PROFILE: 'sandbox', ID: made.stdout.trim(), AMOUNT: '200', TICKET: 'T-7' }
    expect(await run(script, env)).toMatchObject({ exitCode: 0, stdout: 'refunded\n' })
    const again = await run(script, env)
    expect(again.stdout).toContain('not done: done before')
    expect(again.stdout).toContain('"code":"already_done"')
    const read = await run('pay payment get "$ID" --query processor.amountRefunded', env)
    expect(read.stdout).toBe('200\n')
  })

  test('distinguishes "not done" from "unknown"', async () => {
    await bench.pay('profile add away --base-url http://127.0.0.1:1 --test --api-key-stdin', {
      stdin: 'key_for_a_test_0123',
    })
    const env = { ID: 'x', AMOUNT: '1', TICKET: 'T', PAY_MAX_RETRIES: '0' }
    const away = await run(script, { ...env, PAY_PROFILE: 'away' })
    expect(away.stdout).toBe('not done, safe to try again later\n')
    const server = await startScriptedServer(() => ({ drop: 'before' }))
    await bench.pay(['profile', 'add', 'mute', '--base-url', server.url, '--test', '--api-key-stdin'], {
      stdin: 'key_for_a_test_0123',
    })
    const mute = await run(script, { ...env, PAY_PROFILE: 'mute' })
    await server.close()
    expect(mute.stdout).toContain('UNKNOWN')
  })
})

test('a refund whose response was lost is listed and resolved: done once', async () => {
  const made = await run(
    `ID=$(pay payment create --token tok_autocapture --amount '9.00 EUR' --order-id A-1 -o id)
     pay sandbox faults add --on 'POST /payments/*/refund' --do drop-after --times 1 -q >&2
     pay payment refund "$ID" --amount 200 --max-retries 0 || test $? = 10
     echo "$ID"`,
    { PAY_PROFILE: 'sandbox' },
  )
  const env = { PAY_PROFILE: 'sandbox', ID: made.stdout.trim() }
  const resolved = await run('pay ops list\npay ops resolve --all', env)
  expect(resolved, resolved.stderr).toMatchObject({ exitCode: 0 })
  const read = await run('pay payment get "$ID" --query processor.amountRefunded', env)
  expect(read.stdout).toBe('200\n')
})

test('the table of exit codes is complete', () => {
  const page = readFileSync(join(ROOT, 'docs/reference/exit-codes.md'), 'utf8')
  const codes = rowsOf(page).flatMap(([cell = '']) =>
    /^\d+(, \d+)*$/.test(cell) ? cell.split(', ').map(Number) : [],
  )
  expect(codes).toEqual(Object.values(EXIT))
})
