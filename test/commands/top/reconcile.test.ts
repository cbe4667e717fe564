import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from 'vitest'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'

const bench = useBench()

const write = (name: string, text: string | Buffer) => writeFileSync(join(bench.folder, name), text)
const read = (name: string) => readFileSync(join(bench.folder, name), 'utf8')

async function pay(line: readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await bench.runPay(['--sandbox', ...line, '-q', '-y'])
  expect(exitCode, stderr).toBe(line.includes('tok_declined') ? 13 : 0)
  return stdout.trim()
}
const on = (day: string) => {
  bench.clock.now = new Date(`${day}T10:00:00Z`)
}
const create = (amount: string, order: string, token = 'tok_autocapture') =>
  pay(['payment', 'create', '--token', token, '--amount', amount, '--order-id', order, '-o', 'id'])
const refund = (id: string, amount: string) => pay(['payment', 'refund', id, '--amount', amount])
/** The IDs of a payment's transactions at the processor. */
const transactionsOf = async (id: string): Promise<readonly string[]> =>
  JSON.parse(
    await pay(['payment', 'get', id, '--query', 'transactions[].processorTransactionId', '-o', 'json']),
  )

interface Summary {
  readonly match: string
  readonly from: string
  readonly to: string
  readonly rows: number
  readonly byKind: Readonly<Record<string, number>>
  readonly verdicts: Readonly<Record<string, number>>
  readonly totals: readonly {
    kind: string
    currencyCode: string
    file: number
    here: number
    difference: number
  }[]
}

async function reconcile(line: string) {
  const result = await bench.runPay(`--sandbox reconcile ${line} --json`)
  const summary: Summary = JSON.parse(result.stdout)
  const verdicts = Object.fromEntries(Object.entries(summary.verdicts).filter(([, count]) => count > 0))
  return { ...result, summary, verdicts }
}

/** The verdicts of the exceptions, the last cell but one of each line. */
const exceptionsIn = (name: string) =>
  read(name)
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(';').at(-2))

/** A shop in January 2026. */
async function january() {
  on('2026-01-05')
  const a = await create('89.00 EUR', 'S-1')
  const b = await create('15.50 EUR', 'S-2')
  on('2026-01-10')
  const c = await create('14.00 EUR', 'S-3')
  const declined = await create('7.00 EUR', 'S-4', 'tok_declined')
  const authorized = await create('5.00 EUR', 'S-5', 'tok_visa')
  const lacking = await create('20.00 EUR', 'S-6')
  const dollars = await create('30.00 USD', 'S-7')
  on('2026-01-12')
  await refund(b, '15.50 EUR')
  await refund(a, '10.00 EUR')
  on('2026-01-20')
  await refund(a, '10.00 EUR')
  on('2026-02-02')
  const february = await create('3.00 EUR', 'S-8')
  // Refunds are settled by now.
  on('2026-02-10')
  return { a, b, c, declined, authorized, lacking, dollars, february }
}
let shop: Awaited<ReturnType<typeof january>>
const MONTH = '--from 2026-01-01 --to 2026-01-31'

