import { PAYMENT_TYPES, SETS } from '../api/sets.ts'
import type { FlagSpec, Parts } from '../cli/command/flags.ts'

/** A line item (spec 2.2). Discount and tax apply to the whole line, not to each unit. */
const LINE_ITEM = {
  name: 'text',
  itemId: 'text',
  amount: 'amount',
  quantity: 'count',
  description: 'text',
  discountAmount: 'amount',
  taxAmount: 'amount',
  taxCode: 'text',
  productType: 'text',
  'productData.sku': 'text',
  'productData.brand': 'text',
  'productData.color': 'text',
  'productData.globalTradeItemNumber': 'text',
  'productData.manufacturerPartNumber': 'text',
  'productData.weight': 'count',
  'productData.weightUnit': 'text',
} as const satisfies Parts

/** An address (spec 2.3). */
const ADDRESS = {
  firstName: 'text',
  lastName: 'text',
  addressLine1: 'text',
  addressLine2: 'text',
  city: 'text',
  state: 'text',
  postalCode: 'text',
  countryCode: 'text',
} as const satisfies Parts

/** Flags of the fields that sessions and payments share. */
export const SESSION_FLAGS = {
  'order-id': {
    kind: 'text',
    value: 'ID',
    field: 'orderId',
    from: 'order',
    help: 'Your reference for the order',
  },
  currency: { kind: 'currency', value: 'CODE', field: 'currencyCode', help: 'ISO 4217 code, such as EUR' },
  amount: {
    kind: 'amount',
    value: 'AMOUNT',
    field: 'amount',
    help: "Minor units (700), or money with its currency ('7.00 EUR')",
  },
  'customer-id': { kind: 'text', value: 'ID', field: 'customerId', help: 'Your ID for the customer' },
  email: {
    kind: 'text',
    value: 'ADDRESS',
    field: 'customer.emailAddress',
    help: "The customer's email address",
  },
  country: {
    kind: 'text',
    value: 'CODE',
    field: 'order.countryCode',
    help: "The order's country, such as DE",
  },
  'line-item': {
    kind: 'objects',
    value: 'SPEC',
    field: 'order.lineItems',
    parts: LINE_ITEM,
    help: `'name=Blue shoe,itemId=shoe-1,amount=1000,quantity=2'; repeatable. Fields: ${Object.keys(LINE_ITEM).join(', ')}`,
  },
  fee: {
    kind: 'objects',
    value: 'SPEC',
    field: 'order.fees',
    parts: { amount: 'amount', type: 'text', description: 'text' },
    help: "'amount=2.50 EUR,type=HANDLING'; repeatable. Fields: amount, type, description",
  },
  shipping: {
    kind: 'amount',
    value: 'AMOUNT',
    field: 'order.shipping.amount',
    help: 'Shipping cost',
  },
  'billing-address': {
    kind: 'object',
    value: 'SPEC',
    field: 'customer.billingAddress',
    parts: ADDRESS,
    help: `'firstName=Ada,city=Berlin,countryCode=DE'. Fields: ${Object.keys(ADDRESS).join(', ')}`,
  },
  'shipping-address': {
    kind: 'object',
    value: 'SPEC',
    field: 'customer.shippingAddress',
    parts: ADDRESS,
    help: 'Delivery address; takes the same fields as --billing-address',
  },
  metadata: { kind: 'pairs', value: 'K=V', field: 'metadata', help: 'Your own data; repeatable' },
  'payment-type': {
    kind: 'text',
    value: 'TYPE',
    field: 'paymentMethod.paymentType',
    choices: PAYMENT_TYPES,
    help: 'FIRST_PAYMENT, ECOMMERCE, SUBSCRIPTION, UNSCHEDULED, MOTO or IN_STORE',
  },
  descriptor: {
    kind: 'text',
    value: 'TEXT',
    field: 'paymentMethod.descriptor',
    help: "Text on the customer's bank statement",
  },
  'authorization-type': {
    kind: 'text',
    value: 'TYPE',
    field: 'paymentMethod.authorizationType',
    suggestions: SETS.authorizationType.values,
    help: 'FINAL, or ESTIMATED to adjust the amount later',
  },
  'vault-on-success': {
    kind: 'either',
    field: 'paymentMethod.vaultOnSuccess',
    help: "Whether to save the payment method for later (needs a customer); default: the session's setting",
  },
} as const satisfies Record<string, FlagSpec>

/** Flags of captures, refunds and adjustments. The payment sets the currency; `--currency` is only checked against it. */
export const MONEY_FLAGS = {
  amount: {
    kind: 'amount',
    value: 'AMOUNT',
    field: 'amount',
    ask: 'Amount',
    help: "Minor units (700), or money with its currency ('7.00 EUR')",
  },
  currency: {
    kind: 'currency',
    value: 'CODE',
    help: 'Currency of a bare decimal amount; must be that of the payment',
  },
} as const satisfies Record<string, FlagSpec>
