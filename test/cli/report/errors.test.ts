import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'

const bench = useBench()

const env = { PAY_API_KEY: 'key-of-env-0123', PAY_BASE_URL: 'http://127.0.0.1:9' }
const MACHINE = ['json', 'ndjson', 'yaml', 'csv', 'id'] as const

const REFUSAL = jsonAnswer(422, {
  error: {
    errorId: 'UnprocessableRefundAmount',
    description: 'Only 3.00 are left.',
    diagnosticsId: 'diag-1',
    validationErrors: [
      { model: 'PaymentRefundAPIRequest', errors: [{ path: '$.amount', description: 'too much' }] },
    ],
  },
})

const refund = (words: string, options: RunOptions = {}) =>
  bench.runPay(`payment refund p1 --amount 500 ${words}`, { env, service: () => REFUSAL, ...options })

test('an error when the connection closes changes neither the result nor its report', async () => {
  const close = () => Promise.reject(new Error('it hangs'))
  const service = () => jsonAnswer(200, { id: 'p1', status: 'SETTLED' })
  const done = await refund('-o id', { service, close })
  expect(done).toMatchObject({ exitCode: 0, stdout: 'p1\n' })
  expect(done.stderr).not.toContain('it hangs')
  expect(await refund('', { close })).toMatchObject({ exitCode: 3, stdout: '' })
})

test.each([
  ['payment refnd p1', 'nothing changed and no money moved'],
  ['payment refund p1 --amnt 5', 'nothing changed and no money moved'],
  ['payment refund p1 --timeout x', 'nothing changed and no money moved'],
  ['payment refund', 'nothing changed and no money moved'],
  ['payment list --limit 0', 'this command only reads; it changes nothing at the service'],
])('the state after an error of the command line: pay %s: %s', async (line, state) => {
  const failed = await bench.runPay(line, { env, service: () => REFUSAL })
  expect(failed).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(failed.stderr).toContain(`  State  ${state}\n`)
})

describe('in machine formats', () => {
  test.each(MACHINE)(
    'an error of %s is one JSON object on the last line of stderr, and stdout is empty',
    async (format) => {
      const failed = await refund(`-o ${format} --idempotency-key my-key`)
      expect(failed).toMatchObject({ exitCode: 3, stdout: '' })
      expect(failed.stderr.endsWith('\n')).toBe(true)
      const last = failed.stderr.trimEnd().split('\n').at(-1) ?? ''
      expect(JSON.parse(last)).toEqual({
        error: {
          code: 'refund_exceeds_remaining',
          exitCode: 3,
          message: expect.any(String),
          httpStatus: 422,
          errorId: 'UnprocessableRefundAmount',
          description: 'Only 3.00 are left.',
          diagnosticsId: 'diag-1',
          validationErrors: [{ path: '$.amount', description: 'too much' }],
          operation: 'payment.refund',
          operationId: expect.any(String),
          idempotencyKey: 'my-key',
          outcome: 'none',
          retryable: false,
          next: ['pay payment get p1'],
        },
      })
    },
  )

  test.each([
    ['--json payment refnd p1', 'unknown_command'],
    ['-o json payment refund p1 --amnt 1', 'unknown_flag'],
    ['payment refund p1 --amnt 1 -ojson', 'unknown_flag'],
    ['payment refund p1 --amount 1 --output=ndjson --timeout x', 'bad_duration'],
    ['payment list -o id --limit 0', 'bad_value'],
    ['--query a payment refund', 'missing_input'],
    ['--frobnicate --json', 'unknown_flag'],
    ['payment list --json --json=1', 'bad_value'],
  ])('so is an error in the command line: pay %s', async (line, code) => {
    const failed = await bench.runPay(line, { env, service: () => REFUSAL })
    expect(failed).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
    const lines = failed.stderr.trimEnd().split('\n')
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ error: { exitCode: 2, code } })
  })

  test('PAY_OUTPUT makes errors machine-readable too', async () => {
    const failed = await bench.runPay('payment refnd', { env: { PAY_OUTPUT: 'json' } })
    expect(JSON.parse(failed.stderr)).toMatchObject({ error: { code: 'unknown_command' } })
  })

  test('the error stays on the last line below notices, warnings and attempts', async () => {
    const failed = await refund('--json --debug')
    const last = failed.stderr.trimEnd().split('\n').at(-1) ?? ''
    expect(JSON.parse(last)).toMatchObject({ error: { exitCode: 3 } })
  })

  test('an unknown outcome says so, with the key to reuse', async () => {
    const failed = await bench.runPay('payment refund p1 --amount 500 --json --max-retries 1', {
      env,
      service: () => jsonAnswer(503, {}),
    })
    expect(failed).toMatchObject({ exitCode: 10, stdout: '' })
    const error = errorOf(failed)
    expect(error).toMatchObject({ code: 'outcome_unknown', outcome: 'unknown', operation: 'payment.refund' })
    expect(error.idempotencyKey).toBe(failed.requests[0]?.headers['x-idempotency-key'])
  })
})

describe('for people', () => {
  test('an error says what failed, why, what happened to the money, what to type next and what to quote', async () => {
    const failed = await refund('')
    expect(failed.stdout).toBe('')
    expect(
      failed.stderr
        .trimEnd()
        .split('\n')
        .map((line) => line.trim().split(/\s+/)[0]),
    ).toEqual(['✗', 'Why', '--amount:', 'State', 'Next', 'Quote'])
    expect(failed.stderr).toContain('Only 3.00 are left.')
    expect(failed.stderr).toContain('no money moved')
    expect(failed.stderr).toContain('pay payment get p1')
    expect(failed.stderr).toContain('diag-1')
  })

  test('suggested commands name the chosen profile', async () => {
    const failed = await bench.runPay('--sandbox payment refund nobody12 --amount 5')
    expect(failed.stderr).toContain('pay --sandbox payment list')
  })
})

test('--quiet keeps warnings and errors', async () => {
  const warned = await bench.runPay('payment get p1 -q', {
    env,
    service: () => jsonAnswer(200, { id: 'p1', amount: '7' }),
  })
  expect(warned).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Warning') })
  const failed = await bench.runPay('payment get p1 -q', { env, service: () => jsonAnswer(404, {}) })
  expect(failed.stderr).toContain('✗')
})
