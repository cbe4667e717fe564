import { describe, expect, test } from 'vitest'
import { readTable } from '../../src/bulk/read-table.ts'
import { createRemarks } from '../../src/bulk/remarks.ts'
import { TEMPLATE_FIELDS, suggestMapping, templateRow } from '../../src/bulk/template.ts'

test('the template is a file that can be sent', () => {
  const text = `${TEMPLATE_FIELDS.join(',')}\n`
  const words = { columns: new Map<string, string>(), constants: new Map<string, string>() }
  const remarks = createRemarks()
  const { rowsOf } = readTable(Buffer.from(text), words, { amounts: 'minor', assumesUtc: false }, remarks)
  const { rows } = rowsOf({
    bytes: Buffer.from(`${templateRow().join(',')}\n`),
    startByte: text.length,
    startLine: 2,
  })
  expect(rows).toMatchObject([{ paymentId: 'ext-1', prepared: { body: { amount: 2500 } }, problems: [] }])
  expect(remarks.all()).toEqual([])
})

describe('columns that look like fields are suggested', () => {
  test.each([
    ['Currency', 'currencyCode'],
    ['Total', 'amount'],
    ['Created (UTC)', 'createdAt'],
    ['Order Number', 'order.id'],
    ['order_id', 'order.id'],
    ['payment-id', 'paymentId'],
    ['Transaction ID', 'paymentId'],
    ['PSP', 'processor.name'],
    ['Card Brand', 'paymentMethod.data.binData.network'],
    ['statsu', 'status'],
  ])('%s: %s', (column, field) => expect(suggestMapping([column]).suggestions).toEqual([{ field, column }]))

  test('each field once, and none that is there', () => {
    const { suggestions, missing } = suggestMapping([
      'amount',
      'Total',
      'Order',
      'Order ID',
      'Gibberish xyz',
      '',
    ])
    expect(suggestions).toEqual([{ field: 'order.id', column: 'Order' }])
    expect(missing).toEqual([
      'paymentId',
      'currencyCode',
      'processor.name',
      'createdAt',
      'paymentMethod.paymentMethodType',
    ])
  })
})