describe('--template', () => {
  test('names the ready-made mapping that has the kinds of rows', async () => {
    const file = fileURLToPath(new URL('../../fixtures/files/adyen-settlement.csv', import.meta.url))
    write('adyen.csv', readFileSync(file))
    const { stdout, stderr } = await bench.runPay('--sandbox reconcile adyen.csv --template')
    expect(stdout).toBe('pay --sandbox reconcile adyen.csv --mapping adyen-settlement\n')
    expect(stderr).toContain('A ready-made mapping fits this file')
  })

  test('asks for what names the payments, and for a kind that has no known value', async () => {
    write('bank.csv', 'Date,Amount,Currency,Type\n2026-01-05,12.00,EUR,XX\n')
    const { stdout, stderr } = await bench.runPay('--sandbox reconcile bank.csv --template')
    expect(stdout).toContain('--map "orderId=…"')
    expect(stdout).not.toContain('kind')
    expect(stderr).toContain('"Type" is not mapped to kind: none of its values is a known kind of row (XX)')
    expect(stderr).toContain('No column clearly names payments')
  })

  test('maps no kind without values, and asks about one that only some rows have', async () => {
    write('none.csv', 'orderId,amount,currencyCode,Type\nS-1,1.00,EUR,\nS-2,2.00,EUR,\n')
    const none = await bench.runPay('--sandbox reconcile none.csv --template')
    expect(none.stdout).not.toContain('kind')
    expect(none.stderr).toContain('"Type" is not mapped to kind: the first rows have no value')
    write('header.csv', 'orderId,amount,currencyCode,Type\n')
    const header = await bench.runPay('--sandbox reconcile header.csv --template')
    expect(header.stdout).toContain('kind=Type')
    write('some.csv', 'orderId,amount,currencyCode,Type\nS-1,1.00,EUR,XX\nS-2,2.00,EUR,\n')
    const some = await bench.runPay('--sandbox reconcile some.csv --template')
    expect(some.stdout).toContain('--kinds …')
  })

  test('asks what values of unknown kinds mean, and which column has the kinds', async () => {
    write('a.csv', 'orderId,amount,currencyCode,type\nS-1,1.00,EUR,SALE\nS-2,1.00,EUR,CREDIT\n')
    const known = await bench.runPay('--sandbox reconcile a.csv --template')
    expect(known.stdout).toContain('--kinds …')
    expect(known.stderr).toContain('"type" has values whose kind is not known: CREDIT.')
    write('b.csv', 'orderId,amount,currencyCode,Debit or credit\nS-1,1.00,EUR,CR\nS-1,1.00,EUR,DR\n')
    const open = await bench.runPay('--sandbox reconcile b.csv --template')
    expect(open.stdout).toContain('--map "kind=…"')
    for (const { stdout } of [known, open])
      expect(await bench.runPay(stdout.trim().replace(/^pay /, ''))).toMatchObject({
        exitCode: 2,
        requests: [],
      })
  })

  test('is what a header of other names leads to', async () => {
    write('bank.csv', 'Wann,Wie viel\n2026-01-05,12.00\n')
    const { exitCode, stderr } = await bench.runPay('--sandbox reconcile bank.csv')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('pay reconcile FILE --template')
  })
})

