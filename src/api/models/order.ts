import { lazy } from '../lazy.ts'
import { fields, list, part, text, value, whole, z } from '../schema.ts'
import type { Shape } from '../schema.ts'

const productData = () =>
  part({
    sku: text(),
    brand: text(),
    color: text(),
    globalTradeItemNumber: text(),
    manufacturerPartNumber: text(),
    weight: whole(),
    weightUnit: text(),
  })

/** One line of an order (spec 2.2). Amounts in minor units; discount and tax are for the whole line. */
export const lineItem = lazy(() =>
  fields({
    amount: whole(),
    itemId: text(),
    name: text(),
    description: text(),
    quantity: whole(),
    discountAmount: whole(),
    taxAmount: whole(),
    taxCode: text(),
    productType: value('productType'),
    productData: productData(),
  }),
)

/** Order details (spec 2.2). */
export const order = lazy(() =>
  fields({
    lineItems: list(lineItem()),
    countryCode: value('countryCode'),
    retailerCountryCode: value('countryCode'),
    fees: list(fields({ amount: whole(), type: text(), description: text() })),
    shipping: part({ amount: whole() }),
  }),
)

/** The form of the version 2.1 migration examples: `orderDetails`, with `lineItems` at the top (spec 2.2, 9.4). */
export const orderDetailsForm = () => ({
  orderDetails: z.optional(order()),
  lineItems: list(lineItem()),
})

export type Order = Shape<typeof order>
