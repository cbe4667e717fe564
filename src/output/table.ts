import { isolated } from './direction.ts'
import type { Paint, Tone } from './paint.ts'
import { renderDetails } from './details.ts'
import { padding, truncate, widthOf } from './width.ts'

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
  /** A header and a line for each row and nothing else, whatever the width: for what takes the lines apart. */
  readonly linesOnly?: true
}

interface Laid<Row> {
  readonly column: Column<Row>
  readonly texts: readonly string[]
  readonly width: number
}

const GAP = '  '
const NARROWEST = 8
/** To this a column is cut rather than that the most needed of the others is left out. */
const NARROW = 12

/**
 * A header and a line for each row, columns two spaces apart. Columns without any text are left out; those that have no
 * room are left out and named below. Where not even the needed ones fit, each row is a block of lines instead: a line
 * that the terminal breaks is no table any more. No line break at the end.
 */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width, paint, linesOnly }: TableOptions,
): string {
  const filled = columns
    .map((column) => layOut(column, rows))
    .filter((laid) => laid.texts.some((text) => text !== ''))
  if (width === undefined) return linesOf(filled, rows, paint).join('\n')
  const kept = keepFitting(filled, width)
  const fitting = shrink(kept, width).map(withIsolatedTexts)
  if (linesOnly === true) return linesOf(fitting, rows, paint).join('\n')
  if (totalOf(fitting) > width) return blocksOf(filled, rows, { width, paint })
  const lines = linesOf(fitting, rows, paint)
  const dropped = filled.filter((laid) => !kept.includes(laid))
  return (
    dropped.length === 0 ? lines : [...lines, paint(truncate(droppedWords(dropped), width), 'dim')]
  ).join('\n')
}

const droppedWords = (dropped: readonly Laid<never>[]): string =>
  `… no room for ${dropped.length === 1 ? '1 column' : `${dropped.length} columns`}: ${dropped.map(({ column }) => column.title).join(', ')}`

function layOut<Row>(column: Column<Row>, rows: readonly Row[]): Laid<Row> {
  const texts = rows.map(column.text)
  // Not Math.max of all: a call takes no more than some hundred thousand arguments.
  const width = texts.reduce((most, text) => Math.max(most, widthOf(text)), widthOf(column.title))
  return { column, texts, width }
}

const totalOf = (laid: readonly Laid<never>[]) =>
  laid.reduce((sum, { width }) => sum + width, 0) + GAP.length * (laid.length - 1)

/** The columns that always stay, and of the others as many as have room, the most needed first. */
function keepFitting<Row>(laid: readonly Laid<Row>[], width: number): readonly Laid<Row>[] {
  const needed = laid.filter(({ column }) => column.drop === undefined)
  const others = laid
    .filter(({ column }) => column.drop !== undefined)
    .toSorted((a, b) => (a.column.drop ?? 0) - (b.column.drop ?? 0))
  const kept = others.reduce((fitting, other) => {
    const more = [...fitting, other]
    const least = other.column.drop === 1 ? more.map(narrowed) : more
    return totalOf(least) <= width ? more : fitting
  }, needed)
  return laid.filter((each) => kept.includes(each))
}

const narrowed = <Row>(laid: Laid<Row>): Laid<Row> =>
  laid.column.shrink === true ? { ...laid, width: Math.min(laid.width, NARROW) } : laid

/** Takes what is too much from the columns that allow it, always from the widest. */
function shrink<Row>(laid: readonly Laid<Row>[], width: number): readonly Laid<Row>[] {
  const widths = laid.map((entry) => entry.width)
  for (let excess = totalOf(laid) - width; excess > 0; excess -= 1) {
    const widest = laid.reduce((best, { column }, at) => {
      const isWider = (widths[at] ?? 0) > Math.max(NARROWEST, widths[best] ?? 0)
      return column.shrink === true && isWider ? at : best
    }, -1)
    if (widest === -1) break
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return laid.map((entry, at) => {
    const left = widths[at] ?? entry.width
    return left === entry.width
      ? entry
      : { ...entry, width: left, texts: entry.texts.map((text) => truncate(text, left)) }
  })
}

const withIsolatedTexts = <Row>(laid: Laid<Row>): Laid<Row> => ({ ...laid, texts: laid.texts.map(isolated) })

function linesOf<Row>(laid: readonly Laid<Row>[], rows: readonly Row[], paint: Paint): readonly string[] {
  const header = lineOf(laid, ({ column }) => [column.title, 'dim'], paint)
  const lines = rows.map((row, index) =>
    lineOf(laid, ({ column, texts }) => [texts[index] ?? '', column.tone?.(row)], paint),
  )
  return [header, ...lines]
}

function lineOf<Row>(
  laid: readonly Laid<Row>[],
  cellOf: (entry: Laid<Row>) => readonly [text: string, tone: Tone | undefined],
  paint: Paint,
): string {
  const cells = laid.map((entry) => {
    const [text, tone] = cellOf(entry)
    const space = padding(text, entry.width)
    const painted = painter(paint, tone)(text)
    return entry.column.align === 'right' ? space + painted : painted + space
  })
  return cells.join(GAP).trimEnd()
}

/** Title and text of each cell on a line, a blank line between rows. */
function blocksOf<Row>(
  laid: readonly Laid<Row>[],
  rows: readonly Row[],
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string {
  const groups = rows.map((row, index) =>
    laid.map(({ column, texts }) => {
      const text = texts[index] ?? ''
      return [column.title, painter(paint, column.tone?.(row))(isolated(text))] as const
    }),
  )
  return renderDetails(groups, paint, width)
}

const painter = (paint: Paint, tone: Tone | undefined) => (text: string) =>
  tone === undefined || text === '' ? text : paint(text, tone)
