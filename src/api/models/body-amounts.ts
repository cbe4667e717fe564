import type { z } from '../schema.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** Where an order may stand. */
const ORDERS = ['order', 'orderDetails'] as const
/** The amounts of a line of it. */
const LINE_AMOUNTS = ['amount', 'discountAmount', 'taxAmount'] as const

/** Also asked of a body with wrong types, so nothing is certain yet of what it holds. */
export interface AmountFields {
  readonly amount?: unknown
  readonly currencyCode?: unknown
  readonly order?: unknown
  readonly orderDetails?: unknown
  readonly lineItems?: unknown
  readonly paymentMethod?: unknown
}

/** Whether any amount is given: of the whole, of a part, or of a surcharge. */
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

/** Of each payment method type, and of each card network there. */
function surchargesOf(paymentMethod: unknown): readonly unknown[] {
  const options = valuesOf(fieldOf(paymentMethod, 'options'))
  const networks = options.flatMap((option) => valuesOf(fieldOf(option, 'networks')))
  return [...options, ...networks].map((holder) => fieldOf(holder, 'surcharge'))
}

const entriesOf = (list: unknown): readonly unknown[] => (Array.isArray(list) ? list : [])

const valuesOf = (map: unknown): readonly unknown[] =>
  typeof map === 'object' && map !== null && !Array.isArray(map) ? Object.values(map) : []

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

export const withField = (field: string, holding: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  required: [field],
  properties: { [field]: holding },
})
const hasEntryWith = (list: string, amounts: readonly string[]): JsonSchema =>
  withField(list, { type: 'array', contains: { anyOf: amounts.map((name) => withField(name)) } })
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

/** {@link hasAmount} in JSON Schema. */
export const hasAmountSchema: JsonSchema = {
  anyOf: [withField('amount'), hasLineAmount, ...ORDERS.map(hasOrderAmount), hasSurchargeAmount],
}
