import { describe, expect, test } from 'vitest'
import { TREE } from '../../src/commands/tree.ts'
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

test.each(PAGES.map((words) => [words.join(' '), words] as const))(
  'pay %s --help matches its golden file',
  async (_, words) => {
    const page = await bench.runPay([...words, '--help'])
    expect(page).toMatchObject({ exitCode: 0, stderr: '' })
    const name = words.length === 0 ? 'pay' : words.join('-')
    await expect(page.stdout).toMatchFileSnapshot(`../golden/help/${name}.txt`)
  },
)

/** Lines that you type or copy are never broken. */
const isCopied = (line: string): boolean =>
  /^ {2}(pay|pass|printf|echo|mkdir|Add-Content|# )/.test(line) || line.includes('| pay ')

describe.each([
  ['--help', 60],
  ['--help', 80],
  ['-h', 60],
  ['-h', 80],
] as const)('%s in %i columns', (flag, columns) => {
  test.each(PAGES.map((words) => [words.join(' '), words] as const))(
    'pay %s fits, except for its examples',
    async (_, words) => {
      const { stdout } = await bench.runPay([...words, flag], { tty: true, columns })
      const lines = stdout.split('\n')
      // Tables in help texts are laid out for 80 columns.
      const wide = lines.filter(
        (line) => line.length > columns && !isCopied(line) && !(line.length <= 80 && /\S {2,}\S/.test(line)),
      )
      // A word that is longer than its column cannot be broken.
      expect(
        wide.filter(
          (line) => !line.startsWith('Usage: ') && line.trim().includes(' ') && !line.includes("'name=Blue"),
        ),
      ).toEqual([])
      expect(lines.filter((line) => line !== line.trimEnd())).toEqual([])
    },
  )
})

test('lines stay readable on a wide terminal', async () => {
  const wide = await bench.runPay('payment refund --help', { tty: true, columns: 200 })
  expect(wide.stdout).toBe((await bench.runPay('payment refund --help')).stdout)
})

describe('-h', () => {
  test.each(
    PAGES.filter((words) => words.length !== 1 || TREE[words[0] ?? '']?.load !== undefined).map(
      (words) => [words.join(' '), words] as const,
    ),
  )('pay %s is shorter than --help and points to it', async (_, words) => {
    const [short, whole] = [await bench.runPay([...words, '-h']), await bench.runPay([...words, '--help'])]
    expect(short).toMatchObject({ exitCode: 0, stderr: '' })
    expect(short.stdout.length).toBeLessThan(whole.stdout.length * 0.8)
    expect(short.stdout.replaceAll(/\s+/g, ' ')).toContain(`More: ${['pay', ...words].join(' ')} --help`)
  })

  test('shows the first examples and the options of the command, without the global ones', async () => {
    const { stdout } = await bench.runPay('payment refund -h')
    await expect(stdout).toMatchFileSnapshot('../golden/help-short/payment-refund.txt')
    expect(stdout).not.toContain('--idempotency-key')
  })

  test('the overview matches its golden file', async () => {
    await expect((await bench.runPay('-h')).stdout).toMatchFileSnapshot('../golden/help-short/pay.txt')
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
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(refused.stderr).toContain('payment')
})
