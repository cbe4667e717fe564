import { renderDetails } from '../../output/details.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { nextDetails } from './record.ts'
import { OPERATION_FIELDS, operationText, stateLook } from './state.ts'
import type { ShownOperation } from './state.ts'
import { shown, shownWords, withNote } from '../format-fields.ts'
import { shownTime } from '../format-time.ts'

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
  render: (resolution, options) => blockOf(resolution, options),
}

/** `ifNone` is said where there is nothing to show. */
export const resolutionsView = (ifNone: string): View<readonly ShownResolution[]> => ({
  ids: (resolutions) => resolutions.map(({ id }) => id),
  csvColumns: CSV_COLUMNS,
  render: (resolutions, options) =>
    resolutions.length === 0
      ? ifNone
      : resolutions.map((resolution) => blockOf(resolution, options)).join('\n\n'),
})

function blockOf(resolution: ShownResolution, { paint, timeZone, width }: RenderOptions): string {
  const { text, tone } = stateLook(resolution)
  return renderDetails(
    [
      [
        ['ID', paint(shown(resolution.id), 'strong')],
        ['Operation', operationText(resolution)],
        ['Begun', withNote(shownTime(resolution.createdAt, timeZone), whoseOf(resolution))],
        ['State', tone === undefined ? text : paint(text, tone)],
        ['Found', shownWords(resolution.resolution)],
        ...nextDetails(resolution.next, { paint }),
      ],
    ],
    paint,
    width,
  )
}

const whoseOf = ({ user, profile }: ShownOperation): string =>
  `by ${shown(user)}${profile === null ? '' : `, profile ${shown(profile)}`}`

/** One that a person has ended. */
export const abandonedView = (
  verdict: string,
): View<ShownOperation & { readonly next: readonly string[] }> => ({
  ids: ({ id }) => [id],
  csvColumns: OPERATION_FIELDS,
  render: (operation, { paint }) =>
    [
      `${verdict}: ${operationText(operation)} (${shown(operation.id)})`,
      ...operation.next.map((command) => `  ${paint(shown(command), 'accent')}`),
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
      ? `It cannot be read, and would be set aside: ${shown(damaged)}`
      : `Set aside, and no longer in the way: ${shown(setAside)}`,
}
