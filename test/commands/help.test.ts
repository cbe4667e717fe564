import { beforeAll, describe, expect, test } from 'vitest'
import type { CommandDescription, globalFlagFacts } from '../../src/cli/help/describe-command.ts'
import { TREE } from '../../src/commands/tree.ts'
import { createBench } from '../support/run-pay.ts'
import { useBench } from '../support/use-bench.ts'

const bench = useBench()

/** The overview, every noun and every verb. */
const PAGES: readonly (readonly string[])[] = [
  [],
  ...Object.entries(TREE).flatMap(([name, noun]) => [
    [name],
    ...Object.keys(noun.verbs ?? {}).map((verb) => [name, verb]),
  ]),
]
const isCommand = ([noun, verb]: readonly string[]): boolean =>
  verb !== undefined || (noun !== undefined && TREE[noun]?.load !== undefined)
const titled = (pages: typeof PAGES) => pages.map((words) => [words.join(' '), words] as const)

test.each([
  ['--help', 'pay'],
  ['-h', 'pay-short'],
  ['payment --help', 'payment'],
  ['payment refund --help', 'payment-refund'],
  ['payment list --help', 'payment-list'],
  ['batch plan --help', 'batch-plan'],
  ['observability import --help', 'observability-import'],
  ['ops resolve --help', 'ops-resolve'],
])('pay %s in 80 columns matches its golden file', async (words, name) => {
  const { stdout } = await bench.runPay(words, { tty: true, columns: 80 })
  await expect(stdout).toMatchFileSnapshot(`../golden/help/${name}.txt`)
})

