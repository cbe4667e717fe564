import { describe, expect, test } from 'vitest'
import { useBench } from '../support/use-bench.ts'
import type { RunOptions, RunResult } from '../support/run-pay.ts'
import { MONEY, PAYMENT, answer } from './raw-answers.ts'

const bench = useBench()

const run = (words: string, body: string, options: RunOptions = {}): Promise<RunResult> =>
  bench.runPay(words, { service: () => answer(body), env: MONEY, ...options })

describe('times', () => {
  const SESSION = '{"clientToken":"t","clientTokenExpirationDate":"2026-11-20T15:36:16.367687"}'
  const create = (words: string, timeZone?: string) =>
    run(`session create --order-id A-1 ${words}`, SESSION, timeZone === undefined ? {} : { timeZone })

  test("are shown in the machine's time zone, with its name, or in UTC", async () => {
    expect((await create('', 'Asia/Tokyo')).stdout).toContain('2026-11-21 00:36:16 GMT+9')
    expect((await create('')).stdout).toContain('2026-11-20 15:36:16 UTC')
  })

  test('are unchanged in JSON', async () => {
    expect((await create('--json', 'Asia/Tokyo')).stdout).toContain('2026-11-20T15:36:16.367687')
  })
})

describe('colour', () => {
  const colored = (result: RunResult) => /\u001b\[\d/.test(result.stdout)

  test.each([
    ['--color always', {}, false, true],
    ['--color never', {}, true, false],
    ['--color auto', {}, true, true],
    ['--color auto', {}, false, false],
    ['', {}, true, true],
    ['', {}, false, false],
    ['', { NO_COLOR: '1' }, true, false],
    ['', { NO_COLOR: '' }, true, true],
    ['', { FORCE_COLOR: '1' }, false, true],
    ['', { FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
    ['--color auto', { FORCE_COLOR: '1', NO_COLOR: '1' }, true, false],
    ['', { FORCE_COLOR: '0' }, true, false],
    ['--color always', { NO_COLOR: '1' }, false, true],
    ['--color never', { FORCE_COLOR: '1' }, true, false],
    ['', { TERM: 'dumb' }, true, false],
  ])('"%s" with %j, terminal %s: %s', async (words, env, tty, isColored) => {
    const got = await run(`payment get p1 ${words}`, PAYMENT, { tty, env: { ...MONEY, ...env } })
    expect(colored(got)).toBe(isColored)
  })

  test.each(['json', 'ndjson', 'yaml', 'csv', 'id'])('is never in %s', async (format) => {
    const got = await run(`payment get p1 --color always -o ${format}`, PAYMENT, {
      tty: true,
      env: { ...MONEY, FORCE_COLOR: '3' },
    })
    expect(got.exitCode).toBe(0)
    expect(got.stdout).not.toContain('\u001b')
  })

  test('is never in errors in a machine format', async () => {
    const got = await bench.runPay('payment get p1 --color always -o json', {
      tty: true,
      env: { ...MONEY, FORCE_COLOR: '3' },
      service: () => answer('{}', 404),
    })
    expect(got.stderr).not.toContain('\u001b')
  })
})
