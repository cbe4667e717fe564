import type { ApplySummary } from '../../rows/batch/apply/summary.ts'
import { formatMoney } from '../../money/format.ts'
import { renderDetails } from '../../output/details.ts'
import type { Detail } from '../../output/details.ts'
import type { View } from '../../output/view.ts'
import { capitalize, pluralize } from '../../text/words.ts'

interface Summary extends ApplySummary {
  /** Why it ended early. */
  readonly ended?: string
}

const COUNTS = ['rows', 'done', 'skipped', 'failed', 'unknown', 'left'] as const
const NEEDS_ATTENTION: readonly string[] = ['failed', 'unknown']

/** The other counts are of ready rows. */
function rowsOf({ rows, done, skipped, failed, unknown, left }: Summary): string {
  const ready = done + skipped + failed + unknown + left
  return rows === ready ? String(rows) : `${rows}, of which ${pluralize(ready, 'is', 'are')} ready`
}

/** The outcome of a plan. */
export const applySummaryView: View<Summary> = {
  ids: ({ planId }) => [planId],
  csvColumns: ['planId', ...COUNTS, 'totals', 'seconds'],
  render: (summary, { paint }) =>
    renderDetails({ paint, width: undefined }, [
      ['Plan', summary.planId],
      ...COUNTS.map((name): Detail => {
        const text = name === 'rows' ? rowsOf(summary) : String(summary[name])
        const tone = NEEDS_ATTENTION.includes(name) ? 'bad' : 'warn'
        const isQuiet = name === 'rows' || name === 'done' || summary[name] === 0
        return [capitalize(name), isQuiet ? text : paint(text, tone)]
      }),
      ...summary.totals.map(({ currencyCode, count, amount }): Detail => [
        `Done in ${currencyCode}`,
        `${formatMoney(amount, currencyCode)} in ${pluralize(count, 'row')}`,
      ]),
      ['Seconds', String(summary.seconds)],
      ['Ended', summary.ended],
    ]),
}
