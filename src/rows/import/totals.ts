import type { PreparedRow } from '../map/row.ts'

/** The rows of one currency, and the sum of their amounts in minor units. */
export interface Total {
  readonly currencyCode: string
  readonly count: number
  readonly amount: bigint
}

/** Sums amounts by currency. Sums of any size are exact. */
export function createTotals() {
  const totals = new Map<string, { count: number; amount: bigint }>()
  return {
    add: ({ body: { currencyCode, amount } }: PreparedRow) => {
      if (typeof currencyCode !== 'string' || (typeof amount !== 'number' && typeof amount !== 'bigint'))
        return
      const total = totals.get(currencyCode) ?? { count: 0, amount: 0n }
      total.count += 1
      total.amount += BigInt(amount)
      totals.set(currencyCode, total)
    },
    /** The totals, the most frequent currency first. */
    all: (): readonly Total[] =>
      [...totals]
        .map(([currencyCode, total]) => ({ currencyCode, ...total }))
        .toSorted((a, b) => b.count - a.count),
  }
}
