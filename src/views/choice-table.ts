import { plainPaint } from '../output/paint.ts'
import { renderTable } from '../output/table.ts'
import type { Column } from '../output/table.ts'

/** What a prompt puts before each line: a mark, or a number. */
const CHOICE_MARK = 6

/** A heading and a line for each row, to choose from; `width` is that of the terminal. */
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