describe('a file of own columns', () => {
  beforeEach(async () => {
    shop = await january()
    const { a, b, c, declined, authorized, dollars, february } = shop
    write(
      'own.csv',
      [
        'Payment;Art;Betrag;Währung;Datum',
        `${a};Zahlung;89,00;EUR;05.01.2026`,
        `${b};Zahlung;15,50;EUR;05.01.2026`,
        `${c};Zahlung;15,00;EUR;10.01.2026`,
        `${dollars};Zahlung;30,00;EUR;10.01.2026`,
        `${declined};Zahlung;7,00;EUR;10.01.2026`,
        `${authorized};Zahlung;5,00;EUR;10.01.2026`,
        `${february};Zahlung;3,00;EUR;31.01.2026`,
        `else12345;Zahlung;1,00;EUR;11.01.2026`,
        `${a};Erstattung;-10,00;EUR;20.01.2026`,
        `${a};Erstattung;-10,00;EUR;12.01.2026`,
        `${b};Erstattung;-15,50;EUR;12.01.2026`,
        `${b};Erstattung;-15,50;EUR;12.01.2026`,
        `${c};Rückbuchung;-14,00;EUR;25.01.2026`,
        `${a};Zahlung;viel;EUR;05.01.2026`,
        `;Gebühr;-2,00;EUR;31.01.2026`,
        `;Auszahlung;100,00;EUR;31.01.2026`,
        '',
      ].join('\n'),
    )
  })
  const OWN =
    'own.csv --map paymentId=Payment --map kind=Art --map amount=Betrag --map currencyCode=Währung --map createdAt=Datum --amounts major --decimal-comma --date-format dd.MM.yyyy --timezone UTC --kinds payment=Zahlung --kinds refund=Erstattung --kinds chargeback=Rückbuchung --kinds fee=Gebühr --kinds payout=Auszahlung'

  test('is read by the command that --template prints', async () => {
    const { exitCode, stdout, stderr } = await bench.runPay('--sandbox reconcile own.csv --template')
    expect({ exitCode, stdout }, stderr).toEqual({
      exitCode: 0,
      stdout:
        'pay --sandbox reconcile own.csv --map paymentId=Payment --map kind=Art --map amount=Betrag --map "currencyCode=Währung" --map createdAt=Datum --amounts major --decimal-comma --date-format dd.MM.yyyy --timezone …\n',
    })
    expect(stderr).toContain('The times in "Datum" name no zone')
    const asItIs = await bench.runPay(stdout.trim().replace(/^pay /, ''))
    expect(asItIs).toMatchObject({ exitCode: 2, stdout: '' })
    const typed = stdout.trim().replace('pay --sandbox reconcile ', '').replace('…', 'UTC')
    const { summary } = await reconcile(`${typed} ${MONTH}`)
    expect(summary).toEqual((await reconcile(`${OWN} ${MONTH}`)).summary)
  })

  test('replaces the usual words of the kinds that --kinds names, and of no other', async () => {
    const { stderr, summary } = await reconcile(`${OWN.replace(/ --kinds.*/, '')} --kinds refund=RFD`)
    expect(summary.byKind).toEqual({ payment: 9, chargeback: 1, fee: 1, payout: 1, other: 4 })
    expect(stderr).toContain('"Erstattung" (4)')
  })

  test('gets each verdict', async () => {
    const { exitCode, summary, verdicts, stderr } = await reconcile(`${OWN} ${MONTH} --exceptions out.csv`)
    expect(verdicts, stderr).toEqual({
      matched: 5,
      expected: 2,
      amount_differs: 1,
      currency_differs: 1,
      status_differs: 1,
      missing_here: 1,
      missing_there: 1,
      twice: 1,
      chargeback: 1,
      unread: 1,
    })
    expect(exitCode).toBe(14)
    expect(summary).toMatchObject({
      match: 'payment',
      rows: 16,
      byKind: { payment: 9, refund: 4, chargeback: 1, fee: 1, payout: 1 },
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-01-31T23:59:59.999Z',
    })
    expect(stderr).toContain('"code":"not_reconciled"')
  })

  test('has its exceptions in its own columns, and then what it lacks', async () => {
    await reconcile(`${OWN} ${MONTH} --exceptions out.csv`)
    const lines = read('out.csv').trim().split('\n')
    expect(lines[0]).toBe('Payment;Art;Betrag;Währung;Datum;verdict;found')
    expect(exceptionsIn('out.csv').join(' ')).toBe(
      'amount_differs currency_differs status_differs missing_here twice chargeback unread missing_there',
    )
    expect(lines).toContain(
      `${shop.c};Zahlung;15,00;EUR;10.01.2026;amount_differs;payment ${shop.c}, SETTLED, 14.00 EUR captured`,
    )
    expect(lines.at(-1)).toBe(
      `${shop.lacking};Zahlung;20,00;EUR;2026-01-10T10:00:00.000Z;missing_there;payment ${shop.lacking}, SETTLED, 20.00 EUR captured`,
    )
  })

  test('has totals that agree with the figures of the same period', async () => {
    const { summary } = await reconcile(`${OWN} ${MONTH}`)
    const insights: { groups: { currencyCode: string; amountCaptured: number; amountRefunded: number }[] } =
      JSON.parse((await bench.runPay(`--sandbox insights ${MONTH} --by currency --json`)).stdout)
    for (const { currencyCode, amountCaptured, amountRefunded } of insights.groups) {
      const here = (kind: string) =>
        summary.totals.find((total) => total.kind === kind && total.currencyCode === currencyCode)?.here ?? 0
      // The payment of February is named by a row, and counts here.
      expect(here('payment') - (currencyCode === 'EUR' ? 300 : 0)).toBe(amountCaptured)
      expect(here('refund')).toBe(0 - amountRefunded)
    }
  })

  test('reads no payment twice, and asks for each page once', async () => {
    const { requests } = await reconcile(`${OWN} ${MONTH}`)
    const urls = requests.map(({ url }) => url)
    expect(new Set(urls).size).toBe(urls.length)
    // One page, the payments with refunds, those with rows of refunds, the one of February and the unknown one.
    expect(urls.length).toBeLessThanOrEqual(1 + 4)
  })

  test('is read compressed, too', async () => {
    write('own.csv.gz', gzipSync(read('own.csv')))
    const { summary } = await reconcile(`${OWN.replace('own.csv', 'own.csv.gz')} ${MONTH}`)
    expect(summary.rows).toBe(16)
  })

  test('shows a person verdicts, totals and exceptions', async () => {
    const { stdout } = await bench.runPay(`--sandbox reconcile ${OWN} ${MONTH} --exceptions out.csv`)
    expect(stdout).toMatch(/Matched\s+5\n/)
    expect(stdout).toMatch(/EUR\s+refunds\s+-51\.00\s+-35\.50\s+-15\.50/)
    expect(stdout).toMatch(/ours\s+payment\s+20\.00 EUR\s+missing_there/)
    expect(stdout).toContain('Exceptions: out.csv (8 rows)')
  })
})

