import type { CurrencyTotal, PlanCounts, PlanRow } from '../../rows/batch/plan.ts'
import { groupThousands, pluralize, rowsInWords } from '../../text/words.ts'
import { formatAmount, joinParts } from '../format-fields.ts'

/** What a ready row does beyond its amount as written: `takes all that is left; releases 30.00 EUR`. */
export const effectOfRow = ({
  verdict,
  takesAll,
  releases,
  currencyCode,
}: Pick<PlanRow, 'takesAll' | 'releases' | 'currencyCode'> & { readonly verdict: string }): string =>
  verdict === 'ready'
    ? joinParts(
        [
          takesAll === true ? 'takes all that is left' : undefined,
          releases === undefined ? undefined : `releases ${formatAmount(releases, currencyCode)}`,
        ],
        '; ',
      )
    : ''

/** What the ready rows of a plan do beyond their amounts as written, a line each. `first`: the first rows that take all. */
export const effectsOfPlan = (
  { takingAll = 0, releases = [] }: Pick<PlanCounts, 'takingAll' | 'releases'>,
  first: readonly number[] = [],
): readonly string[] => [
  ...releases.map(releasedInWords),
  ...(takingAll === 0
    ? []
    : [
        `${pluralize(groupThousands(takingAll), 'row takes', 'rows take')} all that is left${
          first.length === 0 ? '' : `: ${rowsInWords(first, takingAll)}`
        }`,
      ]),
]

const releasedInWords = ({ amount, currencyCode, count }: CurrencyTotal): string =>
  `releases ${formatAmount(amount, currencyCode)} in ${pluralize(count, 'row')}`
