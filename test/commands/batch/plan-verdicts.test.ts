import { beforeEach, describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { useBatchBench } from './batch-bench.ts'
import { MACHINE, timed } from '../../support/timing.ts'
import type { RunOptions } from '../../support/run-pay.ts'

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
      `paymentId,orderId,amount,ticket\n${id},,"5,00",\n,,500,\n${id},,0,\n${id},,1,T-1\n,o-1,2,T-1\n${id},o-2,1,\n`,
    )
    expect(exitCode).toBe(14)
    expect(rows.map(({ verdict }) => verdict)).toEqual(
      'bad_row bad_row bad_row ready bad_row bad_row'.split(' '),
    )
    expect(rows.map(({ message }) => message)).toEqual([
      `the amount "5,00" has a comma; decimals follow a point (Write minor units (700) or an amount with its currency ("7.00 EUR"); for decimal commas, add --decimal-comma)`,
      'neither paymentId nor orderId is filled in: fill in one of them',
      'the amount is zero: write all for all that is left',
      undefined,
      'row 4 has the same payment and ticket: remove one of them, or give one of them a different ticket',
      'the payment belongs to order o-1, not o-2: correct one of them',
    ])
  })

  test.each(['../p1', 'a/b', '..'])('is bad_row for the impossible payment ID %s', async (id) => {
    const { rows, requests } = await plan('refund', `paymentId,amount\n${id},all\n`)
    expect(rows[0]).toMatchObject({ verdict: 'bad_row', message: 'paymentId cannot contain /, \\ or ..' })
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
    const csv = `paymentId,amount,currencyCode\n${id},5.00 USD,\n${id},5.00,USD\n${id},5.00,EUR\n`
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

const messages = async (csv: string, flags = '') => {
  const { rows } = await plan('refund', csv, flags)
  return rows.map(({ orderId, message }) => [orderId, message])
}

describe('a row that cannot be read', () => {
  test('still names its order', async () => {
    const cells = await messages('orderId,amount\nA-1,-5\n', '--amounts minor')
    expect(cells).toEqual([['A-1', 'amount "-5" is negative (Amounts must be 0 or more)']])
    const length = await messages('orderId,amount\nA-2\n')
    expect(length).toEqual([['A-2', expect.stringContaining('the row has 1 cell, but the header has 2')]])
  })

  test('of NDJSON, too, and suggests the field as it is written', async () => {
    write('in.ndjson', '{"orderId":"A-1","order":"x"}\n')
    const { exitCode } = await pay('batch plan refund in.ndjson')
    expect(exitCode).toBe(14)
    expect(rowsIn('in.plan.ndjson')).toMatchObject([
      { orderId: 'A-1', message: 'order "x" is not a field of a batch row (Did you mean orderId?)' },
    ])
  })

  test('is in the table with its order', async () => {
    write('in.csv', 'orderId,amount\nA-1,-5\n')
    const { stdout, stderr } = await pay('batch plan refund in.csv --amounts minor')
    expect(stdout).toMatch(/ 1 +2 +A-1 +bad_row/)
    expect(stderr).toContain('1 of 1 row is not ready')
  })
})

test('on a narrow terminal: the table keeps the reasons, and leaves out amounts', async () => {
  write('in.csv', 'orderId,amount,ticket\nno-such-order,1234.50 EUR,SUP-1234\n')
  const { stdout } = await pay('batch plan refund in.csv', { tty: true, columns: 60, env: { NO_COLOR: '1' } })
  expect(stdout).toMatch(/ROW +LINE +ORDER +VERDICT +NOTE/)
  expect(stdout).toContain('no payment')
  expect(stdout).toContain('no room for 2 columns: AMOUNT, TICKET')
})

describe('an amount with a decimal comma', () => {
  test('is quoted as it is written', async () => {
    expect(
      await messages('orderId,amount\nA-1,"1,990 EUR"\nA-2,"2.500,50 JPY"\n', '--decimal-comma'),
    ).toEqual([
      ['A-1', 'amount "1,990 EUR" has more decimals than its currency (EUR has 2)'],
      ['A-2', 'amount "2.500,50 JPY" has more decimals than its currency (JPY has none)'],
    ])
  })

  test('is explained with a decimal comma', async () => {
    expect(await messages('orderId,amount\nA-1,abc\n', '--decimal-comma')).toEqual([
      [
        'A-1',
        `the amount "abc" is not an amount (Write minor units (700) or an amount with its currency ("7,00 EUR"))`,
      ],
    ])
  })

  test('needs --decimal-comma', async () => {
    const [[, message] = []] = await messages('orderId,amount\nA-1,"19,90 EUR"\n')
    expect(message).toContain('for decimal commas, add --decimal-comma')
  })
})

test('columns with other names are refused with the names of the fields', async () => {
  write('in.csv', 'Bestellung,Betrag\nA-1,1\n')
  const { exitCode, stderr } = await pay('batch plan refund in.csv --json')
  expect(exitCode).toBe(2)
  expect(stderr).toContain(
    'The fields are paymentId, orderId, amount, currencyCode, reason, ticket and, for captures, final.',
  )
})

test('a file in which only some amounts have decimals is refused, with a row of each', async () => {
  const [one, other] = [await payment('o-1'), await payment('o-2')]
  write('in.csv', `paymentId;amount;currencyCode\n${one};19,90;EUR\n${other};20;EUR\n${other};5;EUR\n`)
  const refused = await pay('batch plan refund in.csv --decimal-comma')
  expect(refused).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
  expect(refused.stderr).toContain(
    'The amounts are written in two ways: row 1 has "19,90", and row 2 has "20"',
  )
  expect(await pay('batch plan refund in.csv --decimal-comma --amounts major')).toMatchObject({ exitCode: 0 })
})

test.each([
  ['all have decimals', ['19.90,EUR', '20.00,EUR'], '', 0],
  ['none has decimals', ['1990,EUR', '20,EUR'], '', 0],
  ['all name their currency', ['19.90 EUR,', '20 EUR,'], '', 0],
  ['the whole ones are in a currency without decimals', ['19.90,EUR', '20,JPY'], '', 0],
  ['one is in another currency', ['19.90,EUR', '20,USD'], '', 14],
  ['--amounts says what they are', ['19.90,EUR', '20,EUR'], ' --amounts major', 0],
  ['only some name their currency', ['19.90 EUR,', '20,EUR'], '', 2],
  ['only some name their currency, and nothing names the others', ['20 EUR,', '15,'], '', 2],
  ['only some have a dash for no decimals', ['"20,-",EUR', '20,EUR'], ' --decimal-comma', 2],
])('amounts of which %s', async (_, amounts, flags, exitCode) => {
  const rows = await Promise.all(
    amounts.map(async (amount, index) => {
      const money = amount.endsWith('JPY') ? { amount: '4990 JPY' } : {}
      return `${await payment(`o-${index}`, money)},${amount}\n`
    }),
  )
  write('in.csv', `paymentId,amount,currencyCode\n${rows.join('')}`)
  expect(await pay(`batch plan refund in.csv${flags}`)).toMatchObject({ exitCode })
})

test('a later row that contradicts how the amounts before it are written is a bad row', async () => {
  const id = await payment('o-1')
  // The end of stdin may be within a row, so the last one is no part of what is looked at first.
  const { exitCode, stderr } = await pay('batch plan refund - --format csv --out in.plan.ndjson', {
    stdin: `paymentId,amount,currencyCode\n${id},19.90,EUR\n${id},20,EUR`,
  })
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 14 })
  expect(rowsIn('in.plan.ndjson').map(({ verdict, message }) => [verdict, message])).toEqual([
    ['ready', undefined],
    ['bad_row', expect.stringContaining('is written in another way than "19.90" in row 1')],
  ])
})

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
    const { rows } = await plan('refund', `paymentId,amount\n${id},500\n${id},501\n`)
    expect(rows[0]).toMatchObject({
      verdict: 'possible_duplicate',
      message: expect.stringMatching(/^the payment already shows a refund of 5\.00 EUR, 2026-03-01: /),
    })
    expect(rows[1]).toMatchObject({ verdict: 'ready' })
  })

  test('if an earlier row of the file is the same, and neither has a ticket', async () => {
    const id = await payment('o-1')
    const planned = await plan('refund', `paymentId,orderId,amount\n${id},,500\n,o-1,500\n${id},,499\n`)
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