describe("a file in the shape of Stripe's balance", () => {
  const HEADER =
    'id,Type,Source,Amount,Fee,Net,Currency,Created (UTC),Available On (UTC),Description,Customer Facing Amount,Customer Facing Currency,Transfer,Transfer Date (UTC),Transfer Group,order_id (metadata)'
  const row = (type: string, source: string, amount: string, time: string, order = '') =>
    `txn_1,${type},${source},${amount},0.00,${amount},eur,${time},2026-01-15 00:00,,${amount === '' ? '' : amount},${amount === '' ? '' : 'eur'},,,,${order}`

  test('is matched by the ID at the processor, refunds by their own', async () => {
    const { a, b, c } = await january()
    const [saleA, firstA] = await transactionsOf(a)
    const [saleB, refundB] = await transactionsOf(b)
    const [saleC] = await transactionsOf(c)
    write(
      'balance.csv',
      [
        HEADER,
        row('charge', saleA ?? '', '89.00', '2026-01-05 10:00', 'S-1'),
        row('charge', saleB ?? '', '15.50', '2026-01-05 10:00', 'S-2'),
        row('payment', saleC ?? '', '14.00', '2026-01-10 10:00'),
        row('refund', firstA ?? '', '-10.00', '2026-01-12 10:00'),
        row('refund', refundB ?? '', '-15.50', '2026-01-12 10:00'),
        row('refund', refundB ?? '', '-15.50', '2026-01-12 10:00'),
        row('adjustment', saleC ?? '', '-14.00', '2026-01-25 10:00'),
        row('charge', 'ch_else', '1.00', '2026-01-13 10:00'),
        row('stripe_fee', '', '', '2026-01-31 10:00'),
        row('payout', 'po_1', '', '2026-01-31 10:00'),
        '',
      ].join('\n'),
    )
    const { summary, verdicts, stderr } = await reconcile(`balance.csv --mapping stripe-balance ${MONTH}`)
    expect(summary, stderr).toMatchObject({
      match: 'processor',
      byKind: { payment: 4, refund: 3, fee: 1, payout: 1 },
    })
    expect(verdicts).toEqual({
      matched: 5,
      expected: 1,
      missing_here: 1,
      missing_there: 3,
      twice: 1,
      chargeback: 1,
    })
    expect(stderr).toContain('Rows name their payments by the ID at the processor.')
  })

  test('is imported without its refunds, fees and payouts', async () => {
    write(
      'balance.csv',
      [
        HEADER,
        row('charge', 'ch_1', '89.00', '2026-01-05 10:00', 'S-1'),
        row('refund', 're_1', '-10.00', '2026-01-12 10:00', 'S-1'),
        row('stripe_fee', '', '', '2026-01-31 10:00'),
        row('payout', 'po_1', '', '2026-01-31 10:00'),
        '',
      ].join('\n'),
    )
    const { stdout, stderr } = await bench.runPay(
      '--sandbox observability import balance.csv --mapping stripe-balance --json',
    )
    expect(JSON.parse(stdout), stderr).toMatchObject({
      created: 1,
      leftOut: [
        { column: 'Type', value: 'refund', rows: 1 },
        { column: 'Type', value: 'stripe_fee', rows: 1 },
        { column: 'Type', value: 'payout', rows: 1 },
      ],
    })
  })
})

