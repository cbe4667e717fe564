import { lazySchema, looseObject, oneOf, z } from '../../api/schema.ts'
import type { Shape } from '../../api/schema.ts'
import type { CheckoutSettings } from '../../api/checkout-settings.ts'
import { CHECKOUT_METHODS, checkoutMethod } from '../domain/scenarios/checkout-methods.ts'
import { invalid } from '../problem.ts'
import { acceptBody } from '../request/validation.ts'

const choice = <const Values extends readonly string[]>(values: Values) =>
  z.optional(z.enum(values, `must be one of ${values.join(', ')}`))

const offeredMethod = () =>
  looseObject({
    type: z
      .string()
      .check(
        z.refine(
          (type) => checkoutMethod(type) !== undefined,
          `must be one of ${CHECKOUT_METHODS.map(({ type }) => type).join(', ')}`,
        ),
      ),
    currencies: z.optional(z.array(oneOf('currencyCode'))),
    countries: z.optional(z.array(oneOf('countryCode'))),
  })

const settingsChanges = lazySchema(() =>
  looseObject({
    methods: z.optional(z.array(offeredMethod())),
    threeDSecure: choice(['auto', 'always', 'never']),
    authorizationType: choice(['FINAL', 'ESTIMATED']),
    showSurcharges: z.optional(z.boolean()),
  }),
)

/** @throws {Problem} that names everything wrong */
export function readSettings(given: unknown): Partial<CheckoutSettings> {
  const { methods, threeDSecure, authorizationType, showSurcharges } = acceptBody(
    { request: settingsChanges },
    given,
  ).body
  if (methods !== undefined) refuseTwice(methods)
  return withoutAbsent({
    methods: methods?.map(({ type, currencies = [], countries = [] }) => ({
      type,
      currencies: [...new Set(currencies)],
      countries: [...new Set(countries)],
    })),
    threeDSecure,
    authorizationType,
    showSurcharges,
  })
}

function refuseTwice(methods: NonNullable<Shape<typeof settingsChanges>['methods']>): void {
  const repeated = methods.flatMap(({ type }, index) =>
    methods.findIndex((other) => other.type === type) < index
      ? [{ path: `$.methods[${index}].type`, description: `repeats ${type}` }]
      : [],
  )
  if (repeated.length > 0) throw invalid(repeated)
}

/** A field that is absent keeps its value. */
const withoutAbsent = (changes: {
  readonly [Name in keyof CheckoutSettings]: CheckoutSettings[Name] | undefined
}): Partial<CheckoutSettings> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
