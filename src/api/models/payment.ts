import { customer } from './customer.ts'
import { lineItem, order, alternativeOrderFields } from './order.ts'
import { PAGE_LIMIT } from './page-limit.ts'
import { paymentMethod, paymentMethodRequest } from './payment-method.ts'
import { queryParameter } from '../query-parameter.ts'
import { refuseTwoOrderForms } from './cross-field-rules.ts'
import {
  plainMetadata,
  lazySchema,
  looseObject,
  metadata,
  minorUnits,
  optionalBoolean,
  optionalInteger,
  optionalList,
  optionalObject,
  optionalOneOf,
  optionalText,
  z,
} from '../schema.ts'
import type { Shape } from '../schema.ts'
import { statusReason } from './status-reason.ts'

/** One transaction at the processor (spec 2.1). Each refund is a transaction of type REFUND with its own orderId and reason. */
export const transaction = lazySchema(() =>
  looseObject({
    date: optionalText(),
    amount: optionalInteger(),
    currencyCode: optionalOneOf('currencyCode'),
    processorMerchantId: optionalText(),
    transactionType: optionalText(),
    processorTransactionId: optionalText(),
    processorName: optionalText(),
    processorStatus: optionalText(),
    processorStatusReason: z.optional(statusReason()),
    orderId: optionalText(),
    reason: optionalText(),
  }),
)

const summaryFields = () => ({
  id: optionalText(),
  date: optionalText(),
  status: optionalOneOf('paymentStatus'),
  orderId: optionalText(),
  currencyCode: optionalOneOf('currencyCode'),
  amount: optionalInteger(),
  customerId: optionalText(),
  metadata: metadata(),
  processor: optionalObject({
    name: optionalText(),
    processorMerchantId: optionalText(),
    amountCaptured: optionalInteger(),
    amountRefunded: optionalInteger(),
  }),
  paymentMethod: z.optional(paymentMethod()),
})

/** Payment (spec 2.1). Amounts in minor units; any field may be absent. */
export const payment = lazySchema(() =>
  looseObject({
    ...summaryFields(),
    order: z.optional(order()),
    customer: z.optional(customer()),
    requiredAction: optionalObject({
      name: optionalText(),
      description: optionalText(),
      clientToken: optionalText(),
    }),
    statusReason: z.optional(statusReason()),
    transactions: optionalList(transaction()),
    riskData: optionalObject({
      fraudCheck: optionalObject({
        source: optionalText(),
        preAuthorizationResult: optionalText(),
        postAuthorizationResult: optionalText(),
      }),
    }),
  }),
)

/** One entry of `GET /payments`, newest first. */
export const paymentSummary = lazySchema(() => looseObject(summaryFields()))

export const paymentList = lazySchema(() =>
  looseObject({ data: z.array(paymentSummary()), nextCursor: optionalText(), prevCursor: optionalText() }),
)

/** Spec 4.3. Absent fields come from the client session of the token. */
export const createPaymentRequest = lazySchema(() =>
  looseObject({
    paymentMethodToken: z.string(),
    orderId: optionalText(),
    currencyCode: optionalOneOf('currencyCode'),
    amount: z.optional(minorUnits(0)),
    order: z.optional(order()),
    ...alternativeOrderFields(),
    customerId: optionalText(),
    customer: z.optional(customer()),
    metadata: plainMetadata(),
    paymentMethod: z.optional(paymentMethodRequest()),
  }).check(refuseTwoOrderForms()),
)

/** Spec 4.4. */
export const authorizePaymentRequest = lazySchema(() =>
  looseObject({ processor: looseObject({ processorMerchantId: z.string(), name: optionalText() }) }),
)

/** Spec 4.5: amount in minor units; defaults to everything that is left of the authorization. */
export const capturePaymentRequest = lazySchema(() =>
  looseObject({
    amount: z.optional(minorUnits(1)),
    final: optionalBoolean(),
    order: z.optional(z.lazy(order)),
    orderDetails: z.optional(z.lazy(order)),
    lineItems: optionalList(z.lazy(lineItem)),
  }).check(refuseTwoOrderForms()),
)

/** Spec 4.6: amount in minor units; defaults to everything that is left to refund. */
export const refundPaymentRequest = lazySchema(() =>
  looseObject({ amount: z.optional(minorUnits(1)), orderId: optionalText(), reason: optionalText() }),
)

/** Spec 4.7: the final amount to charge, in minor units. */
export const adjustAuthorizationRequest = lazySchema(() => looseObject({ amount: minorUnits(1) }))

/** Spec 4.8. */
export const resumePaymentRequest = lazySchema(() => looseObject({ resumeToken: z.string() }))

export const cancelPaymentRequest = lazySchema(() => looseObject({ reason: optionalText() }))

/** Filters of `GET /payments`; lists are comma-separated. Amounts in minor units. */
export const listPaymentsQuery = lazySchema(() =>
  looseObject({
    limit: queryParameter({ kind: 'whole', minimum: 1, maximum: PAGE_LIMIT, default: PAGE_LIMIT }),
    cursor: optionalText(),
    status: queryParameter({ kind: 'list', of: 'paymentStatus' }),
    order_id: queryParameter({ kind: 'list' }),
    customer_id: queryParameter({ kind: 'list' }),
    currency_code: queryParameter({ kind: 'list', of: 'currencyCode' }),
    from_date: queryParameter({ kind: 'date' }),
    to_date: queryParameter({ kind: 'date' }),
    min_amount: queryParameter({ kind: 'whole', minimum: 0 }),
    max_amount: queryParameter({ kind: 'whole', minimum: 0 }),
    payment_method_type: queryParameter({ kind: 'list' }),
    processor: queryParameter({ kind: 'list' }),
    merchant_id: queryParameter({ kind: 'list' }),
    customer_email_address: queryParameter({ kind: 'list' }),
    paypal_email: queryParameter({ kind: 'list' }),
    klarna_email: queryParameter({ kind: 'list' }),
    last_4_digits: queryParameter({ kind: 'list' }),
  }),
)

export type Payment = Shape<typeof payment>
export type PaymentSummary = Shape<typeof paymentSummary>
export type PaymentList = Shape<typeof paymentList>
export type Transaction = Shape<typeof transaction>
export type CreatePaymentRequest = Shape<typeof createPaymentRequest>
