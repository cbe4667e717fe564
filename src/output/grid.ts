import Table from 'cli-table3'
import type { Paint, Tone } from './paint.ts'
import { widestOf, widthOf } from './width.ts'

interface GridColumn {
  /** The cells, one per row, safe and not painted. Line breaks only in the last column. */
  readonly cells: readonly string[]
  readonly toneOf?: (row: number) => Tone | undefined
  /** The width of the column, at least that of the widest text, which is the default. */
  readonly width?: number
  readonly align?: 'right' | undefined
}

export const GAP = '  '
const NO_FRAME = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: GAP,
}
const STYLE = { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true }

/**
 * The most lines that the library draws. It takes 15 µs per cell and rescans earlier lines: 900 take half a second, 100,000
 * take minutes.
 */
const MAX_LIBRARY_LINES = 250
/** The longest text that the library draws. It measures and copies a text several times: a megabyte takes half a second. */
const MAX_LIBRARY_TEXT = 10_000

/** The lines of a grid: two spaces between columns, no frame, no trailing spaces. */
export function renderGrid(columns: readonly GridColumn[], paint: Paint): readonly string[] {
  const count = columns[0]?.cells.length ?? 0
  const rows = Array.from({ length: count }, (_, row) => row)
  const breaks = (columns.at(-1)?.cells ?? []).reduce((sum, text) => sum + text.split('\n').length - 1, 0)
  const isLong = columns.some(({ cells }) => cells.some((text) => text.length > MAX_LIBRARY_TEXT))
  const lines =
    isLong || count + breaks > MAX_LIBRARY_LINES
      ? drawPadded(columns, rows, paint)
      : drawWithLibrary(columns, rows, paint)
  return lines.map((line) => line.trimEnd())
}

/** A private-use character. A run of it replaces a text while the library draws the grid. */
const BLANK = '\uE000'
const PRINTABLE_ASCII = /^[ -~]*$/

/**
 * Draws with the library, and with placeholders for painted text and for text whose width it may get wrong. Such text and
 * cells with several lines would also take it a time cubic in their length.
 */
function drawWithLibrary(
  columns: readonly GridColumn[],
  rows: readonly number[],
  paint: Paint,
): readonly string[] {
  if (rows.length === 0) return []
  const hidden: string[] = []
  const blank = (text: string, tone: Tone | undefined): string => {
    if (text === '' || (tone === undefined && PRINTABLE_ASCII.test(text))) return text
    const width = widthOf(text)
    // A combining mark alone has no width, but a placeholder needs one.
    hidden.push(paintText(text, tone, paint) + (width === 0 ? ' ' : ''))
    return BLANK.repeat(width || 1)
  }
  const table = new Table({
    chars: NO_FRAME,
    style: STYLE,
    colWidths: columns.map(widthOfColumn),
    colAligns: columns.map(({ align }) => align ?? 'left'),
  })
  for (const row of rows) {
    const texts = columns.map(({ cells, toneOf }) =>
      (cells[row] ?? '').split('\n').map((line) => blank(line, toneOf?.(row))),
    )
    const height = Math.max(...texts.map((lines) => lines.length))
    for (let line = 0; line < height; line += 1) table.push(texts.map((lines) => lines[line] ?? ''))
  }
  let next = 0
  return table
    .toString()
    .replaceAll(new RegExp(`${BLANK}+`, 'g'), () => hidden[next++] ?? '')
    .split('\n')
}

/** Draws long lists and texts without the library. */
function drawPadded(
  columns: readonly GridColumn[],
  rows: readonly number[],
  paint: Paint,
): readonly string[] {
  // Trailing spaces are removed, so the last column has no padding unless it is aligned to the right.
  const widths = columns.map((column, at) =>
    at === columns.length - 1 && column.align === undefined ? undefined : widthOfColumn(column),
  )
  const indent = ' '.repeat(
    widths.slice(0, -1).reduce<number>((sum, width = 0) => sum + width + GAP.length, 0),
  )
  return rows.flatMap((row) =>
    columns
      .map(({ cells, toneOf, align }, at) => {
        const text = cells[row] ?? ''
        const width = widths[at]
        const space = width === undefined ? '' : ' '.repeat(Math.max(0, width - widthOf(text)))
        const shown = text
          .split('\n')
          .map((line) => paintText(line, toneOf?.(row), paint))
          .join('\n')
        return align === 'right' ? space + shown : shown + space
      })
      .join(GAP)
      .replaceAll('\n', `\n${indent}`)
      .split('\n'),
  )
}

/** The width of a column: at least 1, as in the library. */
const widthOfColumn = ({ cells, width }: GridColumn): number =>
  Math.max(1, width ?? widestOf(cells.flatMap((text) => text.split('\n'))))

const paintText = (text: string, tone: Tone | undefined, paint: Paint): string =>
  tone === undefined || text === '' ? text : paint(text, tone)