describe("a file in the shape of Adyen's settlement details", () => {
  const HEADER =
    'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC)'
  const row = (type: string, psp: string, order: string, day: string, debit: string, credit: string) =>
    `Books,BooksNL,${psp},${order},visa,2026-01-${day} 11:30:00,CET,${type},M,EUR,${debit},${credit}`

  test('is matched by the order, with credits and debits', async () => {
    await january()
    on('2026-01-15')
    await create('40.00 EUR', 'S-9')
    await create('40.00 EUR', 'S-9')
    await create('6.00 EUR', 'S-10', 'tok_declined')
    await create('6.00 EUR', 'S-10')
    on('2026-02-10')
    write(
      'settlement.csv',
      [
        HEADER,
        row('Settled', 'PSP1', 'S-1', '05', '', '89.00'),
        row('Settled', 'PSP2', 'S-2', '05', '', '15.50'),
        row('Settled', 'PSP9', 'S-9', '15', '', '40.00'),
        row('Settled', 'PSP10', 'S-10', '15', '', '6.00'),
        row('Refunded', 'PSP2', 'S-2', '13', '15.50', ''),
        row('Chargeback', 'PSP1', 'S-1', '25', '89.00', ''),
        row('Fee', '', '', '31', '', ''),
        row('MerchantPayout', '', '', '31', '', ''),
        '',
      ].join('\n'),
    )
    const { summary, verdicts, stderr } = await reconcile(
      `settlement.csv --mapping adyen-settlement ${MONTH}`,
    )
    expect(summary, stderr).toMatchObject({
      match: 'order',
      byKind: { payment: 4, refund: 1, chargeback: 1 },
    })
    expect(verdicts).toMatchObject({ matched: 4, ambiguous: 1, chargeback: 1 })
  })
})

describe('what names the payments', () => {
  test('is asked for if the ID and the order lead to different payments', async () => {
    const { a, b } = await january()
    write(
      'f.csv',
      `paymentId,orderId,amount,currencyCode,createdAt\n${a},S-1,8900,EUR,2026-01-05T10:00:00Z\n${b},S-1,1550,EUR,2026-01-05T10:00:00Z\n`,
    )
    const { exitCode, stderr } = await bench.runPay('--sandbox reconcile f.csv')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Row 2 has the ID of one payment and the order of another')
    expect((await reconcile('f.csv --match payment')).summary.verdicts['matched']).toBe(2)
    expect((await reconcile('f.csv --match order')).verdicts).toMatchObject({ matched: 1, amount_differs: 1 })
  })

  test('is no matter of a chargeback, which may name nothing', async () => {
    write('f.csv', 'paymentId,amount,currencyCode,kind\n,-500,EUR,chargeback\nx,500,EUR,payment\n')
    expect((await reconcile('f.csv')).verdicts).toEqual({ chargeback: 1, missing_here: 1 })
  })

  test('may be an order of a payment that was created before the period', async () => {
    await january()
    write('f.csv', 'orderId,amount,currencyCode,createdAt\nS-1,8900,EUR,2026-01-08T10:00:00Z\n')
    const { verdicts, summary } = await reconcile('f.csv')
    expect(verdicts).toEqual({ matched: 1 })
    expect(summary.totals).toEqual(
      [
        { currencyCode: 'EUR', kind: 'payment', file: 8900, here: 8900, difference: 0 },
        { currencyCode: 'EUR', kind: 'refund', file: 0, here: 0, difference: 0 },
      ].slice(0, 1),
    )
  })
})

describe('a file without times', () => {
  test('covers the days of its payments', async () => {
    const { c } = await january()
    write('f.csv', `paymentId,amount,currencyCode\n${c},1400,EUR\n`)
    const { summary, verdicts } = await reconcile('f.csv')
    expect(summary).toMatchObject({ from: '2026-01-10T00:00:00.000Z', to: '2026-01-10T23:59:59.999Z' })
    expect(verdicts).toEqual({ matched: 1, expected: 1, missing_there: 2 })
  })

  test('lacks the payment of a refund that it has alone', async () => {
    on('2026-01-05')
    const id = await create('10.00 EUR', 'S-1')
    await refund(id, '2.00 EUR')
    on('2026-02-10')
    write('f.csv', `paymentId,amount,currencyCode,kind\n${id},-200,EUR,refund\n`)
    expect((await reconcile('f.csv')).verdicts).toEqual({ matched: 1, missing_there: 1 })
  })

  test('warns if none of its payments is known', async () => {
    write('f.csv', 'paymentId,amount,currencyCode\nelse12345,1400,EUR\n')
    const { exitCode, stderr, verdicts } = await reconcile('f.csv')
    expect({ exitCode, verdicts }).toEqual({ exitCode: 14, verdicts: { missing_here: 1 } })
    expect(stderr).toContain('add --from and --to')
  })
})

