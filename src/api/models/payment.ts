import { customer } from './customer.ts'
import { lineItem, order, orderDetailsForm } from './order.ts'
import { PAGE_LIMIT } from './page-limit.ts'
import { paymentMethod, paymentMethodRequest } from './payment-method.ts'
import { parameter } from '../query-parameter.ts'
import { oneOrderForm } from './cross-field-rules.ts'
import { lazy } from '../lazy.ts'
import {
  createMetadata,
  fields,
  flag,
  list,
  metadata,
  minorUnits,
  part,
  text,
  value,
  whole,
  z,
} from '../schema.ts'
import type { Shape } from '../schema.ts'
import { statusReason } from './status-reason.ts'

/** One step at the processor (spec 2.1). A refund is one of its own, of transactionType REFUND, with its orderId and reason. */
export const transaction = lazy(() =>
  fields({
    date: text(),
    amount: whole(),
    currencyCode: value('currencyCode'),
    processorMerchantId: text(),
    transactionType: text(),
    processorTransactionId: text(),
    processorName: text(),
    processorStatus: text(),
    processorStatusReason: z.optional(statusReason()),
    orderId: text(),
    reason: text(),
  }),
)

/** Payment (spec 2.1). Amounts in minor units; any field may be absent. */
export const payment = lazy(() =>
  fields({
    id: text(),
    date: text(),
    status: value('paymentStatus'),
    orderId: text(),
    currencyCode: value('currencyCode'),
    amount: whole(),
    order: z.optional(order()),
    customerId: text(),
    customer: z.optional(customer()),
    metadata: metadata(),
    paymentMethod: z.optional(paymentMethod()),
    processor: part({
      name: text(),
      processorMerchantId: text(),
      amountCaptured: whole(),
      amountRefunded: whole(),
    }),
    requiredAction: part({ name: text(), description: text(), clientToken: text() }),
    statusReason: z.optional(statusReason()),
    transactions: list(transaction()),
    riskData: part({
      fraudCheck: part({ source: text(), preAuthorizationResult: text(), postAuthorizationResult: text() }),
    }),
  }),
)

/** One entry of `GET /payments`, newest first. */
export const paymentSummary = lazy(() =>
  fields({
    id: text(),
    date: text(),
    status: value('paymentStatus'),
    orderId: text(),
    currencyCode: value('currencyCode'),
    amount: whole(),
    customerId: text(),
    metadata: metadata(),
    processor: part({
      name: text(),
      processorMerchantId: text(),
      amountCaptured: whole(),
      amountRefunded: whole(),
    }),
    paymentMethod: z.optional(paymentMethod()),
  }),
)

export const paymentList = lazy(() =>
  fields({ data: z.array(paymentSummary()), nextCursor: text(), prevCursor: text() }),
)

/** Spec 4.3. What is absent comes from the client session that the token was made in. */
export const createPaymentRequest = lazy(() =>
  fields({
    paymentMethodToken: z.string(),
    orderId: text(),
    currencyCode: value('currencyCode'),
    amount: z.optional(minorUnits(0)),
    order: z.optional(order()),
    ...orderDetailsForm(),
    customerId: text(),
    customer: z.optional(customer()),
    metadata: createMetadata(),
    paymentMethod: z.optional(paymentMethodRequest()),
  }).check(oneOrderForm()),
)

/** Spec 4.4. */
export const authorizePaymentRequest = lazy(() =>
  fields({ processor: fields({ processorMerchantId: z.string(), name: text() }) }),
)

/** Spec 4.5: amount in minor units, by default all that is authorized. */
export const capturePaymentRequest = lazy(() =>
  fields({
    amount: z.optional(minorUnits(1)),
    final: flag(),
    order: z.optional(z.lazy(order)),
    orderDetails: z.optional(z.lazy(order)),
    lineItems: list(z.lazy(lineItem)),
  }).check(oneOrderForm()),
)

/** Spec 4.6: amount in minor units, by default what is not refunded yet. */
export const refundPaymentRequest = lazy(() =>
  fields({ amount: z.optional(minorUnits(1)), orderId: text(), reason: text() }),
)

/** Spec 4.7: the final amount to charge, in minor units. */
export const adjustAuthorizationRequest = lazy(() => fields({ amount: minorUnits(1) }))

/** Spec 4.8. */
export const resumePaymentRequest = lazy(() => fields({ resumeToken: z.string() }))

export const cancelPaymentRequest = lazy(() => fields({ reason: text() }))

/** Filters of `GET /payments`; lists by comma. Amounts in minor units. */
export const listPaymentsQuery = lazy(() =>
  fields({
    limit: parameter({ kind: 'whole', minimum: 1, maximum: PAGE_LIMIT, default: PAGE_LIMIT }),
    cursor: text(),
    status: parameter({ kind: 'list', of: 'paymentStatus' }),
    order_id: parameter({ kind: 'list' }),
    customer_id: parameter({ kind: 'list' }),
    currency_code: parameter({ kind: 'list', of: 'currencyCode' }),
    from_date: parameter({ kind: 'date' }),
    to_date: parameter({ kind: 'date' }),
    min_amount: parameter({ kind: 'whole', minimum: 0 }),
    max_amount: parameter({ kind: 'whole', minimum: 0 }),
    payment_method_type: parameter({ kind: 'list' }),
    processor: parameter({ kind: 'list' }),
    merchant_id: parameter({ kind: 'list' }),
    customer_email_address: parameter({ kind: 'list' }),
    last_4_digits: parameter({ kind: 'list' }),
  }),
)

export type Payment = Shape<typeof payment>
export type PaymentSummary = Shape<typeof paymentSummary>
export type PaymentList = Shape<typeof paymentList>
export type Transaction = Shape<typeof transaction>
export type CreatePaymentRequest = Shape<typeof createPaymentRequest>
