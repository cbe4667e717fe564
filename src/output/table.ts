import type { Paint, Tone } from './paint.ts'
import { isAscii, padding, truncate, widthOf } from './width.ts'

export interface Column<Row> {
  readonly title: string
  readonly text: (row: Row) => string
  readonly tone?: (row: Row) => Tone | undefined
  readonly align?: 'right'
  /** Left out where the width is short, the highest first. Without it a column always stays. */
  readonly drop?: number
  /** May be cut with `…` when dropping was not enough. Never for ids: a cut id is no id. */
  readonly shrink?: true
}

export interface TableOptions {
  /** Columns of the terminal; undefined in a pipe: nothing is dropped or cut. */
  readonly width: number | undefined
  readonly paint: Paint
}

interface Laid<Row> {
  readonly column: Column<Row>
  readonly texts: readonly string[]
  readonly width: number
  /** Then a text is as wide as it is long. */
  readonly isAscii: boolean
}

const GAP = '  '
const NARROWEST = 8

/** A header and a line for each row, columns two spaces apart. Columns without any text are left out. No line break at the end. */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width, paint }: TableOptions,
): string {
  const filled = columns
    .map((column) => layOut(column, rows))
    .filter((laid) => laid.texts.some((text) => text !== ''))
  const fitting = width === undefined ? filled : shrink(dropToFit(filled, width), width)
  const header = lineOf(fitting.map((laid) => cellOf(laid, laid.column.title, 'dim', paint)))
  const lines = rows.map((row, index) =>
    lineOf(fitting.map((laid) => cellOf(laid, laid.texts[index] ?? '', laid.column.tone?.(row), paint))),
  )
  return [header, ...lines].join('\n')
}

const lineOf = (cells: readonly string[]): string => cells.join(GAP).trimEnd()

function layOut<Row>(column: Column<Row>, rows: readonly Row[]): Laid<Row> {
  const { title } = column
  const texts = rows.map(column.text)
  const isPlain = isAscii(title) && texts.every(isAscii)
  // Not Math.max of all: a call takes no more than some hundred thousand arguments.
  const width = isPlain
    ? texts.reduce((most, text) => Math.max(most, text.length), title.length)
    : texts.reduce((most, text) => Math.max(most, widthOf(text)), widthOf(title))
  return { column, texts, width, isAscii: isPlain }
}

const totalOf = (laid: readonly Laid<never>[]) =>
  laid.reduce((sum, { width }) => sum + width, 0) + GAP.length * (laid.length - 1)

function dropToFit<Row>(laid: readonly Laid<Row>[], width: number): readonly Laid<Row>[] {
  const highest = Math.max(...laid.map(({ column }) => column.drop ?? 0))
  if (totalOf(laid) <= width || highest <= 0) return laid
  return dropToFit(
    laid.filter(({ column }) => (column.drop ?? 0) < highest),
    width,
  )
}

/** Takes what is too much from the columns that allow it, from the left. */
function shrink<Row>(laid: readonly Laid<Row>[], width: number): readonly Laid<Row>[] {
  let excess = totalOf(laid) - width
  return laid.map((entry) => {
    if (excess <= 0 || entry.column.shrink !== true) return entry
    const narrowed = Math.max(Math.min(NARROWEST, entry.width), entry.width - excess)
    excess -= entry.width - narrowed
    return {
      ...entry,
      width: narrowed,
      isAscii: false,
      texts: entry.texts.map((text) => truncate(text, narrowed)),
    }
  })
}

function cellOf<Row>(
  { column, width, isAscii: isPlain }: Laid<Row>,
  text: string,
  tone: Tone | undefined,
  paint: Paint,
): string {
  const isPainted = tone !== undefined && text !== ''
  if (isPlain && !isPainted) return column.align === 'right' ? text.padStart(width) : text.padEnd(width)
  const space = isPlain ? ' '.repeat(width - text.length) : padding(text, width)
  const painted = isPainted ? paint(text, tone) : text
  return column.align === 'right' ? space + painted : painted + space
}
