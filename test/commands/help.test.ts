import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TREE } from '../../src/commands/tree.ts'
import { HELP_TOPICS } from '../../src/commands/top/help-topics.ts'
import { createBench } from '../support/run-pay.ts'
import type { Bench } from '../support/run-pay.ts'

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => {
  bench.dispose()
})

/** The first page, each noun and each verb. */
const PAGES: readonly (readonly string[])[] = [
  [],
  ...Object.entries(TREE).flatMap(([name, noun]) => [
    [name],
    ...Object.keys(noun.verbs ?? {}).map((verb) => [name, verb]),
  ]),
]

test.each(PAGES.map((words) => [words.join(' '), words] as const))(
  'pay %s --help reads as it did',
  async (_, words) => {
    const page = await bench.runPay([...words, '--help'])
    expect(page).toMatchObject({ exitCode: 0, stderr: '' })
    const name = words.length === 0 ? 'pay' : words.join('-')
    await expect(page.stdout).toMatchFileSnapshot(`../golden/help/${name}.txt`)
  },
)

/** What is typed or copied stays in one piece. */
const isCopied = (line: string): boolean =>
  /^ {2}(pay|pass|printf|echo|mkdir|Add-Content|# )/.test(line) || line.includes('| pay ')

describe.each([
  ['--help', 60],
  ['--help', 80],
  ['-h', 60],
  ['-h', 80],
] as const)('%s in %i columns', (flag, columns) => {
  test.each(PAGES.map((words) => [words.join(' '), words] as const))(
    'pay %s fits, its examples aside',
    async (_, words) => {
      const { stdout } = await bench.runPay([...words, flag], { tty: true, columns })
      const lines = stdout.split('\n')
      // Tables in the words of a command are set for 80.
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

test('a wide terminal gets lines that can be read', async () => {
  const wide = await bench.runPay('payment refund --help', { tty: true, columns: 200 })
  expect(wide.stdout).toBe((await bench.runPay('payment refund --help')).stdout)
})

describe('-h', () => {
  test.each(
    PAGES.filter((words) => words.length !== 1 || TREE[words[0] ?? '']?.load !== undefined).map(
      (words) => [words.join(' '), words] as const,
    ),
  )('pay %s is shorter than --help, and leads there', async (_, words) => {
    const [short, whole] = [await bench.runPay([...words, '-h']), await bench.runPay([...words, '--help'])]
    expect(short).toMatchObject({ exitCode: 0, stderr: '' })
    expect(short.stdout.length).toBeLessThan(whole.stdout.length * 0.8)
    expect(short.stdout.replaceAll(/\s+/g, ' ')).toContain(`More: ${['pay', ...words].join(' ')} --help`)
  })

  test('shows the first examples and the own options of a command, and nothing of all the others', async () => {
    const { stdout } = await bench.runPay('payment refund -h')
    await expect(stdout).toMatchFileSnapshot('../golden/help-short/payment-refund.txt')
    expect(stdout).not.toContain('--idempotency-key')
  })

  test('the first page', async () => {
    await expect((await bench.runPay('-h')).stdout).toMatchFileSnapshot('../golden/help-short/pay.txt')
  })

  test('the first page is what pay alone shows, and fits a terminal of 24 lines with its prompt', async () => {
    const bare = await bench.runPay([], { tty: true, columns: 80 })
    expect(bare.stdout).toBe((await bench.runPay('-h')).stdout)
    const lines = bare.stdout.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(23)
    expect(lines.filter((line) => line.length > 80 && !line.startsWith('  pay '))).toEqual([])
    for (const name of Object.keys(TREE)) expect(bare.stdout).toContain(name)
  })

  test('beside --help the whole page is meant', async () => {
    const both = await bench.runPay('payment refund -h --help')
    expect(both.stdout).toBe((await bench.runPay('payment refund --help')).stdout)
  })
})

test.each(Object.keys(HELP_TOPICS))('pay help %s is a page', async (topic) => {
  const page = await bench.runPay(['help', topic])
  expect(page).toMatchObject({ exitCode: 0, stderr: '' })
  expect(page.stdout).toBe(HELP_TOPICS[topic])
})

test('an unknown topic is refused with what was meant', async () => {
  const refused = await bench.runPay('help paymnt')
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(refused.stderr).toContain('payment')
})
