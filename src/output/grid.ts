import type { Paint, Tone } from './paint.ts'
import { widestOf, widthOf } from './width.ts'

export interface GridColumn {
  /** One per row, safe and not painted. Line breaks only in the last column. */
  readonly cells: readonly string[]
  readonly toneOf?: (row: number) => Tone | undefined
  /** At least the width of the widest text, which is the default. */
  readonly width?: number
  readonly align?: 'right' | undefined
}

export const GAP = '  '

/** The lines of a grid: two spaces between columns, no frame, no trailing spaces. */
export function renderGrid(columns: readonly GridColumn[], paint: Paint): readonly string[] {
  const widths = columns.map(widthOfColumn)
  const indent = ' '.repeat(widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0))
  return (columns[0]?.cells ?? []).flatMap((_, row) =>
    columns
      .map(({ cells, toneOf, align }, at) => {
        const text = cells[row] ?? ''
        const space = ' '.repeat(Math.max(0, (widths[at] ?? 0) - widthOf(text)))
        const shown = text
          .split('\n')
          .map((line) => paintText(line, toneOf?.(row), paint))
          .join('\n')
        return align === 'right' ? space + shown : shown + space
      })
      .join(GAP)
      .replaceAll('\n', `\n${indent}`)
      .split('\n')
      .map((line) => line.trimEnd()),
  )
}

/** At least 1, as in the library. */
const widthOfColumn = ({ cells, width }: GridColumn): number =>
  Math.max(1, width ?? widestOf(cells.flatMap((text) => text.split('\n'))))

const paintText = (text: string, tone: Tone | undefined, paint: Paint): string =>
  tone === undefined || text === '' ? text : paint(text, tone)
