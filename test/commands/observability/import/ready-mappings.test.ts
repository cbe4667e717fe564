import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { useImportBench } from './import-bench.ts'

const { bench, check, importing, write } = useImportBench()

const exportOf = (name: string): string =>
  fileURLToPath(new URL(`../../../fixtures/exports/${name}.csv`, import.meta.url))

interface Imported {
  readonly paymentId: string
  readonly currencyCode: string
  readonly amount: number
  readonly createdAt: string
  readonly status: string
  readonly order: { readonly id: string }
  readonly processor: { readonly name: string }
  readonly paymentMethod: {
    readonly paymentMethodType: string
    readonly data?: { readonly binData?: { readonly network?: string } }
  }
}

/** One line for each record that the sandbox has, the earliest first. */
async function recordsOf(words: string, leftOut: number): Promise<readonly string[]> {
  const { stdout, stderr, exitCode } = await importing(`${words} --json`)
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  const summary: { failed: number; leftOut: { rows: number }[] } = JSON.parse(stdout)
  expect(summary.failed).toBe(0)
  expect(summary.leftOut.reduce((sum, { rows }) => sum + rows, 0)).toBe(leftOut)
  const listed = await bench().runPay('--sandbox observability list --all -o ndjson')
  const records = listed.stdout
    .trim()
    .split('\n')
    .map((line): Imported => JSON.parse(line))
  return records
    .toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
    .map(({ paymentId, currencyCode, amount, createdAt, status, order, processor, paymentMethod }) =>
      [
        paymentId,
        `${amount} ${currencyCode}`,
        createdAt,
        status,
        order.id,
        processor.name,
        paymentMethod.paymentMethodType,
        paymentMethod.data?.binData?.network,
      ]
        .filter((part) => part !== undefined)
        .join(' '),
    )
}

describe('an export is imported by the name of its mapping', () => {
  test.each([
    [
      'stripe-balance',
      '',
      4,
      [
        'ch_3Qb1 123450 EUR 2026-01-31T09:30:00Z SETTLED A-1001 Stripe PAYMENT_CARD',
        'ch_3Qb2 5000 JPY 2026-01-31T22:05:00Z SETTLED A-1002 Stripe PAYMENT_CARD',
        'py_3Qb3 10250 KWD 2026-02-01T00:00:00Z SETTLED A-1003 Stripe OTHER',
      ],
    ],
    [
      'stripe-payments',
      '',
      1,
      [
        'ch_3Qd1 4990 EUR 2026-01-31T09:30:15Z SETTLED A-2001 Stripe PAYMENT_CARD VISA',
        'ch_3Qd2 5000 JPY 2026-01-31T10:00:00Z SETTLED A-2002 Stripe PAYMENT_CARD AMEX',
        'ch_3Qd3 10250 KWD 2026-01-31T10:05:00Z DECLINED A-2003 Stripe PAYMENT_CARD MASTERCARD',
        'py_3Qd4 2000 EUR 2026-02-01T23:59:59Z SETTLED A-2004 Stripe KLARNA',
        'ch_3Qd6 8000 EUR 2026-02-02T08:10:00Z AUTHORIZED A-2006 Stripe PAYMENT_CARD DISCOVER',
      ],
    ],
    [
      'adyen-settlement',
      '',
      4,
      [
        'X8PSWX7DNBKG2A65 4990 EUR 2026-10-25T00:30:00Z SETTLED A-3001 Adyen PAYMENT_CARD VISA',
        'X8PSWX7DNBKG2A66 5000 JPY 2026-10-25T01:30:00Z SETTLED A-3002 Adyen PAYMENT_CARD MASTERCARD',
        'X8PSWX7DNBKG2A67 2000 EUR 2026-10-25T09:00:00Z SETTLED A-3003 Adyen IDEAL',
        'X8PSWX7DNBKG2A69 10250 KWD 2026-10-27T12:00:00Z SETTLED A-3004 Adyen PAYMENT_CARD VISA',
      ],
    ],
    [
      'shopify-orders',
      '',
      2,
      [
        'rAda1 4990 EUR 2026-01-31T09:29:58Z SETTLED 5000000001 Shopify Payments PAYMENT_CARD',
        'rBo2 123450 USD 2026-01-31T23:59:30Z SETTLED 5000000002 PayPal Express Checkout PAYPAL',
        'rDee4 5000 JPY 2026-02-02T00:00:00Z CANCELLED 5000000004 Shopify Payments PAYMENT_CARD',
        'rEd5 10250 KWD 2026-02-02T09:00:00Z AUTHORIZED 5000000005 Shopify Payments PAYMENT_CARD',
      ],
    ],
    [
      'paypal-activity',
      " --date-format 'MM/dd/yyyy HH:mm:ss z'",
      5,
      [
        '5TY05013RG002845M 123450 USD 2026-03-08T05:15:09Z SETTLED A-5001 PayPal PAYPAL',
        '1WX64382JH7290019 12345 JPY 2026-03-08T10:00:00Z SETTLED A-5002 PayPal PAYPAL',
        '3MN48261OP5570028 2000 EUR 2026-03-09T10:00:00Z SETTLED A-5003 PayPal PAYPAL',
      ],
    ],
  ] as const)('%s', async (name, more, leftOut, records) => {
    expect(await recordsOf(`${exportOf(name)} --mapping ${name}${more}`, leftOut)).toEqual(records)
  })

  test('paypal-activity guesses no order of day and month', async () => {
    const { exitCode, stdout } = await check(`${exportOf('paypal-activity')} --mapping paypal-activity`)
    expect(exitCode).toBe(14)
    expect(stdout).toContain('does not show which number is the month')
    expect(stdout).toContain('--date-format')
  })

  test('the order may be in another column', async () => {
    const { exitCode } = await check(
      `${exportOf('stripe-balance')} --mapping stripe-balance --map order.id=Transfer`,
    )
    expect(exitCode).toBe(0)
  })
})

test('a value that the service does not document is a bad row, and a column of an optional field may be missing', async () => {
  const lines = readFileSync(exportOf('stripe-payments'), 'utf8').split('\n')
  const cut = lines.map((line) => line.replace(/^((?:[^,]*,){22})[^,]*,/, '$1'))
  write('a.csv', cut.join('\n').replace(',Paid,', ',Weird New Status,'))
  const { exitCode, stdout, stderr } = await check('a.csv --mapping stripe-payments')
  expect(cut[0]).not.toContain('Card Issue Country')
  expect({ exitCode, stdout }).toMatchObject({
    exitCode: 14,
    stdout: expect.stringContaining(
      'Status is neither in where nor in leaveOut: 1 time\n  row 1 (line 2): "Weird New Status"',
    ),
  })
  expect(stderr).toContain(
    'Fields without their column: paymentMethod.data.binData.issuerCountryCode (Card Issue Country)',
  )
})

test.each([
  ['stripe-balanc', 'Did you mean stripe-balance?'],
  ['my-shop', 'Ready-made: stripe-balance, stripe-payments'],
])('an unknown name is refused, with those that are known: %s', async (name, hint) => {
  const { exitCode, stderr } = await check(`a.csv --mapping ${name}`)
  expect(exitCode).toBe(2)
  expect(stderr).toContain(`There is neither a file nor a ready-made mapping "${name}"`)
  expect(stderr).toContain(hint)
})

test('a file of that name wins', async () => {
  write('stripe-balance', 'amounts: mayor')
  const { exitCode, stderr } = await check('a.csv --mapping stripe-balance')
  expect(exitCode).toBe(2)
  expect(stderr).toContain('The mapping stripe-balance cannot be used: amounts: must be minor or major')
})
