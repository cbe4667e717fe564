import { describe, expect, test } from 'vitest'
import { z } from '../../../src/api/schema.ts'
import type { Verdict } from '../../../src/rows/batch/plan.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { useBatchBench } from './batch-bench.ts'

const { bench, pay, payment, plan, write, rowsIn } = useBatchBench()

/** A plan of one bad row, and what its message says to do, done. */
interface WayOut {
  readonly operation?: string
  /** Prepares the row, and returns it with its header. */
  readonly row: () => Promise<string>
  /** The words of the message that say what to do. */
  readonly says: string | RegExp
  /** Does it, and returns what is planned then: rows, flags and operation. What is left out stays. */
  readonly done: (row: string, message: string) => Promise<Replanned> | Replanned
}

interface Replanned {
  readonly row?: string
  readonly flags?: string
  readonly operation?: string
}

const one = (columns: string, ...cells: readonly string[]): string => `${columns}\n${cells.join(',')}\n`
const BY_ID = 'paymentId,amount'
const put = (from: string | RegExp, to: string) => (row: string) => ({ row: row.replace(from, to) })
/** Removes the row. What is left is a row that is ready. */
const removed = async (): Promise<Replanned> => ({ row: one(BY_ID, await payment('o-9'), '100') })

const WAYS_OUT: Readonly<Record<Exclude<Verdict, 'ready' | 'over_limit'>, readonly WayOut[]>> = {
  bad_row: [
    {
      row: async () => one(BY_ID, await payment('o-1'), '0'),
      says: 'write all for all that is left',
      done: put(',0', ',all'),
    },
    {
      row: async () => one(BY_ID, await payment('o-1'), '5.00'),
      says: 'use --const currencyCode=EUR',
      done: () => ({ flags: '--const currencyCode=EUR' }),
    },
    {
      row: async () => one(BY_ID, await payment('o-1'), '"5,00"'),
      says: 'add --decimal-comma',
      done: () => ({ flags: '--decimal-comma --const currencyCode=EUR' }),
    },
  ],
  not_found: [
    {
      row: async () => (await payment('o-1'), one('orderId,amount', 'O-1', '500')),
      says: 'check the order ID and the profile',
      done: put('O-1', 'o-1'),
    },
    {
      row: async () => one(BY_ID, `${await payment('o-1')}x`, '500'),
      says: 'check the ID and the profile',
      done: put('x,', ','),
    },
  ],
  ambiguous_order: [
    {
      row: async () => (await payment('o-1'), await payment('o-1'), one('orderId,amount', 'o-1', '500')),
      says: 'fill in the paymentId',
      done: (_row, message) => ({ row: one(BY_ID, /\((\w+),/.exec(message)?.[1] ?? '', '500') }),
    },
  ],
  unread: [
    {
      row: async () => {
        const id = await payment('o-1')
        await pay("sandbox faults add --on 'GET /payments/*' --do status=500")
        return one(BY_ID, id, '500')
      },
      says: 'plan the row again',
      done: async () => (await pay('sandbox faults clear'), {}),
    },
  ],
  in_doubt: [
    {
      row: async () => {
        const id = await payment('o-1')
        await pay("sandbox faults add --on 'POST /payments/*/refund' --do drop-after --times 1")
        await pay(`payment refund ${id} --amount 400 --max-retries 0`)
        return one(BY_ID, id, '500')
      },
      says: /run pay ops resolve \w+, then plan the row again/,
      done: async (_row, message) => {
        // The bench's IDs are a sequence: their beginnings are equal.
        const begin = /run pay ops resolve (\w+)/.exec(message)?.[1] ?? 'none'
        const id = (await pay('ops list --state in-doubt -o id')).stdout.trim()
        expect(id.startsWith(begin)).toBe(true)
        expect(await pay(`ops resolve ${id}`)).toMatchObject({ exitCode: 0 })
        return {}
      },
    },
  ],
  done_before: [
    {
      row: async () => {
        const id = await payment('o-1')
        await pay(`payment refund ${id} --amount 500 --once T-1`)
        return one('paymentId,amount,ticket', id, '500', 'T-1')
      },
      says: 'remove the row, or give it another ticket',
      done: put('T-1', 'T-2'),
    },
  ],
  currency_mismatch: [
    {
      row: async () => one(BY_ID, await payment('o-1'), '5.00 USD'),
      says: 'correct the row',
      done: put('USD', 'EUR'),
    },
  ],
  wrong_state: [
    {
      operation: 'cancel',
      row: async () => one('paymentId', await payment('o-1')),
      says: 'refund it instead',
      done: () => ({ operation: 'refund', flags: '--empty-amount all' }),
    },
    {
      operation: 'capture',
      row: async () => {
        const id = await payment('o-1', { token: 'tok_visa' })
        await pay(`payment cancel ${id}`)
        return one(BY_ID, id, '500')
      },
      says: 'remove the row',
      done: async () => ({ ...(await removed()), operation: 'refund' }),
    },
  ],
  not_captured: [
    {
      row: async () => one(BY_ID, await payment('o-1', { token: 'tok_visa' }), 'all'),
      says: 'cancel it instead',
      done: (row) => ({ operation: 'cancel', row: row.replace(',amount', '').replace(',all', '') }),
    },
  ],
  nothing_left: [
    {
      row: async () => {
        const id = await payment('o-1')
        await pay(`payment refund ${id}`)
        return one(BY_ID, id, '500')
      },
      says: 'remove the row',
      done: removed,
    },
    {
      operation: 'capture',
      row: async () => one(BY_ID, await payment('o-1'), '500'),
      says: 'remove the row',
      done: async () => ({ ...(await removed()), operation: 'refund' }),
    },
  ],
  exceeds_remaining: [
    {
      row: async () => one(BY_ID, await payment('o-1'), '50.00 EUR'),
      says: 'correct the amount',
      done: (row, message) => ({
        row: row.replace('50.00 EUR', /than the (.+) left/.exec(message)?.[1] ?? ''),
      }),
    },
  ],
  possible_duplicate: [
    {
      row: async () => {
        const id = await payment('o-1')
        await pay(`payment refund ${id} --amount 500`)
        return one('paymentId,amount,ticket', id, '500', '')
      },
      says: 'give the row a ticket',
      done: put(',500,', ',500,T-1'),
    },
    {
      row: async () => {
        const id = await payment('o-1')
        await pay(`payment refund ${id} --amount 500`)
        return one(BY_ID, id, '500')
      },
      says: 'plan with --again',
      done: () => ({ flags: '--again' }),
    },
    {
      row: async () => one('paymentId,amount,reason_not_done', await payment('o-1'), '500', 'payment_moved'),
      says: 'clear reason_not_done',
      done: put('payment_moved', ''),
    },
  ],
}

describe.each(Object.entries(WAYS_OUT))('%s', (verdict, ways) => {
  test.each(ways)('its way out %#', async ({ operation = 'refund', row, says, done }) => {
    const csv = await row()
    const planned = await plan(operation, csv, '--rejects r.csv')
    const [bad] = planned.rows
    expect({ exitCode: planned.exitCode, bad }).toMatchObject({ exitCode: 14, bad: { verdict } })
    expect(bad?.message).toEqual(
      says instanceof RegExp ? expect.stringMatching(says) : expect.stringContaining(says),
    )
    const replanned = await done(csv, bad?.message ?? '')
    const again = await plan(replanned.operation ?? operation, replanned.row ?? csv, replanned.flags)
    expect({ exitCode: again.exitCode, rows: again.rows }).toMatchObject({
      exitCode: 0,
      rows: [{ verdict: 'ready' }],
    })
  })
})

test('over_limit: the person who set the limit changes it', async () => {
  await storeProfile(bench(), { words: ['--max-amount', '5.00 EUR'] })
  write('in.csv', 'paymentId,amount\np1,501\n')
  const figures = { amountCaptured: 5000, amountRefunded: 0 }
  const settled = { id: 'p1', status: 'SETTLED', amount: 5000, currencyCode: 'EUR', processor: figures }
  const options: RunOptions = { service: () => jsonAnswer(200, settled) }
  const planned = await bench().runPay('batch plan refund in.csv --profile shop', options)
  expect(planned.exitCode).toBe(14)
  expect(rowsIn('in.plan.ndjson')).toMatchObject([
    { verdict: 'over_limit', message: expect.stringContaining('change the limit') },
  ])
  await bench().runPay(['profile', 'set', 'shop', '--max-amount', '6.00 EUR', '--yes'])
  expect(await bench().runPay('batch plan refund in.csv --profile shop', options)).toMatchObject({
    exitCode: 0,
  })
})

test('the command that a plan names shows every row that is not ready, and names no other', async () => {
  const rows = ['nope,5', `${await payment('o-1')},0`, `${await payment('o-2')},99999`]
  write('in.csv', `paymentId,amount\n${rows.join('\n')}\n`)
  const planned = await pay('batch plan refund in.csv')
  const next = /Next +pay --sandbox (batch show .+)/.exec(planned.stderr)?.[1] ?? ''
  const shown = await pay(`${next} --json`)
  const { data: found } = z
    .looseObject({ data: z.array(z.looseObject({ row: z.number() })) })
    .parse(JSON.parse(shown.stdout))
  expect({ exitCode: shown.exitCode, rows: found.map(({ row }) => row) }).toEqual({
    exitCode: 0,
    rows: [1, 2, 3],
  })
  expect(shown.stderr).not.toMatch(/Next/)
})
