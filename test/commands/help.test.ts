import { afterEach, beforeEach, expect, test } from 'vitest'
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

test.each(PAGES.map((words) => [words.join(' '), words] as const))(
  'pay %s --help fits 80 columns, its examples aside',
  async (_, words) => {
    const { stdout } = await bench.runPay([...words, '--help'])
    const lines = stdout
      .split('\n')
      .filter((line) => !/^ {2}(pay|pass|printf|# )/.test(line) && !line.includes('| pay '))
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    expect(lines.filter((line) => line !== line.trimEnd())).toEqual([])
  },
)

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
