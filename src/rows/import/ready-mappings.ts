import adyenSettlement from '../../../examples/mappings/adyen-settlement.yaml'
import paypalActivity from '../../../examples/mappings/paypal-activity.yaml'
import shopifyOrders from '../../../examples/mappings/shopify-orders.yaml'
import stripeBalance from '../../../examples/mappings/stripe-balance.yaml'
import stripePayments from '../../../examples/mappings/stripe-payments.yaml'

/** Mappings for the exports of common services, by the name that `--mapping` takes. */
export const READY_MAPPINGS: Readonly<Record<string, string>> = {
  'stripe-balance': stripeBalance,
  'stripe-payments': stripePayments,
  'adyen-settlement': adyenSettlement,
  'shopify-orders': shopifyOrders,
  'paypal-activity': paypalActivity,
}
