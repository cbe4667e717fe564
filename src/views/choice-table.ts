import { plainPaint } from '../output/paint.ts'
import { renderTable } from '../output/table.ts'
import type { Column } from '../output/table.ts'

/** Columns that a prompt uses before each line for a mark or a number. */
const CHOICE_MARK = 6

/** A heading and one line per row for a selection prompt; `width` is the terminal's. */
export function renderChoiceTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number | undefined,
): { readonly heading: string; readonly lines: readonly string[] } {
  const room = width === undefined ? undefined : width - CHOICE_MARK
  const [heading = '', ...lines] = renderTable(columns, rows, {
    width: room,
    paint: plainPaint,
    linesOnly: true,
  }).split('\n')
  return { heading, lines }
}
