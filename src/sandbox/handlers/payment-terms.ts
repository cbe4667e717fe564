import type { Order } from '../../api/models/order.ts'
import { createPaymentRequest } from '../../api/models/payment.ts'
import type { CreatePaymentRequest } from '../../api/models/payment.ts'
import { isVersion21OrLater } from '../../api/versions.ts'
import { priceFor } from '../domain/checkout/price.ts'
import { mergeDeep } from '../../json/fields.ts'
import { orderOf } from '../domain/order-amount.ts'
import type { PaymentSource } from '../domain/payment/payment-source.ts'
import { invalid, Problem } from '../problem.ts'
import { isRecord } from '../../json/is-record.ts'
import type { StoredPayment, StoredSession } from '../domain/stored.ts'
import { matchesSchema } from '../request/validation.ts'
import type { ApiVersion } from '../request/versions.ts'

/** What a payment is for, once session and request are merged and complete. */
export interface PaymentTerms {
  /** Without its metadata. */
  readonly request: CreatePaymentRequest
  /** From an updated session, it can exceed the limits of a create request. */
  readonly metadata: StoredPayment['metadata']
  readonly orderId: string
  readonly currencyCode: string
  readonly amount: number
  readonly order: Order | undefined
  readonly customerId: string | undefined
}

/**
 * Merges a request with the session that its token belongs to; values in the request win (spec 4.3.3).
 * @throws {Problem} if a required value is in neither, or the token belongs to another customer
 */
export function resolveTerms(
  body: CreatePaymentRequest,
  session: StoredSession | undefined,
  source: PaymentSource,
  version: ApiVersion,
): PaymentTerms {
  // Rules for vaulted tokens since 2.1 (spec 4.3.5).
  const isStrict = source.kind === 'saved' && isVersion21OrLater(version)
  const { request, metadata } = mergeRequest(body, session)
  const { paymentMethodType, display } = source.scenario
  const { order, amount } = priceFor(request, { paymentMethodType, network: display?.network })
  const { currencyCode } = request
  const [orderId, customerId] = [nonEmpty(request.orderId), nonEmpty(request.customerId)]
  const needsCustomer = isStrict || request.paymentMethod?.vaultOnSuccess === true
  if (
    orderId === undefined ||
    currencyCode === undefined ||
    amount === undefined ||
    (needsCustomer && customerId === undefined)
  ) {
    const needed = { amount, currencyCode, orderId, ...(needsCustomer ? { customerId } : {}) }
    throw invalid(missingFields(needed, isStrict))
  }
  // Don't reveal which customer owns the token.
  if (isStrict && source.instrument.customerId !== customerId)
    throw new Problem('PaymentError', "The payment method token doesn't belong to this customer.")
  return { request, metadata, orderId, currencyCode, amount, order, customerId }
}

function mergeRequest(
  body: CreatePaymentRequest,
  session: StoredSession | undefined,
): Pick<PaymentTerms, 'request' | 'metadata'> {
  const { orderDetails: _details, lineItems: _lines, metadata: given, ...rest } = body
  const own = { ...rest, order: orderOf(body) }
  if (session === undefined) return { request: own, metadata: given }
  const { expiresAtMs: _, metadata: before, ...earlier } = session
  const [request, metadata] = [mergeDeep(earlier, own), mergeDeep(before, given)]
  if (matchesSchema(createPaymentRequest, request))
    return { request, metadata: isRecord(metadata) ? metadata : undefined }
  throw new Error('Merging a valid session and a valid request gave an invalid one')
}

/** An empty string counts as missing. */
const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text)

function missingFields(needed: Readonly<Record<string, unknown>>, isStrict: boolean) {
  const why = isStrict ? 'is required with a vaulted token' : 'is required'
  return Object.keys(needed)
    .filter((name) => needed[name] === undefined)
    .map((name) => ({ path: `$.${name}`, description: why }))
}