describe('signs', () => {
  const HEADER = 'orderId,amount,currencyCode,createdAt,kind\n'
  const TIME = 'EUR,2026-01-25T10:00:00Z'
  const totalOf = (summary: Summary, kind: string) =>
    summary.totals.find((total) => total.kind === kind)?.file

  test.each([
    ['by its sign', `S-1,-8900,${TIME},chargeback\nS-1,8900,${TIME},chargeback\n`],
    ['by its sign, the newest row first', `S-1,8900,${TIME},dispute\nS-1,-8900,${TIME},dispute\n`],
    ['by its kind', `S-1,8900,${TIME},chargeback\nS-1,8900,${TIME},chargeback_reversed\n`],
    ['by both', `S-1,8900,${TIME},ChargebackReversed\nS-1,-8900,${TIME},Chargeback\n`],
    ['without an order', `,-8900,${TIME},chargeback\n,8900,${TIME},chargeback\n`],
  ])('a chargeback that is reversed is told %s, and adds up to nothing', async (_, rows) => {
    await january()
    write('f.csv', HEADER + rows)
    const { summary } = await reconcile(`f.csv --match order ${MONTH}`)
    expect(summary.verdicts['chargeback']).toBe(2)
    expect(totalOf(summary, 'chargeback')).toBe(0)
  })

  test('of equal refunds with contrary ones, the positive one takes the other back', async () => {
    await january()
    write('f.csv', `${HEADER}S-2,1550,${TIME},refund\nS-2,-1550,${TIME},refund\n`)
    const { summary } = await reconcile(`f.csv ${MONTH} --exceptions out.csv`)
    expect(summary.verdicts).toMatchObject({ matched: 1, amount_differs: 1 })
    expect(totalOf(summary, 'refund')).toBe(0)
    expect(read('out.csv')).toContain('amount_differs,"the row takes back a refund of payment')
  })

  test('of refunds of different payments do not count', async () => {
    await january()
    write('f.csv', `${HEADER}S-1,1000,${TIME},refund\nS-2,-1550,${TIME},refund\n`)
    const { summary } = await reconcile(`f.csv ${MONTH}`)
    expect(summary.verdicts['matched']).toBe(2)
    expect(totalOf(summary, 'refund')).toBe(-2550)
  })

  test('a negative payment among positive ones never matches', async () => {
    await january()
    write('f.csv', `${HEADER}S-1,8900,${TIME},payment\nS-3,-1400,${TIME},payment\n`)
    const { summary } = await reconcile(`f.csv ${MONTH}`)
    expect(summary.verdicts).toMatchObject({ matched: 1, amount_differs: 1 })
    expect(totalOf(summary, 'payment')).toBe(7500)
  })

  test('payments that are all negative are compared without them', async () => {
    await january()
    write('f.csv', `${HEADER}S-1,-8900,${TIME},payment\nS-3,-1400,${TIME},payment\n`)
    const { summary } = await reconcile(`f.csv ${MONTH}`)
    expect(summary.verdicts['matched']).toBe(2)
    expect(totalOf(summary, 'payment')).toBe(10_300)
  })
})

test.each([
  ['Debit', 'Credit'],
  ['debit_amount', 'credit_amount'],
  ['Débito', 'Crédito'],
])('of debits in %s and credits in %s, what the file lacks is in the right one', async (debit, credit) => {
  await january()
  write(
    'm.yaml',
    `map: {orderId: Order, kind: Type}\njoin: {amount: [${debit}, ${credit}]}\nconst: {currencyCode: EUR}\namounts: major\n`,
  )
  write('f.csv', `Order,Type,${debit},${credit}\nS-1,Payment,,89.00\nS-2,Refund,15.50,\n`)
  await reconcile(`f.csv --mapping m.yaml ${MONTH} --exceptions out.csv`)
  const lines = read('out.csv').split('\n')
  expect(lines.some((line) => line.startsWith('S-1,refund,10.00,,missing_there'))).toBe(true)
  expect(lines.some((line) => line.startsWith('S-3,payment,,14.00,missing_there'))).toBe(true)
})

describe('rows that are no payments', () => {
  test('of totals are unread, and count in no total', async () => {
    await january()
    write(
      'f.csv',
      'orderId,amount,currencyCode\nS-1,8900,EUR\nS-3,1400,EUR\n,10300,EUR\nTotal,10300,EUR\nSumme:,10300,EUR\n',
    )
    const { summary } = await reconcile(`f.csv ${MONTH} --exceptions out.csv`)
    expect(summary.verdicts).toMatchObject({ matched: 2, unread: 3, missing_here: 0 })
    expect(summary.totals).toContainEqual(
      expect.objectContaining({ kind: 'payment', currencyCode: 'EUR', file: 10_300 }),
    )
    expect(read('out.csv')).toContain('Total,10300,EUR,unread,the row looks like a total')
  })

  test('are refused if their column of kinds is not mapped, before anything is sent', async () => {
    write('f.csv', 'orderId,amount,currencyCode,Event type\nS-1,8900,EUR,Payment\nS-1,8900,EUR,Refund\n')
    const { exitCode, requests, stderr } = await bench.runPay(
      '--sandbox reconcile f.csv --map orderId=orderId',
    )
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] })
    expect(stderr).toContain('"Event type" has "Refund"')
    expect(stderr).toContain('--map "kind=Event type"')
  })
})

test('a file that names no payment of the account is doubted, and so is one without rows', async () => {
  await january()
  write('f.csv', 'orderId,amount,currencyCode\nX-1,8900,EUR\n')
  expect((await reconcile(`f.csv ${MONTH}`)).stderr).toContain('No row names a payment of this account')
  write('f.csv', 'orderId,amount,currencyCode\n')
  expect((await reconcile(`f.csv ${MONTH}`)).stderr).toContain('The file has no rows.')
})

test('a file whose only order has several payments is not doubted', async () => {
  for (const amount of ['700', '800'])
    await bench.runPay(
      `--sandbox payment create --token tok_autocapture --order-id T-1 --currency EUR --amount ${amount}`,
    )
  write('f.csv', 'orderId,amount,currencyCode\nT-1,900,EUR\n')
  const { verdicts, stderr } = await reconcile('f.csv')
  expect(verdicts).toMatchObject({ ambiguous: 1 })
  expect(stderr).not.toContain('No row names a payment of this account')
})

describe('exit codes', () => {
  test('0 if nothing is an exception, 8 if all that is left is expected', async () => {
    on('2026-01-05')
    const one = await create('10.00 EUR', 'S-1')
    on('2026-01-06')
    const file = `paymentId,amount,currencyCode,createdAt,kind\n${one},1000,EUR,2026-01-05T10:00:00Z,payment\n`
    write('f.csv', file)
    expect(await reconcile('f.csv')).toMatchObject({ exitCode: 0, verdicts: { matched: 1 } })
    const two = await create('5.00 EUR', 'S-2', 'tok_visa')
    write('f.csv', `${file}${two},500,EUR,2026-01-06T10:00:00Z,payment\n`)
    const left = await reconcile('f.csv')
    expect(left).toMatchObject({ exitCode: 8, verdicts: { matched: 1, expected: 1 } })
    expect(left.stderr).toContain('"code":"still_expected"')
  })

  test('2 for a header without amounts, and nothing is sent', async () => {
    write('f.csv', 'paymentId,currencyCode\nx,EUR\n')
    const { exitCode, requests, stderr } = await bench.runPay('--sandbox reconcile f.csv')
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] })
    expect(stderr).toContain('The header lacks amount')
  })

  test('2 for kinds without their column', async () => {
    write('f.csv', 'paymentId,amount,currencyCode\nx,5,EUR\n')
    const { exitCode, stderr } = await bench.runPay('--sandbox reconcile f.csv --kinds payment=a')
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('lacks kind') })
  })

  test('2 for an --exceptions file that is something else', async () => {
    write('f.csv', 'paymentId,amount,currencyCode\nx,5,EUR\n')
    write('notes.txt', 'mine')
    const { exitCode, requests } = await bench.runPay('--sandbox reconcile f.csv --exceptions notes.txt')
    expect({ exitCode, requests, notes: read('notes.txt') }).toEqual({
      exitCode: 2,
      requests: [],
      notes: 'mine',
    })
  })

  test('exceptions can be corrected and reconciled again', async () => {
    on('2026-01-05')
    const id = await create('10.00 EUR', 'S-1')
    write('f.csv', `paymentId,amount,currencyCode,createdAt\n${id},900,EUR,2026-01-05T10:00:00Z\n`)
    await reconcile('f.csv --exceptions out.csv')
    write('corrected.csv', read('out.csv').replace('900', '1000'))
    expect(await reconcile('corrected.csv --exceptions again.csv')).toMatchObject({ exitCode: 0 })
    expect(read('again.csv')).toBe('paymentId,amount,currencyCode,createdAt,verdict,found\n')
  })

  test('a negative amount is unread if no column says the kind', async () => {
    write('f.csv', 'paymentId,amount,currencyCode\nx,-5,EUR\n')
    expect((await reconcile('f.csv --exceptions out.csv')).verdicts).toEqual({ unread: 1 })
    expect(read('out.csv')).toContain('name one with --map kind=COLUMN')
  })

  test('values of unknown kinds are counted and named', async () => {
    write('f.csv', 'paymentId,amount,currencyCode,kind\nx,5,EUR,correction\n')
    const { summary, stderr, exitCode } = await reconcile('f.csv')
    expect({ exitCode, byKind: summary.byKind }).toEqual({ exitCode: 0, byKind: { other: 1 } })
    expect(stderr).toContain('"correction" (1)')
  })
})

