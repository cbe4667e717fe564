import type { Order } from '../api/order.ts'
import type { PaymentMethodRequest } from '../api/payment-method.ts'
import type { PaymentScenario } from './scenarios.ts'

/** What paying with this method costs on top; the network's own surcharge goes before the type's. */
export function surchargeFor(
  options: PaymentMethodRequest['options'],
  { paymentMethodType, display }: PaymentScenario,
): number | undefined {
  const option =
    options !== undefined && Object.hasOwn(options, paymentMethodType)
      ? options[paymentMethodType]
      : undefined
  const networks = option?.networks ?? {}
  const network = display?.network
  const ofNetwork =
    network !== undefined && Object.hasOwn(networks, network)
      ? networks[network]?.surcharge?.amount
      : undefined
  return ofNetwork ?? option?.surcharge?.amount
}

export const withSurcharge = (order: Order | undefined, amount: number): Order => ({
  ...order,
  fees: [...(order?.fees ?? []), { type: 'SURCHARGE', amount }],
})
