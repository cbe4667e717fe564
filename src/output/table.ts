import { renderDetails } from './details.ts'
import { isolateDirection } from './safe-text.ts'
import { GAP, renderGrid } from './grid.ts'
import type { Paint, Tone } from './paint.ts'
import { truncate, widestOf } from './width.ts'
import { wrapWords } from './wrap.ts'
import { pluralize } from '../text/words.ts'

export interface Column<Row> {
  readonly title: string
  readonly text: (row: Row) => string
  readonly tone?: (row: Row) => Tone | undefined
  readonly align?: 'right'
  /** Columns are dropped for lack of width in descending order; without it a column always stays. */
  readonly drop?: number
  /** May be truncated with `…` when dropping is not enough. Never for IDs: a truncated ID is useless. */
  readonly shrink?: true
  /** Prose in the last column, which wraps below itself. */
  readonly wraps?: true
}

interface TableOptions {
  /** Terminal width; undefined in a pipe, where nothing is dropped or truncated. */
  readonly width: number | undefined
  readonly paint: Paint
  /** Exactly a header and one line per row at any width, for callers that split the lines. */
  readonly linesOnly?: true
}

interface MeasuredColumn<Row> {
  readonly column: Column<Row>
  readonly cells: readonly string[]
  readonly width: number
}

const MIN_COLUMN_WIDTH = 8
/** The width to which a column shrinks before it is dropped itself, or the most important optional column is. */
const COMFORTABLE_COLUMN_WIDTH = 12
/** Fewest columns for prose. */
const MIN_PROSE_WIDTH = 20

/**
 * A header and one line per row, columns two spaces apart. Empty columns are left out; columns that don't fit are dropped
 * and named below the table. If not even the required columns fit, each row becomes a block of lines. No trailing line
 * break.
 */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width, paint, linesOnly }: TableOptions,
): string {
  const nonEmpty = columns
    .map((column) => measureColumn(column, rows))
    .filter((measured) => measured.cells.some((text) => text !== ''))
  if (width === undefined) return drawColumns(nonEmpty, rows, paint).join('\n')
  const kept = keepFitting(nonEmpty, width)
  if (linesOnly === true)
    return drawColumns(shrink(kept, width).map(withIsolatedTexts), rows, paint).join('\n')
  const fitting = shrink(wrapLast(kept, width), width).map(withIsolatedTexts)
  if (totalWidth(fitting) > width) return renderBlocks(nonEmpty, rows, { width, paint })
  const lines = drawColumns(fitting, rows, paint)
  const dropped = nonEmpty.filter((measured) => !kept.includes(measured))
  return (
    dropped.length === 0 ? lines : [...lines, paint(truncate(describeDropped(dropped), width), 'dim')]
  ).join('\n')
}

const describeDropped = (dropped: readonly MeasuredColumn<never>[]): string =>
  `… no room for ${pluralize(dropped.length, 'column')}: ${dropped.map(({ column }) => column.title).join(', ')}`

function measureColumn<Row>(column: Column<Row>, rows: readonly Row[]): MeasuredColumn<Row> {
  const cells = rows.map(column.text)
  return { column, cells, width: widestOf([column.title, ...cells]) }
}

const totalWidth = (measured: readonly MeasuredColumn<never>[]) =>
  measured.reduce((sum, { width }) => sum + width, 0) + GAP.length * (measured.length - 1)

/** The required columns, and as many optional ones as fit, the most important first. */
function keepFitting<Row>(
  measured: readonly MeasuredColumn<Row>[],
  width: number,
): readonly MeasuredColumn<Row>[] {
  const needed = measured.filter(({ column }) => column.drop === undefined)
  const others = measured
    .filter(({ column }) => column.drop !== undefined)
    .toSorted((a, b) => (a.column.drop ?? 0) - (b.column.drop ?? 0))
  const kept = others.reduce((fitting, other) => {
    const more = [...fitting, other]
    const least = more.map((each) =>
      each === other || other.column.drop === 1 ? withMinWidth(each) : withMinProseWidth(each),
    )
    return totalWidth(least) <= width ? more : fitting
  }, needed)
  return measured.filter((each) => kept.includes(each))
}

