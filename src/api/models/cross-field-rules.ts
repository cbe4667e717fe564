import { anyList, withField, hasAmount, hasAmountSchema } from './body-amounts.ts'
import type { AmountFields } from './body-amounts.ts'
import { z } from '../schema.ts'
import { isVersion21OrLater } from '../versions.ts'
import { fieldOf } from '../../json/fields.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** Fields that replace `order`. */
const OTHER_FORM = ['orderDetails', 'lineItems'] as const
const IN_JSON = new WeakMap<object, JsonSchema>()

const rule = <Check extends object>(check: Check, inJson: JsonSchema): Check => {
  IN_JSON.set(check, inJson)
  return check
}

/** The rules of a schema as JSON Schema. */
export const rulesAsJsonSchema = (schema: z.core.$ZodType): readonly JsonSchema[] =>
  (schema._zod.def.checks ?? []).map((check) => IN_JSON.get(check)).filter((inJson) => inJson !== undefined)

/** Marks issues of rules that version 2.1 added (spec 9.5). */
const SINCE_21 = { since: '2.1' } as const

/** Whether the rule behind an issue applies to the version. */
export const appliesToVersion = (
  version: string,
  issue: { readonly code?: string; readonly params?: unknown },
): boolean => issue.params !== SINCE_21 || isVersion21OrLater(version)

/** Requires currencyCode with any amount (spec 4.1, version 2.1 validation). */
export const requireCurrencyWithAmount = <T extends AmountFields>() =>
  rule(
    z.refine<T>((body) => body.currencyCode !== undefined || !hasAmount(body), {
      path: ['currencyCode'],
      error: 'is required with an amount',
      params: SINCE_21,
    }),
    {
      description: 'currencyCode is required with an amount',
      anyOf: [withField('currencyCode'), { not: hasAmountSchema }],
    },
  )

/** Refuses `order` together with `orderDetails` or top-level `lineItems`, and lines in both of these. */
export const refuseTwoOrderForms = <T extends AmountFields>() =>
  rule(
    z.check<T>(({ value, issues }) => {
      const refuse = (field: string, other: string) =>
        issues.push({
          code: 'custom',
          path: [field],
          message: `cannot be given together with ${other}`,
          input: value,
        })
      if (isGiven(value.order))
        for (const name of OTHER_FORM.filter((each) => isGiven(value[each]))) refuse(name, 'order')
      if (isGiven(value.lineItems) && isGiven(fieldOf(value.orderDetails, 'lineItems')))
        refuse('lineItems', 'orderDetails.lineItems')
    }),
    {
      description: `${OTHER_FORM.join(' and ')} cannot be given together with order, nor lines in both`,
      // A null, which clears a field, does not conflict.
      allOf: [
        {
          anyOf: [
            { not: withField('order', { type: 'object' }) },
            { properties: Object.fromEntries(OTHER_FORM.map((other) => [other, { type: 'null' }])) },
          ],
        },
        {
          anyOf: [
            { not: withField('orderDetails', withField('lineItems', anyList())) },
            { properties: { lineItems: { type: 'null' } } },
          ],
        },
      ],
    },
  )

/** Refuses to change or clear paymentMethod.options in a session update (spec 4.2.5). */
export const refuseOptionsUpdate = <
  T extends { readonly paymentMethod?: { readonly options?: unknown } | undefined },
>() =>
  rule(
    z.refine<T>((body) => body.paymentMethod?.options === undefined, {
      path: ['paymentMethod', 'options'],
      error: 'cannot be updated by this operation',
    }),
    {
      description: 'paymentMethod.options cannot be updated',
      properties: { paymentMethod: { not: withField('options') } },
    },
  )

/** Whether a field has a value. null clears a field, so it counts as absent. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/**
 * The rules that a body breaks, checked without its types: zod skips rules if a type is wrong. Nulls count too: a field that
 * can't be changed can't be cleared.
 */
export function findBrokenRules(schema: z.core.$ZodType, body: unknown): readonly z.core.$ZodIssue[] {
  const rules = (schema._zod.def.checks ?? []).filter(isRule)
  if (rules.length === 0) return []
  const issues =
    z
      .looseObject({})
      .check(...rules)
      .safeParse(body).error?.issues ?? []
  return issues.filter(({ code }) => code === 'custom')
}

const isRule = (check: z.core.$ZodCheck): check is z.core.$ZodCheck<unknown> =>
  check._zod.def.check === 'custom'
