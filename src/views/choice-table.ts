import { plainPaint } from '../output/paint.ts'
import { renderTable } from '../output/table.ts'
import type { Column } from '../output/table.ts'

/** The columns that a prompt needs before each line, for its mark or number. */
const MARK_WIDTH = 6

/** Renders a heading and one line per row for a selection prompt. `width` is the terminal's, in columns. */
export function renderChoiceTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number | undefined,
): { readonly heading: string; readonly lines: readonly string[] } {
  const tableWidth = width === undefined ? undefined : width - MARK_WIDTH
  const [heading = '', ...lines] = renderTable(columns, rows, {
    width: tableWidth,
    paint: plainPaint,
    linesOnly: true,
  }).split('\n')
  return { heading, lines }
}
