import { z } from './schema.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** What may stand in place of `order`. */
const OTHER_FORM = ['orderDetails', 'lineItems'] as const
/** Where an order may stand. */
const ORDERS = ['order', 'orderDetails'] as const
/** The amounts of a line of it. */
const LINE_AMOUNTS = ['amount', 'discountAmount', 'taxAmount'] as const

/** Also asked of a body with wrong types, so nothing is certain yet of what a rule looks at. */
type Unchecked<Field extends string> = { readonly [Name in Field]?: unknown }
type Amounts = Unchecked<'amount' | 'currencyCode' | 'order' | 'orderDetails' | 'lineItems'>

const IN_JSON = new WeakMap<object, JsonSchema>()

/** The one field without which a rule is never broken, where there is one. */
const ABOUT = new WeakMap<object, string>()

const rule = <Check extends object>(check: Check, inJson: JsonSchema, about?: string): Check => {
  IN_JSON.set(check, inJson)
  if (about !== undefined) ABOUT.set(check, about)
  return check
}

/** What its rules are about, or undefined where that is more than single fields: read by scripts/plain-shapes.mjs. */
export function fieldsOfRules(schema: z.core.$ZodType): readonly string[] | undefined {
  const fields = (schema._zod.def.checks ?? []).map((check) => ABOUT.get(check))
  return fields.includes(undefined) ? undefined : fields.filter((field) => field !== undefined)
}

/** The rules of a schema as JSON Schema says them. */
export const rulesInJson = (schema: z.core.$ZodType): readonly JsonSchema[] =>
  (schema._zod.def.checks ?? []).map((check) => IN_JSON.get(check)).filter((inJson) => inJson !== undefined)

/** A currencyCode must be passed whenever any amount is (spec 4.1, version 2.1 validation). */
export const currencyBesideAmount = <T extends Amounts>() =>
  rule(
    z.check<T>(({ value, issues }) => {
      if (value.currencyCode !== undefined || !holdsAmount(value)) return
      issues.push({
        code: 'custom',
        path: ['currencyCode'],
        message: 'is required beside an amount',
        input: value,
      })
    }),
    {
      description: 'currencyCode is required beside an amount',
      anyOf: [
        has('currencyCode'),
        { not: { anyOf: [has('amount'), hasLineAmount, ...ORDERS.map(hasOrderAmount)] } },
      ],
    },
  )

/** `order`, or `orderDetails` with top-level `lineItems`; not both. */
export const oneOrderForm = <T extends Amounts>() =>
  rule(
    z.check<T>(({ value, issues }) => {
      if (value.order === undefined) return
      for (const other of OTHER_FORM) {
        if (value[other] === undefined) continue
        issues.push({
          code: 'custom',
          path: [other],
          message: 'cannot be given together with order',
          input: value,
        })
      }
    }),
    {
      description: `${OTHER_FORM.join(' and ')} cannot be given together with order`,
      // Where null clears a field, it is none beside the other form either.
      anyOf: [
        { not: has('order', { type: 'object' }) },
        { properties: Object.fromEntries(OTHER_FORM.map((other) => [other, { type: 'null' }])) },
      ],
    },
    'order',
  )

/** The rules of a schema that a body breaks, asked even where its types are wrong: zod itself stops before them then. */
export function brokenRules(schema: z.core.$ZodType, body: unknown): readonly z.core.$ZodRawIssue[] {
  const payload: z.core.ParsePayload = { value: body, issues: [] }
  for (const check of schema._zod.def.checks ?? []) if (isRule(check)) void check._zod.check(payload)
  return payload.issues
}

const isRule = (check: z.core.$ZodCheck): check is z.core.$ZodCheck<unknown> =>
  check._zod.def.check === 'custom'

/** Whether any amount is given, of the whole or of a part. */
export function holdsAmount(value: Amounts): boolean {
  if (value.amount !== undefined) return true
  const orders = ORDERS.map((order) => value[order])
  const lines = [value, ...orders].flatMap((holder) => entriesOf(fieldOf(holder, 'lineItems')))
  const flat = orders.flatMap((order) => [...entriesOf(fieldOf(order, 'fees')), fieldOf(order, 'shipping')])
  return (
    lines.some((line) => LINE_AMOUNTS.some((name) => fieldOf(line, name) !== undefined)) ||
    flat.some((part) => fieldOf(part, 'amount') !== undefined)
  )
}

const entriesOf = (list: unknown): readonly unknown[] => (Array.isArray(list) ? list : [])

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const has = (field: string, holding: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  required: [field],
  properties: { [field]: holding },
})
const hasEntryWith = (list: string, amounts: readonly string[]): JsonSchema =>
  has(list, { type: 'array', contains: { anyOf: amounts.map((name) => has(name)) } })
const hasLineAmount = hasEntryWith('lineItems', LINE_AMOUNTS)
const hasOrderAmount = (order: string): JsonSchema =>
  has(order, {
    anyOf: [hasLineAmount, hasEntryWith('fees', ['amount']), has('shipping', has('amount'))],
  })
