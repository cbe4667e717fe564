import { renderDetails } from '../../output/details.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { nextDetails } from './record.ts'
import { OPERATION_FIELDS, describeOperation, describeState } from './state.ts'
import type { OperationRecord } from '../../client/ledger/record.ts'
import { formatField, formatFreeText, addNote } from '../format-fields.ts'
import { formatTime } from '../format-time.ts'

/** An operation after `pay ops resolve` checked its outcome. */
export interface ShownResolution extends OperationRecord {
  /** What the check found. */
  readonly resolution: string
  readonly next: readonly string[]
}

const CSV_COLUMNS = [...OPERATION_FIELDS, 'resolution']

export const resolutionView: View<ShownResolution> = {
  ids: ({ id }) => [id],
  csvColumns: CSV_COLUMNS,
  render: (resolution, options) => renderResolution(resolution, options),
}

/** Shows resolved operations; `ifNone` for an empty list. */
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
  return renderDetails({ paint, width }, [
    ['ID', paint(formatField(resolution.id), 'strong')],
    ['Operation', describeOperation(resolution)],
    ['Started', addNote(formatTime(resolution.createdAt, timeZone), describeOrigin(resolution))],
    ['State', tone === undefined ? text : paint(text, tone)],
    ['Found', formatFreeText(resolution.resolution)],
    ...nextDetails(resolution.next, { paint }),
  ])
}

const describeOrigin = ({ user, profile }: OperationRecord): string =>
  `by ${formatField(user)}${profile === null ? '' : `, profile ${formatField(profile)}`}`

/** An operation that a person closed; `verdict` says how. */
export const abandonedView = (
  verdict: string,
): View<OperationRecord & { readonly next: readonly string[] }> => ({
  ids: ({ id }) => [id],
  csvColumns: OPERATION_FIELDS,
  render: (operation, { paint }) =>
    [
      `${verdict}: ${describeOperation(operation)} (${formatField(operation.id)})`,
      ...operation.next.map((command) => `  ${paint(formatField(command), 'accent')}`),
    ].join('\n'),
})
