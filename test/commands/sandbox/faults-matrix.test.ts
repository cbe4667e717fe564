import { describe, expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import { jsonOf } from './json-of.ts'

const bench = useBench()

const json = (words: string | readonly string[]) => jsonOf(bench, words)

const add = (...more: readonly string[]) => ['sandbox', 'faults', 'add', ...more]
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
