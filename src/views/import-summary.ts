import { renderDetails } from '../output/details.ts'
import { safeText } from '../output/safe-text.ts'
import type { View } from '../output/view.ts'

export interface ImportSummary {
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly skipped: number
  readonly failed: number
  readonly unknown: number
  readonly retries: number
  readonly seconds: number
  /** Rows with the paymentId of an earlier row; left out where there are none. */
  readonly repeats?: number
  readonly ended?: string
}

/** What a bulk run has come to. */
export const importSummaryView: View<ImportSummary> = {
  ids: () => [],
  csvColumns: ['rows', 'created', 'updated', 'skipped', 'failed', 'unknown', 'retries', 'seconds'],
  render: (summary, { paint }) =>
    renderDetails(
      [
        [
          ['Rows', String(summary.rows)],
          ['Created', String(summary.created)],
          ['Updated', String(summary.updated)],
          ['Skipped', String(summary.skipped)],
          ['Failed', summary.failed === 0 ? '0' : paint(String(summary.failed), 'bad')],
          ['Unknown', summary.unknown === 0 ? '0' : paint(String(summary.unknown), 'bad')],
          ['Retries', String(summary.retries)],
          ['Seconds', String(summary.seconds)],
          ['Repeats', summary.repeats === undefined ? undefined : paint(String(summary.repeats), 'warn')],
          ['Ended', summary.ended === undefined ? undefined : safeText(summary.ended)],
        ],
      ],
      paint,
    ),
}
