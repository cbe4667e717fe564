import { renderDetails } from '../../output/details.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { nextDetails } from './record.ts'
import { OPERATION_FIELDS, describeOperation, describeState } from './state.ts'
import type { ShownOperation } from './state.ts'
import { formatField, formatFreeText, addNote } from '../format-fields.ts'
import { formatTime } from '../format-time.ts'

/** An operation as it is after somebody has looked what became of it. */
export interface ShownResolution extends ShownOperation {
  /** What was found, in words. */
  readonly resolution: string
  readonly next: readonly string[]
}

const CSV_COLUMNS = [...OPERATION_FIELDS, 'resolution']

export const resolutionView: View<ShownResolution> = {
  ids: ({ id }) => [id],
  csvColumns: CSV_COLUMNS,
  render: (resolution, options) => renderResolution(resolution, options),
}

/** `ifNone` is said where there is nothing to show. */
export const resolutionsView = (ifNone: string): View<readonly ShownResolution[]> => ({
  ids: (resolutions) => resolutions.map(({ id }) => id),
  csvColumns: CSV_COLUMNS,
  render: (resolutions, options) =>
    resolutions.length === 0
      ? ifNone
      : resolutions.map((resolution) => renderResolution(resolution, options)).join('\n\n'),
})

function renderResolution(resolution: ShownResolution, { paint, timeZone, width }: RenderOptions): string {
  const { text, tone } = describeState(resolution)
  return renderDetails(
    [
      [
        ['ID', paint(formatField(resolution.id), 'strong')],
        ['Operation', describeOperation(resolution)],
        ['Begun', addNote(formatTime(resolution.createdAt, timeZone), describeOrigin(resolution))],
        ['State', tone === undefined ? text : paint(text, tone)],
        ['Found', formatFreeText(resolution.resolution)],
        ...nextDetails(resolution.next, { paint }),
      ],
    ],
    paint,
    width,
  )
}

const describeOrigin = ({ user, profile }: ShownOperation): string =>
  `by ${formatField(user)}${profile === null ? '' : `, profile ${formatField(profile)}`}`

/** One that a person has ended. */
export const abandonedView = (
  verdict: string,
): View<ShownOperation & { readonly next: readonly string[] }> => ({
  ids: ({ id }) => [id],
  csvColumns: OPERATION_FIELDS,
  render: (operation, { paint }) =>
    [
      `${verdict}: ${describeOperation(operation)} (${formatField(operation.id)})`,
      ...operation.next.map((command) => `  ${paint(formatField(command), 'accent')}`),
    ].join('\n'),
})

/** A file that cannot be read, and where it is now; null for a dry run. */
export interface ShownSetAside {
  readonly damaged: string
  readonly setAside: string | null
}

export const setAsideView: View<ShownSetAside> = {
  ids: () => [],
  csvColumns: ['damaged', 'setAside'],
  render: ({ damaged, setAside }) =>
    setAside === null
      ? `It cannot be read, and would be set aside: ${formatField(damaged)}`
      : `Set aside, and no longer in the way: ${formatField(setAside)}`,
}
