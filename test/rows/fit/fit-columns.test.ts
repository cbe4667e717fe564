import { describe, expect, test } from 'vitest'
import { KNOWN_RECORD_COLUMNS, isPersonal } from '../../../src/rows/fit/known-columns.ts'
import { RECORD_FIELDS } from '../../../src/rows/import/record-fields.ts'
import { FOREIGN_TABLES } from './foreign-tables.ts'
import { suggested } from './fit-columns-bench.ts'

const mapOf = (...names: readonly string[]) => suggested(`${names.join(',')}\n`).map

test.each([
  ['id', 'paymentId'],
  ['ID', 'paymentId'],
  ['payment_id', 'paymentId'],
  ['payment-id', 'paymentId'],
  ['Transaction ID', 'paymentId'],
  ['Currency', 'currencyCode'],
  ['Gross Currency', 'currencyCode'],
  ['Total', 'amount'],
  ['Created (UTC)', 'createdAt'],
  ['Created date (UTC)', 'createdAt'],
  ['created_utc', 'createdAt'],
  ['Order Number', 'order.id'],
  ['order_id', 'order.id'],
  ['order_id (metadata)', 'order.id'],
  ['PSP', 'processor.name'],
  ['payment_method_type', 'paymentMethod.paymentMethodType'],
  ['Statement Descriptor', 'descriptor'],
  ['Status', 'status'],
])('a column with a well-known name is suggested: %s: %s', (column, field) =>
  expect(mapOf(column)).toEqual({ [field]: column }),
)

describe('a column is not mapped', () => {
  test.each([
    'Name',
    'name',
    'Customer Name',
    'Card Name',
    'Cardholder',
    'Shopper Name',
    'Email',
    'E-mail',
    'Payer Email Address',
    'Phone',
    'Billing Address',
    'Shipping City',
    'Country',
    'Description',
    'Type',
    'State',
    'Card Brand',
    'Net',
    'Net Currency',
    'statsu',
    'Product Name',
    'Invoice ID',
  ])('%s', (column) => expect(mapOf(column)).toEqual({}))

  test('if its name is only similar to a field; a note says so', () => {
    expect(suggested('curency,Order ID\n')).toMatchObject({ map: { 'order.id': 'Order ID' } })
    expect(suggested('currencyCod\n').notes).toContain('If it means currencyCode, use --map.')
  })

  test('if two are equally likely; a note names both', () => {
    const { map, missing, notes } = suggested('Transaction ID,Charge ID\n')
    expect(map).toEqual({})
    expect(missing).toContain('paymentId')
    expect(notes).toContain(
      'paymentId is not mapped because it could be any of "Transaction ID", "Charge ID"',
    )
  })

  test('if it has email addresses, regardless of its name', () => {
    const { map, notes } = suggested('Order ID,Amount\nada@example.com,700\n')
    expect(map).toEqual({ amount: 'Amount' })
    expect(notes).toContain('"Order ID" is not mapped to order.id: it has email addresses.')
  })

  test('if the API does not know its codes', () => {
    const { map, notes } = suggested('Status,Card Brand,Payment Method\nPaid,Visa,visa\n')
    expect(map).toEqual({})
    expect(notes).toContain(
      '"Status" is not mapped to status: it has values that the API does not know ("Paid")',
    )
  })
})

test.each([
  ['the more certain name wins', ['Total', 'Amount'], { amount: 'Amount' }],
  ['an order ID beats an order', ['Order', 'Order ID'], { 'order.id': 'Order ID' }],
  ['the payment’s own ID beats an ID', ['ID', 'payment_id'], { paymentId: 'payment_id' }],
  ['the time in UTC wins', ['created', 'created_utc'], { createdAt: 'created_utc' }],
  ['the longer name wins', ['Description', 'Statement Descriptor'], { descriptor: 'Statement Descriptor' }],
  [
    'a gross amount takes its own currency',
    ['Currency', 'Gross', 'Gross Currency'],
    { amount: 'Gross', currencyCode: 'Gross Currency' },
  ],
  ['a field’s own name wins', ['amount', 'Total'], { amount: 'amount' }],
])('among several columns: %s', (_, names, map) => expect(mapOf(...names)).toEqual(map))

test('explains the choice among several columns', () => {
  const { notes } = suggested(FOREIGN_TABLES.stripeItemized.join('\n'))
  expect(notes).toContain(
    'paymentId is mapped to "charge_id", the most likely of "charge_id", "payment_intent_id".',
  )
  expect(notes).toContain(
    'createdAt is mapped to "created_utc", the most likely of "created_utc", "created".',
  )
  expect(suggested(FOREIGN_TABLES.shopifyOrders.join('\n')).notes).toContain(`"Id" is the order's ID`)
})

describe('amounts', () => {
  test.each([
    ['25.00', 'major'],
    ['"1,234.50"', 'major'],
    ['"1.234,50"', 'major'],
    ['2500', undefined],
    ['"1,234"', '…'],
  ])('%s are in %s units', (cell, amounts) => expect(suggested(`Amount\n${cell}\n`).amounts).toBe(amounts))

  test('in whole numbers get a note', () => {
    expect(suggested('Amount\n2500\n').notes).toContain('add --amounts major')
    expect(suggested('amount_minor\n2500\n').notes).not.toContain('--amounts')
  })
})

test('another column of money counts only if it has other money', () => {
  const amountOf = (...rows: readonly string[]) =>
    suggested(['Amount,Amount Received', ...rows].join('\n')).map
  expect(amountOf('12.50,12.50', '8.00,0.00', '7.00,')).toEqual({ amount: 'Amount' })
  expect(amountOf('12.50,12.50', '8.00,5.00')).toEqual({})
})

test.each([
  ['Transaction Type', ['sale', 'credit'], true],
  ['Balance Impact', ['Credit', 'Debit'], true],
  ['Af Bij', ['Af', 'Bij'], true],
  ['Card Type', ['credit', 'debit'], false],
  ['Type', ['Credit'], false],
])('%s of %j asks for the rows to keep: %s', (name, values, asks) =>
  expect(suggested([`${name},x`, ...values.map((value) => `${value},1`)].join('\n')).where).toEqual(
    asks ? { [name]: ['…'] } : undefined,
  ),
)

test('repeated IDs get a note', () => {
  expect(suggested('Psp Reference\n1\n1\n').notes).toContain(
    '"Psp Reference" has the same value in several rows',
  )
})

test('the known columns are fields of a record and never personal', () => {
  for (const [field, ranks] of Object.entries(KNOWN_RECORD_COLUMNS)) {
    expect(Object.keys(RECORD_FIELDS)).toContain(field)
    expect(ranks.flat().filter((name) => isPersonal(name))).toEqual([])
  }
})
