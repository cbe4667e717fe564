import { describe, expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import { jsonOf } from './json-of.ts'

const bench = useBench()

const json = (words: string | readonly string[]) => jsonOf(bench, words)

const add = (...more: readonly string[]) => ['sandbox', 'faults', 'add', ...more]
const REFUNDS = ['--on', 'POST /payments/*/refund', '--do', 'drop-after']

describe('add, list, clear', () => {
  test('keeps an added fault for later commands until it is cleared', async () => {
    const first = await json(add(...REFUNDS, '--rate', '0.2', '--seed', '7', '--times', '3', '--skip', '1'))
    expect(first).toEqual({
      id: 1,
      on: 'POST /payments/*/refund',
      do: 'drop-after',
      rate: 0.2,
      seed: 7,
      times: 3,
      skip: 1,
      matched: 0,
      fired: 0,
    })
    const second = await json(add('--on', '/payments', '--do', 'delay=500ms'))
    expect(second).toMatchObject({ id: 2, on: '* /payments', rate: 1, seed: expect.any(Number), skip: 0 })
    expect(await json('sandbox faults list')).toEqual([first, second])
    expect((await bench.runPay('sandbox faults list -o id')).stdout).toBe('1\n2\n')
    expect((await bench.runPay('sandbox faults list -o csv')).stdout).toMatch(
      /^id,on,do,rate,seed,times,skip,matched,fired\r?\n1,/,
    )
    expect(await json('sandbox faults clear')).toEqual({ cleared: 2 })
    expect(await json('sandbox faults list')).toEqual([])
  })

  test.each([
    [2, '2 faults removed.\n'],
    [1, '1 fault removed.\n'],
    [0, 'There were no faults.\n'],
  ])('clear says how many faults it removed: %i', async (count, stdout) => {
    for (let made = 0; made < count; made += 1) await bench.runPay(add(...REFUNDS))
    expect(await bench.runPay('sandbox faults clear')).toMatchObject({ exitCode: 0, stdout })
  })

  test('an empty list is a sentence for people and an empty array in JSON', async () => {
    expect(await bench.runPay('sandbox faults list')).toMatchObject({
      stdout: expect.stringMatching(/^No faults/),
    })
    expect((await bench.runPay('sandbox faults list --json')).stdout).toBe('[]\n')
  })

  test('faults belong to their folder', async () => {
    await json(add(...REFUNDS, '--data', 'other'))
    expect(await json('sandbox faults list')).toEqual([])
    expect(await json('sandbox faults list --data other')).toHaveLength(1)
  })

  test('reset removes faults', async () => {
    await bench.runPay(add(...REFUNDS))
    await bench.runPay('sandbox reset')
    expect(await json('sandbox faults list')).toEqual([])
  })

  test.each([
    ['POST /paymets/*/refund', 'did you mean POST /payments/*/refund?'],
    ['GET /payments/*/refund', 'no operation matches GET /payments/*/refund'],
    ['/sandbox/**', 'no operation matches * /sandbox/**'],
  ])('warns that no operation matches %s', async (on, says) => {
    const added = await bench.runPay(add('--on', on, '--do', 'hang'))
    expect(added).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(says) })
  })

  test.each([
    '/**',
    '* /**/refund',
    'POST /payments/p123/refund',
    'DELETE /payment-instruments/*',
    '/payments/**',
    'POST /auth/client-token',
  ])('does not warn of %s', async (on) => {
    expect((await bench.runPay(add('--on', on, '--do', 'hang', '-q'))).stderr).toBe('')
  })
})

