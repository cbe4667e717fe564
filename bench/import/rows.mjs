// The file to import, and the same records as request bodies for programs that can't read a file.
import { closeSync, openSync, writeSync } from 'node:fs'

const COLUMNS =
  'paymentId,currencyCode,processor.name,amount,createdAt,order.id,paymentMethod.paymentMethodType,status,metadata.store'

const two = (number) => String(number).padStart(2, '0')

const fieldsOf = (prefix, row) => ({
  paymentId: `${prefix}-${row}`,
  amount: 100 + (row % 90_000),
  createdAt: `2026-0${1 + (row % 9)}-${two(1 + (row % 28))}T${two(row % 24)}:${two(row % 60)}:00Z`,
  orderId: `order-${row}`,
  store: `store-${row % 50}`,
})

/** Writes in pieces: five million rows exceed the largest possible string. */
export function writeRows(path, rows, prefix) {
  const file = openSync(path, 'w')
  let text = `${COLUMNS}\n`
  for (let row = 1; row <= rows; row += 1) {
    const { paymentId, amount, createdAt, orderId, store } = fieldsOf(prefix, row)
    text += `${paymentId},EUR,ACME_PAY,${amount},${createdAt},${orderId},PAYMENT_CARD,SETTLED,${store}\n`
    if (text.length < 1 << 20 && row < rows) continue
    writeSync(file, text)
    text = ''
  }
  closeSync(file)
  return path
}

/** The body that the import sends for such a row. */
export function bodyOf(prefix, row) {
  const { paymentId, amount, createdAt, orderId, store } = fieldsOf(prefix, row)
  return `{"paymentId":"${paymentId}","currencyCode":"EUR","processor":{"name":"ACME_PAY"},"amount":${amount},"createdAt":"${createdAt}","order":{"id":"${orderId}"},"paymentMethod":{"paymentMethodType":"PAYMENT_CARD"},"status":"SETTLED","metadata":{"store":"${store}"}}`
}

/** The same as an expression in Lua, of `row`. */
export function luaBody(prefix) {
  const template = bodyOf(prefix, 0)
    .replace(`${prefix}-0`, `${prefix}-%d`)
    .replace('"amount":100', '"amount":%d')
    .replace('2026-01-01T00:00:00Z', '2026-0%d-%02dT%02d:%02d:00Z')
    .replace('order-0', 'order-%d')
    .replace('store-0', 'store-%d')
  return `string.format('${template}', row, 100 + row % 90000, 1 + row % 9, 1 + row % 28, row % 24, row % 60, row, row % 50)`
}
