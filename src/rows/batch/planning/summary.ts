import { VERDICTS } from '../plan.ts'
import type { PlanRow, Verdict } from '../plan.ts'

/** The rows of one verdict and currency. Rows whose amount isn't known count in an entry without a currency. */
export interface VerdictTotal {
  readonly verdict: Verdict
  readonly currencyCode: string | undefined
  readonly count: number
  /** The amount in minor units. */
  readonly amount: bigint
}

/** A ready row with one of the largest amounts of its currency. */
export interface LargeRow {
  readonly row: number
  readonly line: number
  readonly paymentId: string
  readonly orderId?: string | undefined
  readonly amount: number
  readonly currencyCode: string
  readonly takesAll?: true | undefined
  /** The amount that a final capture releases, in minor units. */
  readonly releases?: number | undefined
}

export interface PlanSummary {
  readonly add: (row: PlanRow) => void
  readonly totals: () => readonly VerdictTotal[]
  /** The largest rows by currency, the largest first. */
  readonly largest: () => readonly LargeRow[]
  /** The first rows that aren't ready. */
  readonly firstRefused: () => readonly PlanRow[]
  /** The numbers of the first ready rows that take all that is left. */
  readonly firstTakingAll: () => readonly number[]
}

const MAX_LARGEST = 10
const MAX_FIRST_REFUSED = 10
const MAX_FIRST_TAKING_ALL = 5

export function createPlanSummary(): PlanSummary {
  const totals = new Map<string, { count: number; amount: bigint }>()
  const largest = new Map<string, LargeRow[]>()
  const refused: PlanRow[] = []
  const takingAll: number[] = []
  return {
    add: (row) => {
      const { verdict, amount, currencyCode, takesAll, releases } = row
      const isKnown = amount !== undefined && currencyCode !== undefined
      const key = `${verdict} ${isKnown ? currencyCode : ''}`
      const total = totals.get(key) ?? { count: 0, amount: 0n }
      totals.set(key, { count: total.count + 1, amount: total.amount + BigInt(isKnown ? amount : 0) })
      if (verdict !== 'ready') {
        if (refused.length < MAX_FIRST_REFUSED) refused.push(row)
        return
      }
      if (takesAll === true && takingAll.length < MAX_FIRST_TAKING_ALL) takingAll.push(row.row)
      if (isKnown && row.paymentId !== undefined)
        keepLargest(largest, {
          row: row.row,
          line: row.line,
          paymentId: row.paymentId,
          orderId: row.orderId,
          amount,
          currencyCode,
          takesAll,
          releases,
        })
    },
    totals: () =>
      [...totals]
        .map(([key, total]) => {
          const [verdict = '', currencyCode = ''] = key.split(' ')
          return { verdict, currencyCode: currencyCode === '' ? undefined : currencyCode, ...total }
        })
        .flatMap((total) => {
          const verdict = VERDICTS.find((one) => one === total.verdict)
          return verdict === undefined ? [] : [{ ...total, verdict }]
        })
        .toSorted(byVerdict),
    largest: () =>
      [...largest].toSorted(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, rows]) => rows),
    firstRefused: () => refused,
    firstTakingAll: () => takingAll,
  }
}

/** Sorts ready rows first, then in the order in which verdicts are judged. */
const byVerdict = (one: VerdictTotal, other: VerdictTotal): number =>
  rankOf(one) - rankOf(other) || ((one.currencyCode ?? '~') < (other.currencyCode ?? '~') ? -1 : 1)

const rankOf = ({ verdict }: VerdictTotal): number => (verdict === 'ready' ? -1 : VERDICTS.indexOf(verdict))

function keepLargest(largest: Map<string, LargeRow[]>, row: LargeRow): void {
  const rows = largest.get(row.currencyCode) ?? []
  if (rows.length >= MAX_LARGEST && row.amount <= (rows.at(-1)?.amount ?? 0)) return
  // Equal amounts stay in file order.
  const at = rows.findIndex(({ amount }) => amount < row.amount)
  rows.splice(at === -1 ? rows.length : at, 0, row)
  rows.splice(MAX_LARGEST)
  largest.set(row.currencyCode, rows)
}
