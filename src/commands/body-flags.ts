import { PAYMENT_TYPES, SETS } from '../api/sets.ts'
import type { FlagSpec } from '../cli/spec.ts'

/** Flags of the fields that sessions and payments have in common. */
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
  'customer-id': { kind: 'text', value: 'ID', field: 'customerId', help: 'Your identifier of the customer' },
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
    help: 'Country of the order, such as DE',
  },
  'line-item': {
    kind: 'lineItems',
    value: 'SPEC',
    field: 'order.lineItems',
    help: "'name=Blue shoe,itemId=shoe-1,amount=1000,quantity=2'; repeatable",
  },
  metadata: { kind: 'pairs', value: 'K=V', field: 'metadata', help: 'Data of your own; repeatable' },
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
    help: 'Text on the bank statement',
  },
  'authorization-type': {
    kind: 'text',
    value: 'TYPE',
    field: 'paymentMethod.authorizationType',
    known: SETS.authorizationType.values,
    help: 'FINAL, or ESTIMATED to adjust the amount later',
  },
  'vault-on-success': {
    kind: 'switch',
    field: 'paymentMethod.vaultOnSuccess',
    help: 'Save the payment method for later (needs a customer)',
  },
} as const satisfies Record<string, FlagSpec>

/** Flags of captures, refunds and adjustments: the currency is the payment's, and is only checked. */
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
    help: 'Currency of a bare decimal amount; refused when the payment has another',
  },
} as const satisfies Record<string, FlagSpec>

export const PAYMENT_ID = {
  name: 'ID',
  param: 'id',
  ask: 'Payment ID',
  from: 'payment',
  help: "The payment's id",
} as const
