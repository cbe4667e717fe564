import type { Paint } from './paint.ts'
import { padding, widthOf } from './width.ts'

/** A label and its value, already safe and painted; a detail without a value is left out. */
export type Detail = readonly [label: string, value: string | undefined]

/** Lines of `Label  value` with the values below each other; groups are a blank line apart, empty ones left out. */
export function renderDetails(groups: readonly (readonly Detail[])[], paint: Paint): string {
  const filled = groups
    .map((group) =>
      group.flatMap(([label, value]) => (value === undefined || value === '' ? [] : [{ label, value }])),
    )
    .filter((group) => group.length > 0)
  const width = Math.max(0, ...filled.flat().map(({ label }) => widthOf(label)))
  return filled
    .map((group) =>
      group.map(({ label, value }) => `${paint(label, 'dim')}${padding(label, width)}  ${value}`).join('\n'),
    )
    .join('\n\n')
}
