import type { Order } from '../../api/models/order.ts'
import { createPaymentRequest } from '../../api/models/payment.ts'
import type { CreatePaymentRequest } from '../../api/models/payment.ts'
import type { PaymentMethodRequest } from '../../api/models/payment-method.ts'
import { isVersion21OrLater } from '../../api/versions.ts'
import { mergeDeep } from './merge.ts'
import { orderAmount, orderOf } from './order-amount.ts'
import type { PaymentSource } from './payment-source.ts'
import { invalid, Problem } from '../problem.ts'
import type { PaymentScenario } from './scenarios.ts'
import { isRecord } from '../../is-record.ts'
import type { StoredPayment } from './stored-payment.ts'
import type { StoredSession } from '../database/store/sessions.ts'
import { isOf } from '../request/validation.ts'
import type { ApiVersion } from '../request/versions.ts'

/** What a payment is made for, once session and request are merged and nothing is missing. */
export interface PaymentTerms {
  /** Without its metadata. */
  readonly request: CreatePaymentRequest
  /** Of a session that was updated it may be more than a create request may hold. */
  readonly metadata: StoredPayment['metadata']
  readonly orderId: string
  readonly currencyCode: string
  readonly amount: number
  readonly order: Order | undefined
  readonly customerId: string | undefined
}

/** Values of the request win; absent ones come from the session that the token was made in (spec 4.3.3). */
export function settleTerms(
  body: CreatePaymentRequest,
  session: StoredSession | undefined,
  source: PaymentSource,
  version: ApiVersion,
): PaymentTerms {
  // What 2.1 asks of a vaulted token (spec 4.3.5).
  const isStrict = source.kind === 'saved' && isVersion21OrLater(version)
  const { request, metadata } = mergeRequest(body, session)
  const { order, amount } = priceOf(request, source)
  const { currencyCode } = request
  const [orderId, customerId] = [given(request.orderId), given(request.customerId)]
  const needsCustomer = isStrict || request.paymentMethod?.vaultOnSuccess === true
  if (
    orderId === undefined ||
    currencyCode === undefined ||
    amount === undefined ||
    (needsCustomer && customerId === undefined)
  ) {
    const needed = { amount, currencyCode, orderId, ...(needsCustomer ? { customerId } : {}) }
    throw invalid(missing(needed, isStrict))
  }
  // Which customer owns the token is not told.
  if (isStrict && source.instrument.customerId !== customerId)
    throw new Problem('PaymentError', 'The payment method token is not one of this customer.')
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
  if (isOf(createPaymentRequest, request))
    return { request, metadata: isRecord(metadata) ? metadata : undefined }
  throw new Error('A session and a request that were both accepted do not go together')
}

function priceOf(request: CreatePaymentRequest, source: PaymentSource) {
  if (request.amount !== undefined) return { order: request.order, amount: request.amount }
  const amount = orderAmount(request.order)
  const surcharge = surchargeFor(request.paymentMethod?.options, source.scenario)
  if (amount === undefined || surcharge === undefined) return { order: request.order, amount }
  const fees = [...(request.order?.fees ?? []), { type: 'SURCHARGE', amount: surcharge }]
  const order = { ...request.order, fees }
  return { order, amount: orderAmount(order) }
}

/** What paying with this method costs on top; the network's own surcharge goes before the type's. */
function surchargeFor(
  options: PaymentMethodRequest['options'],
  { paymentMethodType, display }: PaymentScenario,
): number | undefined {
  const option = own(options, paymentMethodType)
  return own(option?.networks, display?.network)?.surcharge?.amount ?? option?.surcharge?.amount
}

/** A client names the fields: `constructor` is none of its own. */
const own = <T>(map: Readonly<Record<string, T>> | undefined, name = ''): T | undefined =>
  map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined

/** An empty text names nothing. */
const given = (text: string | undefined): string | undefined => (text === '' ? undefined : text)

function missing(needed: Readonly<Record<string, unknown>>, isStrict: boolean) {
  const why = isStrict ? 'is required with a vaulted token' : 'is required'
  return Object.keys(needed)
    .filter((name) => needed[name] === undefined)
    .map((name) => ({ path: `$.${name}`, description: why }))
}
