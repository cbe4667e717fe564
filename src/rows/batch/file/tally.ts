import { formatMoney } from '../../../money/format.ts'
import { UsageError } from '../../../errors.ts'
import { VERDICTS } from '../plan.ts'
import type { CurrencyTotal, PlanCounts, PlanRow, PlanTrailer, Verdict } from '../plan.ts'

/** Counts the rows of a plan, and adds up the ready ones by currency. */
export interface Tally {
  /** @throws {UsageError} `total_too_large` when a sum would not be exact */
  readonly add: (row: Pick<PlanRow, 'verdict' | 'amount' | 'currencyCode' | 'takesAll' | 'releases'>) => void
  readonly counts: () => PlanCounts
}

export function createTally(): Tally {
  const verdicts = new Map<Verdict, number>()
  const [totals, releases] = [createTotals(), createTotals()]
  let [rows, takingAll] = [0, 0]
  return {
    add: ({ verdict, amount, currencyCode, takesAll, releases: released }) => {
      rows += 1
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1)
      if (verdict !== 'ready') return
      if (takesAll === true) takingAll += 1
      totals.add(amount, currencyCode)
      releases.add(released, currencyCode)
    },
    counts: () => {
      const ready = verdicts.get('ready') ?? 0
      const released = releases.all()
      return {
        rows,
        ready,
        refused: rows - ready,
        totals: totals.all(),
        ...(takingAll === 0 ? {} : { takingAll }),
        ...(released.length === 0 ? {} : { releases: released }),
        verdicts: Object.fromEntries([
          ['ready', ready],
          ...VERDICTS.flatMap((verdict) => {
            const count = verdicts.get(verdict)
            return count === undefined ? [] : [[verdict, count]]
          }),
        ]),
      }
    },
  }
}

/** Sums by currency. */
export function createTotals() {
  const totals = new Map<string, { count: number; amount: number }>()
  return {
    add: (amount: number | undefined, currencyCode: string | undefined): void => {
      if (amount === undefined || currencyCode === undefined) return
      const total = totals.get(currencyCode) ?? { count: 0, amount: 0 }
      if (amount > Number.MAX_SAFE_INTEGER - total.amount) throw totalTooLarge(currencyCode)
      totals.set(currencyCode, { count: total.count + 1, amount: total.amount + amount })
    },
    all: (): readonly CurrencyTotal[] =>
      [...totals]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([currencyCode, total]) => ({ currencyCode, ...total })),
  }
}

/** The only text that a trailer with these figures can have: a reader compares it byte for byte. */
export const trailerLine = (counts: PlanCounts, digest: string): string => {
  const { rows, ready, refused, totals, takingAll, releases, verdicts } = counts
  const trailer: PlanTrailer = {
    type: 'end',
    rows,
    ready,
    refused,
    totals,
    takingAll,
    releases,
    verdicts,
    digest,
  }
  return `${JSON.stringify(trailer)}\n`
}

const totalTooLarge = (currencyCode: string): UsageError =>
  new UsageError(`The ready rows add up to more than ${formatMoney(Number.MAX_SAFE_INTEGER, currencyCode)}`, {
    code: 'total_too_large',
    outcome: 'none',
    hint: 'Check the amounts, or split the file.',
  })
