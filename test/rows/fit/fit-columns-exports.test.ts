import { describe, expect, test } from 'vitest'
import { FOREIGN_TABLES } from './foreign-tables.ts'
import { suggested } from './fit-columns-bench.ts'

describe('exports of payment services and shops', () => {
  test.each([
    [
      'stripePayments',
      {
        paymentId: 'id',
        createdAt: 'Created date (UTC)',
        amount: 'Amount',
        currencyCode: 'Currency',
        descriptor: 'Statement Descriptor',
        'order.id': 'order_id (metadata)',
        'paymentMethod.data.binData.issuerCountryCode': 'Card Issue Country',
      },
      ['processor.name', 'paymentMethod.paymentMethodType'],
      { amounts: 'major', assumeUtc: true },
    ],
    [
      'stripeBalance',
      {
        paymentId: 'id',
        amount: 'Amount',
        currencyCode: 'Currency',
        createdAt: 'Created (UTC)',
        'order.id': 'order_id (metadata)',
      },
      ['processor.name', 'paymentMethod.paymentMethodType'],
      { amounts: 'major', assumeUtc: true },
    ],
    [
      'stripeItemized',
      {
        paymentId: 'charge_id',
        amount: 'gross',
        currencyCode: 'currency',
        createdAt: 'created_utc',
        descriptor: 'statement_descriptor',
        'paymentMethod.data.binData.issuerCountryCode': 'card_country',
      },
      ['processor.name', 'order.id', 'paymentMethod.paymentMethodType'],
      { amounts: 'major', assumeUtc: true },
    ],
    [
      'adyenSettlement',
      {
        'processor.merchantId': 'Merchant Account',
        paymentId: 'Psp Reference',
        'order.id': 'Merchant Reference',
        createdAt: 'Creation Date',
        currencyCode: 'Gross Currency',
        amount: 'Gross Credit (GC)',
      },
      ['processor.name', 'paymentMethod.paymentMethodType'],
      { amounts: 'major', assumeUtc: undefined },
    ],
    [
      'shopifyOrders',
      {
        currencyCode: 'Currency',
        amount: 'Total',
        createdAt: 'Created at',
        'order.id': 'Id',
        paymentId: 'Payment ID',
      },
      ['processor.name', 'paymentMethod.paymentMethodType'],
      { amounts: 'major', assumeUtc: undefined },
    ],
    [
      'paypalActivity',
      {
        currencyCode: 'Currency',
        amount: 'Gross',
        paymentId: 'Transaction ID',
        'order.id': 'Invoice Number',
      },
      ['processor.name', 'paymentMethod.paymentMethodType'],
      { amounts: 'major', assumeUtc: undefined, join: { createdAt: ['Date', 'Time'] } },
    ],
  ] as const)('%s', (name, map, missing, rest) => {
    const [header, row] = FOREIGN_TABLES[name]
    const { assumeUtc, ...found } = suggested(`${header}\n${row}\n`)
    expect({ assumeUtc, ...found }).toMatchObject({ missing, ...rest })
    expect(suggested(`${header}\n${row}\n`).map).toEqual(map)
  })

  test.each(Object.entries(FOREIGN_TABLES))(
    '%s: no column with personal data, with or without rows',
    (_, table) => {
      for (const text of [`${table[0]}\n`, table.join('\n')]) {
        const columns = Object.values(suggested(text).map)
        expect(columns.filter((column) => /name|mail|phone|address|city|street|zip/i.test(column))).toEqual(
          [],
        )
      }
    },
  )

  test('explain why a column is left out', () => {
    const { notes } = suggested(FOREIGN_TABLES.paypalActivity.join('\n'))
    expect(notes).toContain('"Date" has the day and "Time" the time. A mapping file joins them')
    expect(notes).toContain('Never mapped, because they may identify a person')
    expect(notes).toContain('"Name"')
    expect(notes).toContain('"Status" is not mapped to status')
  })
})
