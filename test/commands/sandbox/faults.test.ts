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

const HANG = 'sandbox faults add --on /payments --do hang'
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
    ['a rate of 20', `${HANG} --rate 20`, '--rate must be a share'],
    ['a rate in percent', `${HANG} --rate 20%`, '--rate must be a share'],
    ['a rate of nothing', `${HANG} --rate=`, '--rate must be a share'],
    ['a seed of letters', `${HANG} --seed abc`, '--seed must be a whole number'],
    ['a seed that is rounded', `${HANG} --seed 12345678901234567890`, '--seed must be'],
    ['no times', `${HANG} --times 0`, '--times must be a whole number from 1'],
    ['a negative skip', `${HANG} --skip=-1`, '--skip must be a whole number from 0'],
    ['an unknown flag', `${HANG} --rat 1`, 'Did you mean --rate?'],
    ['a pattern for list', 'sandbox faults list --on /payments', '--on belongs to add'],
    ['both for clear', 'sandbox faults clear --on /payments --do hang', '--on, --do belong to add'],
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

interface Operation {
  readonly on: string
  readonly words: (id: string) => string
  /** What the client may do after an unknown outcome. */
  readonly kind: 'repeated' | 'never' | 'read'
  readonly needs?: string
  /** How often the call was applied, according to the service's data alone. */
  readonly witness?: (id: string) => Promise<unknown>
}

const processor = async (id: string, figure: string) =>
  Number((await bench.runPay(`--sandbox payment get ${id} --query processor.${figure}`)).stdout) / 100

const OPERATIONS: Readonly<Record<string, Operation>> = {
  'payment.refund': {
    on: 'POST /payments/*/refund',
    words: (id) => `payment refund ${id} --amount 100`,
    kind: 'repeated',
    needs: 'tok_autocapture',
    witness: (id) => processor(id, 'amountRefunded'),
  },
  'loyalty.create': {
    on: 'POST /loyalty-transactions',
    words: () => 'loyalty redeem --connection-id points-1 --customer-id C-1 --order-id A-2 --value 10',
    kind: 'never',
  },
  'payment.get': {
    on: 'GET /payments/*',
    words: (id) => `payment get ${id}`,
    kind: 'read',
    needs: 'tok_visa',
  },
}

/** The exit code and how often the call was applied. */
type Row = Readonly<Record<Operation['kind'], readonly [exitCode: number, applied: number]>>

const row = (
  repeated: readonly [number, number],
  never: readonly [number, number],
  readExit: number,
): Row => ({ repeated, never, read: [readExit, 0] })

const ONCE: Readonly<Record<string, Row>> = {
  refuse: row([0, 1], [0, 1], 0),
  hang: row([0, 1], [10, 0], 0),
  'drop-before': row([0, 1], [10, 0], 0),
  'status=302': row([3, 0], [3, 0], 3),
  'status=400': row([3, 0], [3, 0], 3),
  'status=503': row([0, 1], [10, 0], 0),
  '429=2': row([0, 1], [0, 1], 0),
  'drop-after': row([0, 1], [10, 1], 0),
  'delay=2s': row([0, 1], [0, 1], 0),
  'delay=40s': row([0, 1], [10, 1], 0),
  truncate: row([0, 1], [10, 1], 0),
  malformed: row([0, 1], [10, 1], 11),
  html: row([0, 1], [10, 1], 0),
  partial: row([0, 1], [0, 1], 0),
}

/** The faults that a second attempt doesn't outlive. */
const ALWAYS: Readonly<Record<string, Row>> = {
  refuse: row([9, 0], [9, 0], 9),
  hang: row([10, 0], [10, 0], 11),
  'drop-before': row([10, 0], [10, 0], 11),
  'status=503': row([10, 0], [10, 0], 11),
  '429=2': row([7, 0], [7, 0], 7),
  'drop-after': row([10, 1], [10, 1], 11),
  'delay=40s': row([10, 1], [10, 1], 11),
  truncate: row([10, 1], [10, 1], 11),
  html: row([10, 1], [10, 1], 11),
  malformed: row([10, 1], [10, 1], 11),
}

describe.each(Object.entries(OPERATIONS))('%s', (operation, { on, words, kind, needs, witness }) => {
  async function under(what: string, ...more: readonly string[]) {
    let id = ''
    if (needs !== undefined) {
      const made = await bench.runPay(
        `--sandbox payment create --token ${needs} --amount 1000 --currency EUR --order-id A-1 -o id`,
      )
      id = made.stdout.trim()
    }
    await json(add('--on', on, '--do', what, ...more))
    const ran = await bench.runPay(`--sandbox ${words(id)}`)
    const log = await json('sandbox requests')
    const entries = (Array.isArray(log) ? log : []).filter((entry) => entry.operation === operation)
    return { ran, entries: entries.filter((entry) => needs !== 'tok_visa' || entry.path !== '/payments'), id }
  }

  async function check(what: string, expected: Row, more: readonly string[]) {
    const [exitCode, applied] = expected[kind]
    const { ran, entries, id } = await under(what, ...more)
    expect(ran, ran.stderr).toMatchObject({ exitCode })
    expect(entries.filter((entry) => entry.applied)).toHaveLength(applied)
    const ofWrites = kind === 'read' ? undefined : await witness?.(id)
    if (ofWrites !== undefined) expect(ofWrites).toBe(applied)
    // Every attempt of one call carries the same key.
    expect(new Set(entries.map((entry) => entry.idempotencyKey)).size).toBe(1)
    expect(entries.at(-1)).toMatchObject({ fault: what })
    return entries
  }

  test.each(Object.entries(ONCE))('%s once', async (what, expected) => {
    const entries = await check(what, expected, ['--times', '1'])
    expect(entries.filter((entry) => entry.fault !== undefined)).toHaveLength(1)
  })

  test.each(Object.entries(ALWAYS))('%s always', async (what, expected) => {
    const entries = await check(what, expected, [])
    expect(entries.every((entry) => entry.fault === what)).toBe(true)
  })
})
