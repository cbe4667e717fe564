import { parseMappingFile } from '../map/mapping-file.ts'
import { RECORD, REQUIRED_FIELDS } from './record-fields.ts'
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

/** The ready-made mapping whose columns a file has. The order is often in a column that the shop has added. */
export function readyMappingFor(names: readonly string[]): string | undefined {
  const fits = (name: string, text: string): boolean => {
    const { map, join, where } = parseMappingFile(RECORD, text, name)
    const columns = REQUIRED_FIELDS.flatMap((field) =>
      field === 'order.id' ? [] : [map.get(field) ?? []].flat(),
    )
    return [...columns, ...[...join.values()].flat(), ...where.keys()].every((column) =>
      names.includes(column),
    )
  }
  return Object.entries(READY_MAPPINGS).find(([name, text]) => fits(name, text))?.[0]
}
