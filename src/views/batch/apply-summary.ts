import { formatMoney } from '../../money/format.ts'
import { renderDetails } from '../../output/details.ts'
import type { Detail } from '../../output/details.ts'
import type { View } from '../../output/view.ts'
import { capitalize } from '../format-fields.ts'

interface Summary {
  readonly planId: string
  readonly rows: number
  readonly done: number
  readonly skipped: number
  readonly failed: number
  readonly unknown: number
  readonly left: number
  readonly totals: readonly {
    readonly currencyCode: string
    readonly count: number
    readonly amount: number
  }[]
  readonly seconds: number
}

const COUNTS = ['rows', 'done', 'skipped', 'failed', 'unknown', 'left'] as const
const NEEDS_ATTENTION: readonly string[] = ['failed', 'unknown']

/** The outcome of a plan. */
export const applySummaryView: View<Summary> = {
  ids: ({ planId }) => [planId],
  csvColumns: ['planId', ...COUNTS, 'totals', 'seconds'],
  render: (summary, { paint }) =>
    renderDetails(
      [
        [
          ['Plan', summary.planId],
          ...COUNTS.map((name): Detail => {
            const text = String(summary[name])
            const tone = NEEDS_ATTENTION.includes(name) ? 'bad' : 'warn'
            const isQuiet = name === 'rows' || name === 'done' || summary[name] === 0
            return [capitalize(name), isQuiet ? text : paint(text, tone)]
          }),
          ...summary.totals.map(({ currencyCode, count, amount }): Detail => [
            `Done in ${currencyCode}`,
            `${formatMoney(amount, currencyCode)} in ${count} ${count === 1 ? 'row' : 'rows'}`,
          ]),
          ['Seconds', String(summary.seconds)],
        ],
      ],
      paint,
    ),
}