describe('NDJSON', () => {
  test('is compared, and its exceptions are objects', async () => {
    const { a, b } = await january()
    write(
      'f.ndjson',
      `{"paymentId":"${a}","amount":8900,"currencyCode":"EUR","createdAt":"2026-01-05T10:00:00Z","kind":"payment","memo":1}\n{"paymentId":"${b}","amount":-1,"currencyCode":"EUR","createdAt":"2026-01-05T10:00:00Z","kind":"payment"}\n`,
    )
    const { verdicts } = await reconcile('f.ndjson --exceptions out.ndjson')
    expect(verdicts).toMatchObject({ matched: 1, amount_differs: 1 })
    expect(JSON.parse(read('out.ndjson').split('\n')[0] ?? '')).toMatchObject({
      amount: -1,
      verdict: 'amount_differs',
    })
  })
})

describe('a service that fails', () => {
  const row = 'paymentId,amount,currencyCode,createdAt\np1,1000,EUR,2026-01-05T10:00:00Z\n'

  test('while it lists payments ends the command', async () => {
    write('f.csv', row)
    const { exitCode, stdout } = await bench.runPay('reconcile f.csv --max-retries 0 --exceptions out.csv', {
      env: SERVICE_ENV,
      service: () => jsonAnswer(503, {}),
    })
    expect({ exitCode, stdout }).toEqual({ exitCode: 11, stdout: '' })
    expect(() => read('out.csv')).toThrow('ENOENT')
  })

  test('for one payment leaves its row unread', async () => {
    write('f.csv', row)
    const { exitCode, stdout } = await bench.runPay('reconcile f.csv --max-retries 0 --json', {
      env: SERVICE_ENV,
      service: ({ url }) =>
        url.includes('/payments?') ? jsonAnswer(200, { data: [] }) : jsonAnswer(500, {}),
    })
    expect(exitCode).toBe(14)
    expect(JSON.parse(stdout)).toMatchObject({ verdicts: { unread: 1 } })
  })
})

test.each(['debit_amount,credit_amount', 'debitAmount,creditAmount', 'Débit,Crédit', 'Debet,Kredit'])(
  'knows the debits among %s',
  async (sides) => {
    on('2026-01-05')
    await create('89.00 EUR', 'S-1')
    write(
      'map.yaml',
      `map: {orderId: Order}\njoin: {amount: [${sides}]}\nconst: {currencyCode: EUR}\namounts: major\n`,
    )
    write('f.csv', `Order,${sides}\nS-1,,89.00\nS-1,89.00,\n`)
    const { verdicts } = await reconcile(
      'f.csv --mapping map.yaml --from 2026-01-01 --to 2026-01-31 --exceptions e.csv',
    )
    expect(verdicts).toEqual({ matched: 1, unread: 1 })
    expect(read('e.csv')).toContain('no column says what kind of row it is')
  },
)
