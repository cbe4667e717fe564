import type { Paint } from './paint.ts'
import { padding, widthOf, wrap } from './width.ts'

/** A label and its value, already safe and painted; a detail without a value is left out. */
export type Detail = readonly [label: string, value: string | undefined]

const GAP = '  '
/** Less room for values than this helps nobody. */
const NARROWEST = 20

/**
 * Lines of `Label  value` with the values below each other; groups are a blank line apart, empty ones left out. With the
 * width of a terminal a long value goes on below itself.
 */
export function renderDetails(groups: readonly (readonly Detail[])[], paint: Paint, width?: number): string {
  const filled = groups
    .map((group) =>
      group.flatMap(([label, value]) => (value === undefined || value === '' ? [] : [{ label, value }])),
    )
    .filter((group) => group.length > 0)
  const labelWidth = Math.max(0, ...filled.flat().map(({ label }) => widthOf(label)))
  const room = width === undefined ? undefined : Math.max(NARROWEST, width - labelWidth - GAP.length)
  const indent = `\n${' '.repeat(labelWidth + GAP.length)}`
  return filled
    .map((group) =>
      group
        .map(({ label, value }) => {
          const text = room === undefined ? value : wrap(value, room).join(indent)
          return `${paint(label, 'dim')}${padding(label, labelWidth)}${GAP}${text}`
        })
        .join('\n'),
    )
    .join('\n\n')
}
