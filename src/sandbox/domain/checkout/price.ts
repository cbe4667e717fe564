import type { Order } from '../../../api/models/order.ts'
import type { PaymentMethodRequest } from '../../../api/models/payment-method.ts'
import { orderAmount } from '../order-amount.ts'

interface PricedRequest {
  /** The amount that overrides the calculated one; there is then no surcharge. */
  readonly amount?: number | undefined
  readonly order?: Order | undefined
  readonly paymentMethod?: Pick<PaymentMethodRequest, 'options'> | undefined
}

interface PricedMethod {
  readonly paymentMethodType: string
  /** The network of a card. */
  readonly network: string | undefined
}

interface Price {
  /** The order, with the surcharge as a fee. */
  readonly order: Order | undefined
  /** The amount; undefined if nothing has one. */
  readonly amount: number | undefined
  readonly surcharge: number | undefined
}

/** The price of a payment with a method. */
export function priceFor(
  { amount: fixed, order, paymentMethod }: PricedRequest,
  method: PricedMethod,
): Price {
  if (fixed !== undefined) return { order, amount: fixed, surcharge: undefined }
  const amount = orderAmount(order)
  const surcharge = findSurcharge(paymentMethod?.options, method)
  if (amount === undefined || surcharge === undefined) return { order, amount, surcharge: undefined }
  const withFee = { ...order, fees: [...(order?.fees ?? []), { type: 'SURCHARGE', amount: surcharge }] }
  return { order: withFee, amount: orderAmount(withFee), surcharge }
}

/** The extra cost of this payment method; a network's surcharge takes precedence over its type's. */
function findSurcharge(
  options: PaymentMethodRequest['options'],
  { paymentMethodType, network }: PricedMethod,
): number | undefined {
  const option = own(options, paymentMethodType)
  return own(option?.networks, network)?.surcharge?.amount ?? option?.surcharge?.amount
}

/** Reads a map's own entry: clients name the fields, so `constructor` must not reach the prototype. */
const own = <T>(map: Readonly<Record<string, T>> | undefined, name = ''): T | undefined =>
  map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined
