import type { Order } from '../api/models/order.ts'
import { orderTotal } from '../api/models/order-total.ts'
import type { PaymentMethodRequest } from '../api/models/payment-method.ts'
import type { Detail } from '../output/details.ts'
import { joinParts, formatField, formatAmount, formatFreeText, addNote } from './format-fields.ts'

export type LineItem = NonNullable<Order['lineItems']>[number]
type Money = (amountMinor: number) => string

/** Most line items to show; JSON output has them all. */
const MAX_LINES = 20

/** The items with price, quantity, discount and tax, then fees, shipping and the total. */
export function orderDetails(order: Order | undefined, currencyCode: string | undefined): readonly Detail[] {
  const { lineItems = [], fees = [], shipping } = order ?? {}
  const money = (amountMinor: number) => formatAmount(amountMinor, currencyCode) ?? ''
  const lines = lineItems.slice(0, MAX_LINES).map((line) => formatLine(line, money))
  const rest = lineItems.length - lines.length
  return [
    ...labelFirst('Items', rest > 0 ? [...lines, `… and ${rest} more`] : lines),
    ...labelFirst(
      'Fees',
      fees.map(({ amount, type, description }) =>
        addNote(
          joinParts([formatAmount(amount, currencyCode), formatField(type)], ' '),
          formatFreeText(description),
        ),
      ),
    ),
    ['Shipping', formatAmount(shipping?.amount, currencyCode)],
    ['Order total', formatAmount(totalOf(order), currencyCode)],
  ]
}

/** Surcharges of the session's payment methods: `0.50 EUR with PAYMENT_CARD`. */
export function surchargeDetails(
  options: PaymentMethodRequest['options'],
  currencyCode: string | undefined,
): readonly Detail[] {
  const surcharges = Object.entries(options ?? {}).flatMap(([type, { surcharge, networks = {} }]) => [
    { name: type, amount: surcharge?.amount },
    ...Object.entries(networks).map(([network, option]) => ({
      name: `${type} ${network}`,
      amount: option.surcharge?.amount,
    })),
  ])
  return labelFirst(
    'Surcharge',
    surcharges.flatMap(({ name, amount }) =>
      amount === undefined ? [] : [`${formatAmount(amount, currencyCode) ?? ''} with ${formatField(name)}`],
    ),
  )
}

/** Labels only the first value. */
const labelFirst = (label: string, values: readonly (string | undefined)[]): readonly Detail[] =>
  values.map((value, at) => [at === 0 ? label : '', value])

/** `2 × Blue shoe at 10.00 EUR − 1.00 EUR discount + 0.50 EUR tax = 19.50 EUR`. */
function formatLine(line: LineItem, money: Money): string {
  const { quantity = 1, name, itemId, description, amount, discountAmount = 0, taxAmount = 0 } = line
  const what = `${quantity} × ${formatFreeText(name ?? description ?? itemId) ?? 'item'}`
  if (amount === undefined) return what
  const parts = [
    `${what} at ${money(amount)}`,
    ...(discountAmount === 0 ? [] : [`− ${money(discountAmount)} discount`]),
    ...(taxAmount === 0 ? [] : [`+ ${money(taxAmount)} tax`]),
  ]
  const total = Number(lineTotal(line))
  return total === amount || !Number.isSafeInteger(total)
    ? parts.join(' ')
    : `${parts.join(' ')} = ${money(total)}`
}

/** The total of a line: amount times quantity, less the discount, plus tax. A bigint, because products may exceed the safe integers. */
export const lineTotal = ({
  amount = 0,
  quantity = 1,
  discountAmount = 0,
  taxAmount = 0,
}: LineItem): bigint => BigInt(amount) * BigInt(quantity) - BigInt(discountAmount) + BigInt(taxAmount)

/** One amount of an order, in minor units. A bigint, because products may exceed the safe integers. */
interface OrderRow {
  readonly label: string
  readonly amount: bigint
}

/**
 * What is added to the line items, so that all rows together give `amount` and the surcharge. An amount of its own overrides the
 * sum of the order; the difference has its own row.
 */
export function extraRows(
  { lineItems = [], fees = [], shipping }: Order,
  amount = 0,
  surcharge = 0,
): readonly OrderRow[] {
  const rows: OrderRow[] = []
  if (shipping?.amount !== undefined) rows.push({ label: 'Shipping', amount: BigInt(shipping.amount) })
  for (const { amount: fee = 0, description, type } of fees)
    rows.push({ label: description || type || 'Fee', amount: BigInt(fee) })
  const isItemized = lineItems.length > 0 || rows.length > 0
  const sum = [...lineItems.map(lineTotal), ...rows.map((row) => row.amount)].reduce(
    (total, one) => total + one,
    0n,
  )
  const difference = BigInt(amount) - sum
  if (isItemized && difference !== 0n) rows.push({ label: 'Adjustment', amount: difference })
  if (surcharge !== 0) rows.push({ label: 'Surcharge', amount: BigInt(surcharge) })
  return rows
}

/** The sum of the order; undefined without any amount, or if it is not a safe integer. */
function totalOf(order: Order | undefined): number | undefined {
  const total = Number(orderTotal(order))
  return Number.isSafeInteger(total) ? total : undefined
}