const withMinWidth = <Row>(measured: MeasuredColumn<Row>): MeasuredColumn<Row> =>
  measured.column.shrink === true
    ? { ...measured, width: Math.min(measured.width, COMFORTABLE_COLUMN_WIDTH) }
    : withMinProseWidth(measured)

const withMinProseWidth = <Row>(measured: MeasuredColumn<Row>): MeasuredColumn<Row> =>
  measured.column.wraps === true
    ? { ...measured, width: Math.min(measured.width, MIN_PROSE_WIDTH) }
    : measured

/** Wraps the last column. */
function wrapLast<Row>(
  measured: readonly MeasuredColumn<Row>[],
  width: number,
): readonly MeasuredColumn<Row>[] {
  const last = measured.at(-1)
  const before = measured.slice(0, -1)
  const room = width - before.reduce((sum, each) => sum + each.width + GAP.length, 0)
  if (last?.column.wraps !== true || last.width <= room || room < MIN_PROSE_WIDTH) return measured
  const cells = last.cells.map((text) => wrapWords(text, room).join('\n'))
  return [...before, { ...last, width: room, cells }]
}

/** Takes excess width from the columns that allow it, always from the widest. */
function shrink<Row>(
  measured: readonly MeasuredColumn<Row>[],
  width: number,
): readonly MeasuredColumn<Row>[] {
  // No column stays wider than the table, which leaves few steps however long a text is.
  const most = Math.max(width, MIN_COLUMN_WIDTH)
  const entries = measured.map((entry) => ({
    ...entry,
    width: entry.column.shrink === true ? Math.min(entry.width, most) : entry.width,
  }))
  const widths = entries.map((entry) => entry.width)
  for (let excess = totalWidth(entries) - width; excess > 0; excess -= 1) {
    const widest = measured.reduce((best, { column }, at) => {
      const isWider = (widths[at] ?? 0) > Math.max(MIN_COLUMN_WIDTH, widths[best] ?? 0)
      return column.shrink === true && isWider ? at : best
    }, -1)
    if (widest === -1) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return measured.map((entry, at) => {
    const columnWidth = widths[at] ?? entry.width
    return columnWidth === entry.width
      ? entry
      : { ...entry, width: columnWidth, cells: entry.cells.map((text) => truncate(text, columnWidth)) }
  })
}

const withIsolatedTexts = <Row>(measured: MeasuredColumn<Row>): MeasuredColumn<Row> => ({
  ...measured,
  cells: measured.cells.map(isolateDirection),
})

const drawColumns = <Row>(
  measured: readonly MeasuredColumn<Row>[],
  rows: readonly Row[],
  paint: Paint,
): readonly string[] =>
  renderGrid(
    measured.map(({ column: { title, tone, align }, cells, width }) => ({
      cells: [title, ...cells],
      toneOf: (line) => {
        const row = rows[line - 1]
        return row === undefined ? 'dim' : tone?.(row)
      },
      width,
      align,
    })),
    paint,
  )

/** One line per cell with its title, and a blank line between rows. */
function renderBlocks<Row>(
  measured: readonly MeasuredColumn<Row>[],
  rows: readonly Row[],
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string {
  const groups = rows.map((row, index) =>
    measured.map(({ column, cells }) => {
      const text = cells[index] ?? ''
      return [column.title, painter(paint, column.tone?.(row))(isolateDirection(text))] as const
    }),
  )
  return renderDetails({ paint, width }, ...groups)
}

const painter = (paint: Paint, tone: Tone | undefined) => (text: string) =>
  tone === undefined || text === '' ? text : paint(text, tone)
