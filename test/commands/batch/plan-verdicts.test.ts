import { beforeEach, describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { useBatchBench } from './batch-bench.ts'

const { bench, pay, payment, plan, write, rowsIn } = useBatchBench()

describe('the verdict of a row', () => {
  test('is ready, with the amount made explicit', async () => {
    const id = await payment('o-1')
    const { exitCode, answer, rows, requests } = await plan('refund', `paymentId,amount\n${id},all\n`)
    expect(exitCode).toBe(0)
    expect(answer).toMatchObject({
      plan: 'in.plan.ndjson',
      rows: 1,
      ready: 1,
      refused: 0,
      totals: [{ currencyCode: 'EUR', count: 1, amount: 4990 }],
      verdicts: { ready: 1 },
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(rows).toEqual([
      expect.objectContaining({
        row: 1,
        verdict: 'ready',
        paymentId: id,
        orderId: 'o-1',
        amount: 4990,
        currencyCode: 'EUR',
        takesAll: true,
        figures: { status: 'SETTLED', amount: 4990, amountCaptured: 4990, amountRefunded: 0 },
      }),
    ])
    expect(requests.map(({ method }) => method)).toEqual(['GET'])
  })

  test('is bad_row for a cell that cannot be read, a row without a payment, and a ticket used twice', async () => {
    const id = await payment('o-1')
    const { rows, exitCode } = await plan(
      'refund',
      `paymentId,orderId,amount,ticket\n${id},,"5,00",\n,,5.00 EUR,\n${id},,0,\n${id},,1,T-1\n,o-1,2,T-1\n${id},o-2,1,\n`,
    )
    expect(exitCode).toBe(14)
    expect(rows.map(({ verdict }) => verdict)).toEqual([
      'bad_row',
      'bad_row',
      'bad_row',
      'ready',
      'bad_row',
      'bad_row',
    ])
    expect(rows.map(({ message }) => message)).toEqual([
      `the amount "5,00" has a comma; decimals follow a point (Write minor units (700) or an amount with its currency ('7.00 EUR'); for decimal commas, add --decimal-comma)`,
      'neither paymentId nor orderId is filled in: fill in one of them',
      'the amount is zero: write all for all that is left',
      undefined,
      'row 4 has the same payment and ticket: remove one of them, or give one of them a different ticket',
      'the payment belongs to order o-1, not o-2: correct one of them',
    ])
  })

  test.each(['../p1', 'a/b', '..'])('is bad_row for the impossible payment ID %s', async (id) => {
    const { rows, requests } = await plan('refund', `paymentId,amount\n${id},all\n`)
    expect(rows[0]).toMatchObject({
      verdict: 'bad_row',
      message: 'paymentId cannot contain /, \\ or ..',
    })
    expect(requests).toEqual([])
  })

  test('is not_found for an unknown payment or order', async () => {
    const { rows } = await plan('refund', 'paymentId,orderId,amount\nnope,,1\n,nobody,1\n')
    expect(rows.map(({ verdict, message }) => [verdict, message])).toEqual([
      ['not_found', 'there is no such payment: check the ID and the profile'],
      ['not_found', 'no payment has this order: check the order ID and the profile'],
    ])
  })

  test('is ambiguous_order for an order with several payments', async () => {
    const ids = [await payment('o-1'), await payment('o-1')].toReversed()
    const { rows } = await plan('refund', 'orderId,amount\no-1,1\n')
    expect(rows[0]).toMatchObject({
      verdict: 'ambiguous_order',
      message: `several payments have this order: fill in the paymentId (${ids.join(', ')})`,
    })
    expect(rows[0]).not.toHaveProperty('paymentId')
  })

  test('is about the payment that is not over, and names the others, which never captured anything', async () => {
    const { stdout } = await bench().runPay(
      `payment create --token tok_declined --amount '49.90 EUR' --order-id o-1 --sandbox -o id`,
    )
    const id = await payment('o-1')
    const { rows, exitCode } = await plan('refund', 'orderId,amount\no-1,all\n')
    expect(exitCode).toBe(0)
    expect(rows[0]).toMatchObject({
      verdict: 'ready',
      paymentId: id,
      message: `the order's other payments never captured anything (${stdout.trim()} DECLINED)`,
    })
    const shown = await pay('batch show in.plan.ndjson --verdict ready')
    expect(shown.stdout.replace(/\s+/g, ' ')).toContain('takes all that is left; the order')
  })

  describe('of an order with several payments in the list of a service', () => {
    const NOTHING = { amountCaptured: 0, amountRefunded: 0 }
    const entry = (id: string, status: string, more: object = { processor: NOTHING }) => ({
      id,
      orderId: 'o-1',
      status,
      currencyCode: 'EUR',
      amount: 500,
      ...more,
    })
    const PAID = entry('p-paid', 'SETTLED', { processor: { amountCaptured: 500, amountRefunded: 0 } })
    /** The pages of the order's list, and the payments as they are read in full. */
    let plans = 0
    beforeEach(() => {
      plans = 0
    })
    const planAmong = async (
      pages: readonly (readonly object[])[],
      full: Readonly<Record<string, object>> = {},
    ) => {
      if (plans === 0) await storeProfile(bench(), { mode: 'test' })
      write('in.csv', 'orderId,amount\no-1,1\n')
      const planned = await bench().runPay(
        `batch plan refund in.csv --profile shop --out ${(plans += 1)}.plan`,
        {
          service: ({ url }) => {
            const { pathname, searchParams } = new URL(url)
            const found = full[pathname.replace('/payments/', '')]
            if (found !== undefined) return jsonAnswer(200, found)
            if (pathname !== '/payments') return jsonAnswer(503, {})
            const page = Number(searchParams.get('cursor') ?? 0)
            const nextCursor = page + 1 < pages.length ? String(page + 1) : undefined
            return jsonAnswer(200, { data: pages[page], nextCursor })
          },
        },
      )
      return { row: rowsIn(`${plans}.plan`)[0], requests: planned.requests.map(({ url }) => new URL(url)) }
    }

    test('looks at every page: a payment that captured may be on the last one', async () => {
      const last = entry('p-last', 'CANCELLED', { processor: { ...NOTHING, amountCaptured: 5 } })
      const tries = [PAID, entry('p-1', 'DECLINED')]
      const { row } = await planAmong([tries, [last]], { 'p-paid': PAID })
      expect(row).toMatchObject({ verdict: 'ambiguous_order' })
      const { row: other } = await planAmong([tries, [entry('p-2', 'FAILED')]], { 'p-paid': PAID })
      expect(other).toMatchObject({ verdict: 'ready', paymentId: 'p-paid' })
    })

    test('reads no further page once two are not over', async () => {
      const pages = [[PAID, { ...PAID, id: 'p-2' }], [entry('p-3', 'DECLINED')], [entry('p-4', 'DECLINED')]]
      const { row, requests } = await planAmong(pages)
      expect(row).toMatchObject({ verdict: 'ambiguous_order' })
      expect(requests).toHaveLength(1)
    })

    test('reads the others in full where the list lacks their figures', async () => {
      const bare = entry('p-1', 'CANCELLED', {})
      const { row } = await planAmong([[PAID, bare]], { 'p-paid': PAID, 'p-1': entry('p-1', 'CANCELLED') })
      expect(row).toMatchObject({ verdict: 'ready', paymentId: 'p-paid' })
      const captured = entry('p-1', 'CANCELLED', { processor: { ...NOTHING, amountCaptured: 5 } })
      const { row: second } = await planAmong([[PAID, bare]], { 'p-paid': PAID, 'p-1': captured })
      expect(second).toMatchObject({ verdict: 'ambiguous_order' })
      const { row: third } = await planAmong([[PAID, bare]], { 'p-paid': PAID })
      expect(third).toMatchObject({ verdict: 'unread' })
    })

    test('names three of many others', async () => {
      const tries = Array.from({ length: 5 }, (_, at) => entry(`p-${at}`, 'DECLINED'))
      const { row } = await planAmong([[PAID, ...tries]], { 'p-paid': PAID })
      expect(row).toMatchObject({
        message:
          "the order's other payments never captured anything (p-0 DECLINED, p-1 DECLINED, p-2 DECLINED, and 2 more)",
      })
    })
  })

  test('is unread if the service fails for the payment', async () => {
    const id = await payment('o-1')
    write('in.csv', `paymentId,amount\n${id},all\n`)
    const ran = await pay('batch plan refund in.csv --max-retries 0 --json', {
      service: () => jsonAnswer(503, { error: { description: 'down' } }),
    })
    expect(ran.exitCode).toBe(14)
    expect(rowsIn('in.plan.ndjson')[0]).toMatchObject({
      verdict: 'unread',
      message: 'the payment could not be read (down): plan the row again',
    })
  })

  test('is in_doubt while a write on the payment has no known outcome', async () => {
    const id = await payment('o-1')
    await pay("sandbox faults add --on 'POST /payments/*/refund' --do drop-after --times 1")
    const lost = await pay(`payment refund ${id} --amount 100 --max-retries 0`)
    expect(lost.exitCode).toBe(10)
    const { rows } = await plan('refund', `paymentId,amount\n${id},200\n`)
    expect(rows[0]).toMatchObject({
      verdict: 'in_doubt',
      message: expect.stringMatching(
        /^a write on this payment \(refund, .*\) is in doubt: run pay ops resolve \w{8}, then plan the row again$/,
      ),
    })
  })

  test('is done_before for a ticket that was used', async () => {
    const id = await payment('o-1')
    await pay(`payment refund ${id} --amount 100 --once 'SUP 1'`)
    const { rows } = await plan('refund', `paymentId,amount,ticket\n${id},200,SUP  1\n${id},200,SUP 2\n`)
    expect(rows.map(({ verdict, message }) => [verdict, message])).toEqual([
      ['done_before', 'the ticket SUP 1 was used on 2026-03-01: remove the row, or give it another ticket'],
      ['ready', undefined],
    ])
  })

  test('is currency_mismatch for another currency, in the amount or in its column', async () => {
    const id = await payment('o-1')
    const csv = `paymentId,amount,currencyCode\n${id},5.00 USD,\n${id},500,USD\n${id},5.00,EUR\n`
    const { rows } = await plan('refund', csv)
    expect(rows.map(({ verdict }) => verdict)).toEqual(['currency_mismatch', 'currency_mismatch', 'ready'])
    expect(rows[0]?.message).toBe('the payment is in EUR, the row in USD: correct the row')
  })

  test('is not_captured, wrong_state or nothing_left by the status of the payment', async () => {
    const authorized = await payment('o-1', { token: 'tok_visa' })
    const settled = await payment('o-2')
    const csv = `paymentId\n${authorized}\n${settled}\n`
    const verdicts = async (operation: string) =>
      (await plan(operation, csv, operation === 'cancel' ? '' : '--empty-amount all')).rows.map(
        ({ verdict }) => verdict,
      )
    expect(await verdicts('refund')).toEqual(['not_captured', 'ready'])
    expect(await verdicts('capture')).toEqual(['ready', 'nothing_left'])
    expect(await verdicts('cancel')).toEqual(['ready', 'wrong_state'])
  })

  test('is nothing_left or exceeds_remaining by what is left', async () => {
    const [all, part] = [await payment('o-1'), await payment('o-2')]
    await pay(`payment refund ${all}`)
    await pay(`payment refund ${part} --amount 4000`)
    const { rows } = await plan('refund', `paymentId,amount\n${all},1\n${part},991\n${part},990\n`)
    expect(rows.map(({ verdict }) => verdict)).toEqual(['nothing_left', 'exceeds_remaining', 'ready'])
    expect(rows.map(({ message }) => message)).toEqual([
      'all 49.90 EUR are refunded already: remove the row',
      '9.91 EUR is more than the 9.90 EUR left to refund: correct the amount',
      undefined,
    ])
  })

  test('is over_limit for more than the profile allows', async () => {
    await storeProfile(bench(), { words: ['--max-amount', '5.00 EUR'] })
    write('in.csv', 'paymentId,amount\np1,500\np1,501\n')
    const settled = { id: 'p1', status: 'SETTLED', amount: 5000, currencyCode: 'EUR' }
    const ran = await bench().runPay('batch plan refund in.csv --profile shop --json', {
      service: () => jsonAnswer(200, { ...settled, processor: { amountCaptured: 5000, amountRefunded: 0 } }),
    })
    expect(ran.exitCode).toBe(14)
    expect(rowsIn('in.plan.ndjson').map(({ verdict, message }) => [verdict, message])).toEqual([
      ['ready', undefined],
      [
        'over_limit',
        'payment.refund of 5.01 EUR exceeds the limit of profile "shop": 5.00 EUR (Ask the person who set this limit to run the command or change the limit)',
      ],
    ])
  })
})
