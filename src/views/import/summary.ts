import type { LeftOutCount } from '../../rows/left-out.ts'
import type { Counts } from '../../rows/keep/counts.ts'
import { renderDetails } from '../../output/details.ts'
import type { Detail } from '../../output/details.ts'
import { safeText } from '../../output/safe-text.ts'
import type { View } from '../../output/view.ts'
import { capitalize } from '../../text/words.ts'
import { leftOutRows } from './left-out.ts'

export interface ImportSummary extends Counts {
  readonly seconds: number
  /** Rows that the service asked to send later; left out if there are none or their number is not known. */
  readonly left?: number
  /** Rows that the mapping leaves out; left out if there are none. */
  readonly leftOut?: readonly LeftOutCount[]
  /** Rows with the paymentId of an earlier row; left out if there are none. */
  readonly repeats?: number
  readonly ended?: string
}

const FIGURES = ['rows', 'created', 'updated', 'skipped', 'failed', 'unknown', 'retries', 'seconds'] as const

/** The outcome of an import. */
export const importSummaryView: View<ImportSummary> = {
  ids: () => [],
  csvColumns: FIGURES,
  render: (summary, { paint }) =>
    renderDetails({ paint, width: undefined }, [
      ...FIGURES.map((name): Detail => {
        const isFailedOrUnknown = (name === 'failed' || name === 'unknown') && summary[name] > 0
        return [
          capitalize(name),
          isFailedOrUnknown ? paint(String(summary[name]), 'bad') : String(summary[name]),
        ]
      }),
      ['Left', summary.left === undefined ? undefined : String(summary.left)],
      ['Left out', summary.leftOut === undefined ? undefined : String(leftOutRows(summary.leftOut))],
      ['Repeats', summary.repeats === undefined ? undefined : paint(String(summary.repeats), 'warn')],
      ['Ended', summary.ended === undefined ? undefined : safeText(summary.ended)],
    ]),
}
