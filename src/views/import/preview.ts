import type { OnExists } from '../../rows/import/send-record.ts'
import type { Total } from '../../rows/import/totals.ts'
import { formatMoney } from '../../money/format.ts'
import { renderGrid } from '../../output/grid.ts'
import { plainPaint } from '../../output/paint.ts'
import { safeText } from '../../output/safe-text.ts'
import { groupThousands, pluralize } from '../../text/words.ts'

interface ImportPreview {
  readonly file: string
  /** Mode and profile, for display. */
  readonly target: string
  readonly onExists: OnExists
  /** undefined if unknown until all rows are read. */
  readonly rows?: number
  readonly isEstimate?: boolean
  readonly bad?: number | undefined
  readonly totals?: readonly Total[]
}

const SHOWN_TOTALS = 5

const EXISTING = {
  update: 'are updated',
  skip: 'are skipped',
  fail: 'fail',
} as const

/** What an import will send, shown above the question. */
export function importPreviewLines(preview: ImportPreview): readonly string[] {
  const { file, target, onExists, totals = [] } = preview
  const more = totals.length - SHOWN_TOTALS
  const rows: readonly (readonly string[])[] = [
    ['File', safeText(file)],
    ['Rows', rowsText(preview)],
    ...totals
      .slice(0, SHOWN_TOTALS)
      .map(({ currencyCode, count, amount }, index) => [
        index === 0 ? 'Total' : '',
        `${formatMoney(amount, currencyCode)} in ${pluralize(groupThousands(count), 'row')}`,
      ]),
    ...(more > 0 ? [['', `and ${pluralize(groupThousands(more), 'more currency', 'more currencies')}`]] : []),
    ['Account', safeText(target)],
    ['Effect', `creates records, which can't be removed; existing ones ${EXISTING[onExists]}`],
  ]
  return renderGrid(
    [{ cells: rows.map(([label = '']) => label) }, { cells: rows.map(([, words = '']) => words) }],
    plainPaint,
  )
}

function rowsText({ rows, isEstimate = false, bad }: ImportPreview): string {
  if (rows === undefined) return 'unknown until they are read'
  if (isEstimate) return `about ${groupThousands(rows)}`
  if (bad === undefined || bad === 0) return groupThousands(rows)
  return `${groupThousands(rows)}, of which ${groupThousands(bad)} can't be sent and will fail`
}
