import {
  lazySchema,
  looseObject,
  optionalInteger,
  optionalList,
  optionalObject,
  optionalOneOf,
  optionalText,
  z,
} from '../schema.ts'
import type { Shape } from '../schema.ts'

const productData = () =>
  optionalObject({
    sku: optionalText(),
    brand: optionalText(),
    color: optionalText(),
    globalTradeItemNumber: optionalText(),
    manufacturerPartNumber: optionalText(),
    weight: optionalInteger(),
    weightUnit: optionalText(),
  })

/** One line of an order (spec 2.2). Amounts in minor units; discount and tax apply to the whole line. */
export const lineItem = lazySchema(() =>
  looseObject({
    amount: optionalInteger(),
    itemId: optionalText(),
    name: optionalText(),
    description: optionalText(),
    quantity: optionalInteger(),
    discountAmount: optionalInteger(),
    taxAmount: optionalInteger(),
    taxCode: optionalText(),
    productType: optionalOneOf('productType'),
    productData: productData(),
  }),
)

/** Order details (spec 2.2). */
export const order = lazySchema(() =>
  looseObject({
    lineItems: optionalList(lineItem()),
    countryCode: optionalOneOf('countryCode'),
    retailerCountryCode: optionalOneOf('countryCode'),
    fees: optionalList(
      looseObject({ amount: optionalInteger(), type: optionalText(), description: optionalText() }),
    ),
    shipping: optionalObject({ amount: optionalInteger() }),
  }),
)

/** The form in the version 2.1 migration examples: `orderDetails` with top-level `lineItems` (spec 2.2, 9.4). */
export const alternativeOrderFields = () => ({
  orderDetails: z.optional(order()),
  lineItems: optionalList(lineItem()),
})

/** The fields of a request that version 2.1 added to orders (spec 9.5). */
export const ORDER_FIELDS_OF_21 = [
  'order.lineItems.*.productType',
  'orderDetails.lineItems.*.productType',
  'lineItems.*.productType',
] as const

export type Order = Shape<typeof order>
