import { describe, expect, test } from 'vitest'
import { HELP_TOPICS } from '../../../src/commands/top/help-topics.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

describe('pay help', () => {
  test.each(Object.entries(HELP_TOPICS))('%s prints its page', async (topic, text) => {
    const { stdout, ...shown } = await bench.runPay(['help', topic])
    expect(shown).toMatchObject({ exitCode: 0, stderr: '' })
    expect(stdout.split(/\s+/)).toEqual(text.split(/\s+/))
  })

  test.each([
    ['help payment refund', 'payment refund --help'],
    ['help payment', 'payment --help'],
    ['help obs', 'observability --help'],
    ['help whoami', 'whoami --help'],
    ['help', '--help'],
  ])('%s prints the same as %s', async (words, same) => {
    const shown = await bench.runPay(words)
    expect(shown.exitCode).toBe(0)
    expect(shown.stdout).toBe((await bench.runPay(same)).stdout)
  })

  test.each(
    Object.keys(HELP_TOPICS).flatMap((topic) => [60, 80].map((columns) => [topic, columns] as const)),
  )('%s fits %i columns, except for commands, with the same text', async (topic, columns) => {
    const { stdout } = await bench.runPay(['help', topic], { tty: true, columns })
    const wide = stdout
      .split('\n')
      .filter((line) => line.length > columns && !/^ {2}(pay|printf|--|PAY)/.test(line))
    expect(wide).toEqual([])
    const words = (text: string) => text.split(/\s+/).join(' ')
    expect(words(stdout)).toBe(words(HELP_TOPICS[topic] ?? ''))
  })

  test.each([
    ['capture', 'payment capture', undefined],
    ['refund', 'payment refund', 'pay help loyalty refund'],
    ['push', 'observability push', undefined],
  ])('%s prints the page of the command with that verb', async (verb, command, also) => {
    const shown = await bench.runPay(['help', verb])
    expect(shown.exitCode).toBe(0)
    const { stdout: page } = await bench.runPay(`${command} --help`)
    expect(shown.stdout).toBe(also === undefined ? page : `${page}\nOther commands with this name: ${also}\n`)
  })

  test('suggests a similar topic', async () => {
    const wrong = await bench.runPay('help exit-code')
    expect(wrong).toMatchObject({ exitCode: 2, stdout: '' })
    expect(wrong.stderr).toContain('Did you mean "pay help exit-codes"?')
  })

  test('lists the topics if none is similar', async () => {
    const wrong = await bench.runPay('help qqqqqqqq')
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('No help on "qqqqqqqq"') })
    for (const topic of Object.keys(HELP_TOPICS)) expect(wrong.stderr).toContain(topic)
  })
})