const joined = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** Lines that you type or copy are never broken. */
const isCopied = (line: string): boolean =>
  /^ {2}(pay|pass|printf|echo|mkdir|New-Item|# )/.test(line) || line.includes('| pay ')

/** The lines that could be broken, and are over the width. */
function tooWide(page: string, columns: number): readonly string[] {
  // Tables in help texts are laid out for 80 columns.
  const isTable = (line: string) => line.length <= 80 && /\S {2,}\S/.test(line)
  const isOneWord = (line: string) => !line.trim().includes(' ') || line.includes("'name=Blue")
  return page
    .split('\n')
    .filter((line) => line.length > columns && !isCopied(line) && !isTable(line))
    .filter((line) => !line.startsWith('Usage: ') && !isOneWord(line))
}

test.each(titled(PAGES))('pay %s fits 60 and 80 columns and loses no word', async (_, words) => {
  for (const flag of ['--help', '-h']) {
    const piped = await bench.runPay([...words, flag])
    expect(piped).toMatchObject({ exitCode: 0, stderr: '' })
    for (const columns of [60, 80]) {
      const { stdout } = await bench.runPay([...words, flag], { tty: true, columns })
      expect(joined(stdout)).toBe(joined(piped.stdout))
      expect(tooWide(stdout, columns)).toEqual([])
      expect(stdout.split('\n').filter((line) => line !== line.trimEnd())).toEqual([])
    }
  }
})

/** `docs/reference/commands` is written from the same descriptions. */
describe('the words of the reference', () => {
  let described: {
    readonly data: readonly CommandDescription[]
    readonly globalFlags: ReturnType<typeof globalFlagFacts>
  }
  beforeAll(async () => {
    const own = createBench()
    described = JSON.parse((await own.runPay('commands -o json')).stdout)
    own.dispose()
  })

  /** `-p, --profile NAME Profile for this call [PAY_PROFILE]`. */
  const optionOf = ({
    flag,
    short,
    negation,
    value,
    help,
    environment,
  }: CommandDescription['flags'][number]) =>
    [
      [short, value === undefined ? flag : `${flag} ${value}`, negation]
        .filter((name) => name !== undefined)
        .join(', '),
      help,
      ...(environment === undefined ? [] : [`[${environment.join(', ')}]`]),
    ].join(' ')

  const ON_LIVE = 'On a live profile, it asks first; a script needs --yes.'
  const HEADINGS =
    /Examples:|Arguments:|(?:Safety o|O)ptions:|Request body:|Safety:|Exit codes:|Account \(with every command\):|Output:|Request:|Related:|,/g

  test.each(titled(PAGES.filter(isCommand)))('pay %s --help has them and no others', async (name, words) => {
    const page = joined((await bench.runPay([...words, '--help'])).stdout)
    const command = described.data.find((one) => one.command === name)
    if (command === undefined) throw new Error(`the reference has no ${name}`)
    const own = new Set([...command.flags.map(({ flag }) => flag), '--help', '--version'])
    const parts = [
      command.summary,
      `Usage: ${command.usage}`,
      ...command.examples.map(({ says, line }) => `# ${says} ${line}`),
      command.details ?? '',
      ...command.arguments.map((argument) => `${argument.name} ${argument.help}`),
      ...[...command.flags, ...described.globalFlags.filter(({ flag }) => !own.has(flag))].map(optionOf),
      command.effect,
      command.confirmsOnLive ? ON_LIVE : '',
      ...command.exitCodes.map(({ code, meaning }) => `${code} ${meaning}`),
      ...command.related.map((related) => `pay ${related}`),
    ].map(joined)
    expect(parts.filter((part) => !page.includes(part))).toEqual([])
    const rest = parts
      .toSorted((one, other) => other.length - one.length)
      .reduce((text, part) => text.replace(part, ''), page)
    expect(joined(rest.replaceAll(HEADINGS, ''))).toBe('')
  })

  test.each(titled(PAGES.filter((words) => words.length === 1 && !isCommand(words))))(
    'pay %s --help has the summary of every verb',
    async (noun) => {
      const page = joined((await bench.runPay([noun, '--help'])).stdout)
      const verbs = described.data.filter(({ command }) => command.startsWith(`${noun} `))
      expect(verbs.length).toBeGreaterThan(0)
      for (const { command, summary } of verbs)
        expect(page).toContain(`${command.slice(noun.length + 1)} ${summary}`)
    },
  )
})

test('lines stay readable on a wide terminal', async () => {
  const wide = await bench.runPay('payment refund --help', { tty: true, columns: 200 })
  expect(wide.stdout).toBe((await bench.runPay('payment refund --help')).stdout)
})

describe('-h', () => {
  test.each(titled(PAGES.filter((words) => words.length === 0 || isCommand(words))))(
    'pay %s is shorter than --help and points to it',
    async (_, words) => {
      const [short, whole] = [await bench.runPay([...words, '-h']), await bench.runPay([...words, '--help'])]
      expect(short.stdout.length).toBeLessThan(whole.stdout.length * 0.8)
      expect(joined(short.stdout)).toContain(`More: ${['pay', ...words].join(' ')} --help`)
    },
  )

  test('shows the first examples and the options of the command, without the global ones', async () => {
    const { stdout } = await bench.runPay('payment refund -h')
    expect(stdout).toContain('  # refund all that is left\n  pay payment refund "$ID"\n\nArguments:\n')
    expect(stdout).toContain(
      "\n  --amount AMOUNT  Minor units (700), or money with its currency ('7.00 EUR')\n",
    )
    expect(stdout).not.toContain('--idempotency-key')
  })

  test('pay alone prints the overview, which fits a terminal of 24 lines', async () => {
    const bare = await bench.runPay([], { tty: true, columns: 80 })
    expect(bare.stdout).toBe((await bench.runPay('-h')).stdout)
    const lines = bare.stdout.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(23)
    expect(lines.filter((line) => line.length > 80 && !line.startsWith('  pay '))).toEqual([])
    for (const name of Object.keys(TREE)) expect(bare.stdout).toContain(name)
  })

  test('--help overrides -h', async () => {
    const both = await bench.runPay('payment refund -h --help')
    expect(both.stdout).toBe((await bench.runPay('payment refund --help')).stdout)
  })
})

test('refuses an unknown topic and suggests a similar one', async () => {
  const refused = await bench.runPay('help paymnt')
  expect(refused).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('payment') })
})