describe('bad input', () => {
  test.each([
    ['no action', 'sandbox faults', 'Missing: ACTION (add, list or clear)'],
    ['an unknown action', 'sandbox faults lst', 'Did you mean list?'],
    ['an extra argument', 'sandbox faults list all', 'Too many arguments'],
    ['nothing to add', 'sandbox faults add', '--on: is required'],
    ['what, and not where', 'sandbox faults add --do hang', '--on is required'],
    ['where, and not what', 'sandbox faults add --on /payments', '--do is required'],
    ['an unknown kind', 'sandbox faults add --on /payments --do drop-aftr', 'did you mean drop-after?'],
    ['an unknown method', "sandbox faults add --on 'PSOT /payments' --do hang", 'did you mean POST?'],
    ['a rate of 20', 'sandbox faults add --on /payments --do hang --rate 20', '--rate must be a share'],
    ['a rate in percent', 'sandbox faults add --on /payments --do hang --rate 20%', '--rate must be a share'],
    ['a rate of nothing', 'sandbox faults add --on /payments --do hang --rate=', '--rate must be a share'],
    [
      'a seed of letters',
      'sandbox faults add --on /payments --do hang --seed abc',
      '--seed must be a whole number',
    ],
    [
      'a seed that is rounded',
      'sandbox faults add --on /payments --do hang --seed 12345678901234567890',
      '--seed must be',
    ],
    [
      'no times',
      'sandbox faults add --on /payments --do hang --times 0',
      '--times must be a whole number from 1',
    ],
    [
      'a negative skip',
      'sandbox faults add --on /payments --do hang --skip=-1',
      '--skip must be a whole number from 0',
    ],
    ['an unknown flag', 'sandbox faults add --on /payments --do hang --rat 1', 'Did you mean --rate?'],
    ['a pattern for list', 'sandbox faults list --on /payments', '--on belongs to add'],
    [
      'a pattern and a kind for clear',
      'sandbox faults clear --on /payments --do hang',
      '--on, --do belong to add',
    ],
    ['a dry run', 'sandbox faults clear --dry-run', 'does not support --dry-run'],
  ])('refuses %s', async (_, words, says) => {
    const result = await bench.runPay(words)
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain(says)
  })

  test('reports every problem at once, to scripts too', async () => {
    const result = await bench.runPay(add('--on', 'payments', '--do', 'explode', '--rate', '2', '--json'))
    expect(JSON.parse(result.stderr)).toMatchObject({
      error: {
        code: 'bad_fault',
        exitCode: 2,
        outcome: 'none',
        validationErrors: [{ path: '--on' }, { path: '--do' }, { path: '--rate' }],
      },
    })
    expect(await json('sandbox faults list')).toEqual([])
  })
})

test('a refund with a lost response is retried with its key, refused, read and reported as done', async () => {
  const made = await bench.runPay(
    '--sandbox payment create --token tok_autocapture --amount 1000 --currency EUR --order-id A-1 -o id',
  )
  const id = made.stdout.trim()
  await bench.runPay('sandbox requests clear')
  await bench.runPay(add(...REFUNDS, '--times', '1'))
  const refunded = await bench.runPay(
    `--sandbox payment refund ${id} --amount 300 --query processor.amountRefunded`,
  )
  expect(refunded).toMatchObject({ exitCode: 0, stdout: '300\n' })
  expect(await json('sandbox requests')).toEqual([
    expect.objectContaining({ operation: 'payment.get', status: 200, applied: false }),
    expect.objectContaining({
      operation: 'payment.refund',
      status: 409,
      applied: false,
      errorId: 'IdempotencyKeyAlreadyExists',
    }),
    expect.objectContaining({ operation: 'payment.refund', fault: 'drop-after', applied: true }),
  ])
  expect(await json('sandbox faults list')).toMatchObject([{ matched: 2, fired: 1 }])
})

test('waits as long as 429 says, but no longer than its timeout', async () => {
  await bench.runPay(add('--on', 'GET /payments', '--do', '429=30', '--times', '1'))
  await bench.runPay('--sandbox payment list')
  expect(bench.waits).toEqual([30_000])
  await bench.runPay('sandbox faults clear')
  await bench.runPay(add('--on', 'GET /payments', '--do', 'delay=20s', '--times', '1'))
  expect(await bench.runPay('--sandbox payment list')).toMatchObject({ exitCode: 0 })
  expect(await bench.runPay('--sandbox payment list --timeout 5s')).toMatchObject({ exitCode: 0 })
  expect(bench.waits).toEqual([30_000, 20_000])
})
