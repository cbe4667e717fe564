import type { z } from '../schema.ts'
import { fieldOf } from '../../json/fields.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

const ORDERS = ['order', 'orderDetails'] as const
const LINE_AMOUNTS = ['amount', 'discountAmount', 'taxAmount'] as const

/** Fields of a body that is not validated yet, so their types are unknown. */
export interface AmountFields {
  readonly amount?: unknown
  readonly currencyCode?: unknown
  readonly order?: unknown
  readonly orderDetails?: unknown
  readonly lineItems?: unknown
  readonly paymentMethod?: unknown
}

/** Whether the body contains any amount: a total, a line, a fee, shipping or a surcharge. */
export function hasAmount(value: AmountFields): boolean {
  if (value.amount !== undefined) return true
  const orders = ORDERS.map((order) => value[order])
  const lines = [value, ...orders].flatMap((holder) => entriesOf(fieldOf(holder, 'lineItems')))
  const flat = orders.flatMap((order) => [...entriesOf(fieldOf(order, 'fees')), fieldOf(order, 'shipping')])
  return (
    lines.some((line) => LINE_AMOUNTS.some((name) => fieldOf(line, name) !== undefined)) ||
    [...flat, ...surchargesOf(value.paymentMethod)].some((part) => fieldOf(part, 'amount') !== undefined)
  )
}

/** Surcharges by payment method type and by card network. */
function surchargesOf(paymentMethod: unknown): readonly unknown[] {
  const options = valuesOf(fieldOf(paymentMethod, 'options'))
  const networks = options.flatMap((option) => valuesOf(fieldOf(option, 'networks')))
  return [...options, ...networks].map((holder) => fieldOf(holder, 'surcharge'))
}

const entriesOf = (list: unknown): readonly unknown[] => (Array.isArray(list) ? list : [])

const valuesOf = (map: unknown): readonly unknown[] =>
  typeof map === 'object' && map !== null && !Array.isArray(map) ? Object.values(map) : []

export const withField = (field: string, holding: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  required: [field],
  properties: { [field]: holding },
})
/** A list of anything, as JSON Schema. Some validators require `items` with every array. */
export const anyList = (more: JsonSchema = {}): JsonSchema => ({ type: 'array', items: {}, ...more })
const hasEntryWith = (list: string, amounts: readonly string[]): JsonSchema =>
  withField(list, anyList({ contains: { anyOf: amounts.map((name) => withField(name)) } }))
const hasAnyValue = (holding: JsonSchema): JsonSchema => ({
  type: 'object',
  not: { type: 'object', additionalProperties: { not: holding } },
})
const hasLineAmount = hasEntryWith('lineItems', LINE_AMOUNTS)
const hasOrderAmount = (order: string): JsonSchema =>
  withField(order, {
    anyOf: [hasLineAmount, hasEntryWith('fees', ['amount']), withField('shipping', withField('amount'))],
  })
const hasSurcharge = withField('surcharge', withField('amount'))
const hasSurchargeAmount = withField(
  'paymentMethod',
  withField(
    'options',
    hasAnyValue({ anyOf: [hasSurcharge, withField('networks', hasAnyValue(hasSurcharge))] }),
  ),
)

/** {@link hasAmount} as JSON Schema. */
export const hasAmountSchema: JsonSchema = {
  anyOf: [withField('amount'), hasLineAmount, ...ORDERS.map(hasOrderAmount), hasSurchargeAmount],
}
