import { GAP, renderGrid } from './grid.ts'
import type { Paint, Tone } from './paint.ts'
import { widestOf } from './width.ts'
import { wrapWords } from './wrap.ts'

/** A label and its value, safe and painted; a detail without a value is left out. */
export type Detail = readonly [label: string, value: string | undefined]

/** A label with text wrapped next to it; the tone applies to the text. */
export interface LabelledText {
  readonly label: string
  readonly text: string | undefined
  readonly tone?: Tone | undefined
  /** Keeps the text on one line, ready to copy. */
  readonly noWrap?: true
}

export interface TextLayout {
  readonly paint: Paint
  /** Columns; undefined disables wrapping. */
  readonly width: number | undefined
}

/** Fewest columns for values. */
const MIN_VALUE_WIDTH = 20
const INDENT = '  '
/** With fewer columns next to a label, the text goes below it. */
const MIN_TEXT_WIDTH = 24

/**
 * Lines of `Label  value` with aligned values. A blank line separates groups; empty groups are left out. With a width, long
 * values wrap below themselves.
 */
export function renderDetails(
  { paint, width }: TextLayout,
  ...groups: readonly (readonly Detail[])[]
): string {
  const filled = groups.map((group) => withText(group.map(([label, text]) => ({ label, text }))))
  const labelWidth = widestOf(filled.flat().map(({ label }) => label))
  const room = width === undefined ? undefined : Math.max(MIN_VALUE_WIDTH, width - labelWidth - GAP.length)
  return filled
    .filter((group) => group.length > 0)
    .map((group) => renderLabelledGrid(group, { paint, width: room }, labelWidth).join('\n'))
    .join('\n\n')
}

/** Indented lines of `Label  text` with aligned text, or with the text below its label if there is no room. Empty entries are left out. */
export function renderIndentedDetails(
  entries: readonly LabelledText[],
  { paint, width }: TextLayout,
): readonly string[] {
  const filled = withText(entries)
  const labelWidth = widestOf(filled.map(({ label }) => label))
  const room = width === undefined ? undefined : width - INDENT.length
  const textWidth = room === undefined || labelWidth === 0 ? room : room - labelWidth - GAP.length
  const isBeside = textWidth === undefined || textWidth >= MIN_TEXT_WIDTH || labelWidth === 0
  const lines = isBeside
    ? renderLabelledGrid(filled, { paint, width: textWidth }, labelWidth)
    : filled.flatMap((entry) => [
        ...(entry.label === '' ? [] : [paint(entry.label, 'dim')]),
        ...renderIndentedDetails([{ ...entry, label: '' }], { paint, width: room }),
      ])
  return lines.map((line) => INDENT + line)
}

type LabelledValue = LabelledText & { readonly text: string }

const withText = (entries: readonly LabelledText[]): readonly LabelledValue[] =>
  entries.flatMap(({ text, ...entry }) => (text === undefined || text === '' ? [] : [{ ...entry, text }]))

function renderLabelledGrid(
  entries: readonly LabelledValue[],
  { paint, width }: TextLayout,
  labelWidth: number,
) {
  const labels = {
    cells: entries.map(({ label }) => label),
    toneOf: () => 'dim' as const,
    width: labelWidth,
  }
  const texts = {
    cells: entries.map(({ text, noWrap }) => wrapWords(text, noWrap === true ? undefined : width).join('\n')),
    toneOf: (row: number) => entries[row]?.tone,
  }
  return renderGrid(labelWidth === 0 ? [texts] : [labels, texts], paint)
}
