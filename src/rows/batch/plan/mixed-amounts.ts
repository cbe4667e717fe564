import { exponentOf } from '../../../money/currencies.ts'
import { formatMoney } from '../../../money/format.ts'
import type { PlanRow } from '../plan.ts'
import type { BatchRow } from './batch-row.ts'

type JudgedRow = Pick<PlanRow, 'row' | 'amount' | 'currencyCode'>

/** Finds out whether some amounts of a file have decimals and others don't: `20` is minor units, `19.90` major units. */
export interface MixedAmounts {
  readonly add: (row: BatchRow, judged: JudgedRow) => void
  /** The words about mixed amounts, with one row of each kind; undefined if all amounts are of one kind. */
  readonly words: () => string | undefined
}

export function createMixedAmounts(): MixedAmounts {
  let whole: JudgedRow | undefined
  let decimal: JudgedRow | undefined
  return {
    add: ({ amountForm }, { row, amount, currencyCode }) => {
      // Only rows with an amount in a known currency can be shown as money.
      if (amount === undefined || currencyCode === undefined) return
      // A yen has no decimals: then both units are the same.
      if (amountForm === 'whole' && exponentOf(currencyCode) !== 0) whole ??= { row, amount, currencyCode }
      if (amountForm === 'decimal') decimal ??= { row, amount, currencyCode }
    },
    words: () =>
      whole === undefined || decimal === undefined
        ? undefined
        : `some amounts have no decimals and are read as minor units: row ${whole.row} is ${moneyOf(whole)}, row ${decimal.row} is ${moneyOf(decimal)}. If the whole column is in major units, plan again with --amounts major.`,
  }
}

const moneyOf = ({ amount = 0, currencyCode }: JudgedRow): string => formatMoney(amount, currencyCode)
