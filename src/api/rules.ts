import { z } from './schema.ts'

interface Amounts {
  readonly amount?: unknown
  readonly currencyCode?: unknown
  readonly order?: OrderAmounts | undefined
  readonly orderDetails?: OrderAmounts | undefined
  readonly lineItems?: readonly { readonly amount?: unknown }[] | undefined
}
interface OrderAmounts {
  readonly lineItems?: readonly { readonly amount?: unknown }[] | undefined
  readonly fees?: readonly { readonly amount?: unknown }[] | undefined
  readonly shipping?: { readonly amount?: unknown } | undefined
}

/** A currencyCode must be passed whenever any amount is (spec 4.1, version 2.1 validation). */
export const currencyBesideAmount = <T extends Amounts>() =>
  z.check<T>(({ value, issues }) => {
    if (value.currencyCode !== undefined || !holdsAmount(value)) return
    issues.push({
      code: 'custom',
      path: ['currencyCode'],
      message: 'is required beside an amount',
      input: value,
    })
  })

/** `order`, or `orderDetails` with top-level `lineItems`; not both. */
export const oneOrderForm = <T extends Amounts>() =>
  z.check<T>(({ value, issues }) => {
    if (value.order === undefined) return
    for (const other of ['orderDetails', 'lineItems'] as const) {
      if (value[other] === undefined) continue
      issues.push({
        code: 'custom',
        path: [other],
        message: 'cannot be given together with order',
        input: value,
      })
    }
  })

function holdsAmount(value: Amounts): boolean {
  if (value.amount !== undefined) return true
  const lines = [
    ...(value.lineItems ?? []),
    ...orderAmounts(value.order),
    ...orderAmounts(value.orderDetails),
  ]
  return lines.some((line) => line.amount !== undefined)
}

const orderAmounts = (order: OrderAmounts | undefined) => [
  ...(order?.lineItems ?? []),
  ...(order?.fees ?? []),
  ...(order?.shipping === undefined ? [] : [order.shipping]),
]
