import { withField, hasAmount, hasAmountSchema } from './body-amounts.ts'
import type { AmountFields } from './body-amounts.ts'
import { z } from '../schema.ts'
import { isVersion21OrLater } from '../versions.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** What may stand in place of `order`. */
const OTHER_FORM = ['orderDetails', 'lineItems'] as const
const IN_JSON = new WeakMap<object, JsonSchema>()

const rule = <Check extends object>(check: Check, inJson: JsonSchema): Check => {
  IN_JSON.set(check, inJson)
  return check
}

/** The rules of a schema as JSON Schema says them. */
export const rulesAsJsonSchema = (schema: z.core.$ZodType): readonly JsonSchema[] =>
  (schema._zod.def.checks ?? []).map((check) => IN_JSON.get(check)).filter((inJson) => inJson !== undefined)

/** What an issue carries whose rule came with version 2.1 (spec 9.5). */
const SINCE_21 = { since: '2.1' } as const

/** Whether the rule that an issue comes from is one of the version. */
export const appliesToVersion = (
  version: string,
  issue: { readonly code?: string; readonly params?: unknown },
): boolean => issue.params !== SINCE_21 || isVersion21OrLater(version)

/** A currencyCode must be passed whenever any amount is (spec 4.1, version 2.1 validation). */
export const requireCurrencyWithAmount = <T extends AmountFields>() =>
  rule(
    z.refine<T>((body) => body.currencyCode !== undefined || !hasAmount(body), {
      path: ['currencyCode'],
      error: 'is required beside an amount',
      params: SINCE_21,
    }),
    {
      description: 'currencyCode is required beside an amount',
      anyOf: [withField('currencyCode'), { not: hasAmountSchema }],
    },
  )

/** `order`, or `orderDetails` with top-level `lineItems`; not both. */
export const refuseTwoOrderForms = <T extends AmountFields>() =>
  rule(
    z.check<T>(({ value, issues }) => {
      if (!isGiven(value.order)) return
      for (const other of OTHER_FORM.filter((name) => isGiven(value[name])))
        issues.push({
          code: 'custom',
          path: [other],
          message: 'cannot be given together with order',
          input: value,
        })
    }),
    {
      description: `${OTHER_FORM.join(' and ')} cannot be given together with order`,
      // Where null clears a field, it is none beside the other form either.
      anyOf: [
        { not: withField('order', { type: 'object' }) },
        { properties: Object.fromEntries(OTHER_FORM.map((other) => [other, { type: 'null' }])) },
      ],
    },
  )

/** A session update cannot change the options of its payment method, nor clear them (spec 4.2.5). */
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

/** null is none: it clears a field. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/**
 * The rules of a schema that a body breaks, asked without its types: zod stops before them where a type is wrong. Nulls are
 * seen too: a field that no request may change can't be cleared either.
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
