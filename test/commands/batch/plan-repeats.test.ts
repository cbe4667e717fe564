import { MACHINE, timed } from '../../support/timing.ts'
import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { useBatchBench } from './batch-bench.ts'

const { bench, pay, payment, plan, rowsIn, write } = useBatchBench()

const verdictsIn = ({ rows }: Awaited<ReturnType<typeof plan>>) => rows.map(({ verdict }) => verdict)

describe('a row that repeats an earlier refund is possible_duplicate', () => {
  test('if this machine sent it, however long ago, even if the payment does not show it', async () => {
    const id = await payment('o-1', { token: 'tok_refund_fails' })
    await pay(`payment capture ${id}`)
    await pay(`payment refund ${id} --amount 500`)
    await pay('sandbox clock advance 1d')
    bench().clock.now = new Date(bench().clock.now.getTime() + 90 * 24 * 60 * 60 * 1000)
    const planned = await plan('refund', `paymentId,amount\n${id},500\n${id},501\n`)
    expect(planned.rows[0]).toMatchObject({
      verdict: 'possible_duplicate',
      amount: 500,
      message:
        'this machine sent an equal refund of 5.00 EUR on 2026-03-01: if it is intentional, give the row a ticket, or plan with --again',
    })
    expect(planned.answer).toMatchObject({ ready: 1, refused: 1 })
  })

  test('if the payment shows a refund of that amount that another machine made', async () => {
    const id = await payment('o-1')
    // The ledger of this machine doesn't know the refund.
    await pay(`payment refund ${id} --amount 500`, {
      withLedger: (ledger) => ({
        ...ledger,
        begin: async () => ({
          id: 'elsewhere',
          isInDoubt: false,
          ...timed({ wallMs: 0, machine: MACHINE }),
          place: 'ledger.db',
          standing: async () => 'ours' as const,
          fence: async () => true,
          isLeased: () => true,
          settle: async () => {},
        }),
      }),
    })
    const { rows } = await plan('refund', `paymentId,amount\n${id},500\n${id},5.01 EUR\n`)
    expect(rows[0]).toMatchObject({
      verdict: 'possible_duplicate',
      message: expect.stringMatching(/^the payment already shows a refund of 5\.00 EUR, 2026-03-01: /),
    })
    expect(rows[1]).toMatchObject({ verdict: 'ready' })
  })

  test('if an earlier row of the file is the same, and neither has a ticket', async () => {
    const id = await payment('o-1')
    const planned = await plan('refund', `paymentId,orderId,amount\n${id},,500\n,o-1,5.00 EUR\n${id},,499\n`)
    expect(verdictsIn(planned)).toEqual(['ready', 'possible_duplicate', 'ready'])
    expect(planned.rows[1]?.message).toMatch(/^row 1 is the same refund of 5\.00 EUR: /)
  })
})

describe('a repeat is ready', () => {
  test('with a ticket that was not used before', async () => {
    const id = await payment('o-1')
    await pay(`payment refund ${id} --amount 500`)
    const planned = await plan(
      'refund',
      `paymentId,amount,ticket\n${id},500,T-1\n${id},500,T-2\n${id},500,\n`,
    )
    expect(verdictsIn(planned)).toEqual(['ready', 'ready', 'possible_duplicate'])
    expect(planned.answer).toMatchObject({ totals: [{ currencyCode: 'EUR', count: 2, amount: 1000 }] })
  })

  test('with --again, for every row', async () => {
    const id = await payment('o-1')
    await pay(`payment refund ${id} --amount 500`)
    expect(verdictsIn(await plan('refund', `paymentId,amount\n${id},500\n${id},500\n`, '--again'))).toEqual([
      'ready',
      'ready',
    ])
  })

  test('of a capture or cancellation too', async () => {
    const id = await payment('o-1', { token: 'tok_visa' })
    const cancels = `paymentId,ticket\n${id},\n${id},\n${id},T-1\n`
    expect(verdictsIn(await plan('cancel', cancels))).toEqual(['ready', 'possible_duplicate', 'nothing_left'])
    const captures = `paymentId,amount,ticket\n${id},100,\n${id},100,\n${id},100,T-1\n`
    expect(verdictsIn(await plan('capture', captures))).toEqual(['ready', 'possible_duplicate', 'ready'])
  })
})

describe('a row repeats no write', () => {
  const answer =
    (transactions: readonly unknown[]): NonNullable<RunOptions['service']> =>
    () =>
      jsonAnswer(200, {
        id: 'p1',
        status: 'SETTLED',
        amount: 1000,
        currencyCode: 'EUR',
        processor: { amountCaptured: 1000, amountRefunded: 0 },
        transactions,
      })
  const planOn = async (profile: string) => {
    write('in.csv', 'paymentId,amount\np1,500\n')
    await bench().runPay(`batch plan refund in.csv --profile ${profile}`, { service: answer([]) })
    return rowsIn('in.plan.ndjson').map(({ verdict }) => verdict)
  }

  test('on a payment of another service with the same ID', async () => {
    await storeProfile(bench(), { name: 'shop' })
    await storeProfile(bench(), { name: 'other', baseUrl: 'https://api.example.org' })
    const refund = await bench().runPay('payment refund p1 --amount 500 --profile shop', {
      service: answer([]),
    })
    expect(refund.exitCode).toBe(0)
    expect(await planOn('shop')).toEqual(['possible_duplicate'])
    expect(await planOn('other')).toEqual(['ready'])
  })

  test('that the processor refused', async () => {
    await storeProfile(bench(), { name: 'shop' })
    const failed = { transactionType: 'REFUND', amount: 500, currencyCode: 'EUR', processorStatus: 'FAILED' }
    const refund = await bench().runPay('payment refund p1 --amount 500 --profile shop', {
      service: answer([failed]),
    })
    expect(refund.exitCode).toBe(13)
    expect(await planOn('shop')).toEqual(['ready'])
  })
})

describe('several rows of one payment', () => {
  test('are added up in file order, whether by payment or by order', async () => {
    const id = await payment('o-1')
    const planned = await plan(
      'refund',
      `paymentId,orderId,amount\n${id},,1000\n,o-1,3000\n${id},,991\n${id},,ALL\n${id},,1\n`,
    )
    expect(planned.rows.map(({ verdict, amount }) => [verdict, amount])).toEqual([
      ['ready', 1000],
      ['ready', 3000],
      ['exceeds_remaining', 991],
      ['ready', 990],
      ['nothing_left', 1],
    ])
  })

  test('are added up even if hundreds of other rows lie between them', async () => {
    const id = await payment('o-1')
    const others = Array.from({ length: 300 }, (_, at) => `p${at},1`).join('\n')
    const planned = await plan('refund', `paymentId,amount\n${id},4000\n${others}\n${id},991\n${id},990\n`)
    expect(planned.rows.filter(({ paymentId }) => paymentId === id).map(({ verdict }) => verdict)).toEqual([
      'ready',
      'exceeds_remaining',
      'ready',
    ])
  })
})
