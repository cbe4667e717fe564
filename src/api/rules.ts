import { z } from './schema.ts'

/** A rule is told of together with wrong types, so nothing is certain yet of what it looks at. */
type Unchecked<Field extends string> = { readonly [Name in Field]?: unknown }
type Amounts = Unchecked<'amount' | 'currencyCode' | 'order' | 'orderDetails' | 'lineItems'>

const BESIDE_OTHER_PROBLEMS = {
  when: ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null,
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
  }, BESIDE_OTHER_PROBLEMS)

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
  }, BESIDE_OTHER_PROBLEMS)

function holdsAmount(value: Amounts): boolean {
  if (value.amount !== undefined) return true
  const lines = [
    ...entriesOf(value.lineItems),
    ...orderAmounts(value.order),
    ...orderAmounts(value.orderDetails),
  ]
  return lines.some((line) => fieldOf(line, 'amount') !== undefined)
}

const orderAmounts = (order: unknown): readonly unknown[] => [
  ...entriesOf(fieldOf(order, 'lineItems')),
  ...entriesOf(fieldOf(order, 'fees')),
  fieldOf(order, 'shipping'),
]

const entriesOf = (list: unknown): readonly unknown[] => (Array.isArray(list) ? list : [])

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
