import { describe, expect, test } from 'vitest'
import { useBench } from '../support/use-bench.ts'
import type { RunOptions, RunResult } from '../support/run-pay.ts'
import { MONEY, answer } from './raw-answers.ts'

const bench = useBench()

const run = (words: string, body: string, options: RunOptions = {}): Promise<RunResult> =>
  bench.runPay(words, { service: () => answer(body), env: MONEY, ...options })

describe('text from the service', () => {
  const HOSTILE = JSON.stringify({
    id: 'p1\u001b]0;owned\u0007',
    status: 'SETTLED\u001b[2J',
    amount: 700,
    currencyCode: 'EUR',
    orderId: 'A\u202Egpj\u202C\u200B',
    customer: { firstName: '\u001b[31mred' },
  })

  test.each(['table', 'json', 'ndjson', 'yaml', 'csv', 'id'])(
    'cannot control the terminal in %s',
    async (format) => {
      const got = await run(`payment get p1 -o ${format}`, HOSTILE, { tty: true, columns: 80 })
      const ours = got.stdout.replaceAll(/\u001b\[\d+m/g, format === 'table' ? '' : '$&')
      expect(ours).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200B\u202A-\u202E]/)
      expect(ours).not.toContain('\u001b')
    },
  )

  test.each(['table', 'json'])('cannot control it in an error with %s', async (format) => {
    const body = JSON.stringify({
      error: {
        errorId: 'Bad\u001b[2J',
        description: 'no\u001b[31m\u202E\nway',
        diagnosticsId: 'd\u009b2J',
        recoverySuggestion: '\u0007bell',
        validationErrors: [
          { model: 'M', errors: [{ path: '$.\u001b[1m', description: '\u001b]0;x\u0007' }] },
        ],
      },
    })
    const got = await bench.runPay(`payment get p1 -o ${format}`, {
      tty: format === 'table',
      env: { ...MONEY, NO_COLOR: '1' },
      service: () => answer(body, 422),
    })
    expect(got.exitCode).toBe(3)
    expect(got.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202A-\u202E]/)
  })

  test('that is not JSON cannot control it either', async () => {
    const got = await run('payment capture p1 --amount 5', '<html>\u001b[2J\u009bred</html>')
    expect(got.exitCode).toBe(10)
    expect(got.stdout + got.stderr).not.toMatch(/[\u001b\u009b]/)
  })
})
