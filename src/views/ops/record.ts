import { renderDetails } from '../../output/details.ts'
import type { Detail } from '../../output/details.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { OPERATION_FIELDS, describeOperation, describeState } from './state.ts'
import type { OperationRecord } from '../../client/ledger/record.ts'
import { formatMode } from '../profile.ts'
import { formatField, formatFreeText, addNote } from '../format-fields.ts'
import { formatTime } from '../format-time.ts'

/** One operation with everything the ledger stores about it. */
export interface ShownRecord extends OperationRecord {
  readonly baseUrl: string
  readonly mode: 'test' | 'live'
  readonly apiVersion: string
  /** ID of the resource it created. */
  readonly resource: string | null
  /** How the state was determined. */
  readonly note: string | null
  /** The request to resend while the operation is open. */
  readonly request: ShownStoredRequest | null
  /** The process that is sending it. */
  readonly atWork: { readonly pid: number; readonly host: string } | null
  readonly next: readonly string[]
}

export interface ShownStoredRequest {
  readonly method: string
  readonly path: string
  /** The exact JSON text. */
  readonly body: string | null
}

export const recordView: View<ShownRecord> = {
  ids: ({ id }) => [id],
  csvColumns: OPERATION_FIELDS,
  render: (record, options) => {
    const { paint, width, timeZone } = options
    return renderDetails(
      { paint, width },
      operationDetails(record, options),
      [
        ['Profile', addNote(formatField(record.profile ?? undefined), formatMode(record.mode, paint))],
        [
          'Base URL',
          addNote(
            formatField(record.baseUrl),
            record.earlierSandbox === true ? 'an earlier sandbox' : undefined,
          ),
        ],
        [
          'Sent by',
          `${formatField(record.user)} on ${formatField(record.host)}, pay ${formatField(record.version)}`,
        ],
        ['Started', formatTime(record.createdAt, timeZone)],
        ['Last change', formatTime(record.updatedAt, timeZone)],
        ['Reason', formatFreeText(record.reason ?? undefined)],
        ['Idempotency key', formatField(record.idempotencyKey ?? undefined)],
      ],
      requestDetails(record.request),
      nextDetails(record.next, options),
    )
  },
}

function operationDetails(record: ShownRecord, { paint }: RenderOptions): readonly Detail[] {
  const { text, tone } = describeState(record)
  const { atWork, exitCode } = record
  return [
    ['ID', paint(formatField(record.id), 'strong')],
    ['Operation', describeOperation(record)],
    ['State', addNote(tone === undefined ? text : paint(text, tone), STATE_NOTES[record.state])],
    ['Note', formatFreeText(record.note ?? undefined)],
    ['Running', atWork === null ? undefined : `process ${atWork.pid} on ${formatField(atWork.host)}`],
    ['Exit code', exitCode === null ? undefined : String(exitCode)],
    ['Created', formatField(record.resource ?? undefined)],
  ]
}

const STATE_NOTES: Readonly<Record<OperationRecord['state'], string | undefined>> = {
  sending: 'being sent',
  'in-doubt': 'it may or may not have been applied',
  confirmed: undefined,
  rejected: 'it was not applied',
  abandoned: 'its outcome was never determined',
}

function requestDetails(request: ShownStoredRequest | null): readonly Detail[] {
  if (request === null) return []
  const { method, path, body } = request
  return [
    ['Request', formatField(`${method} ${path}`)],
    ['Body', body === null ? 'none' : formatFreeText(body)],
  ]
}

export const nextDetails = (
  next: readonly string[],
  { paint }: Pick<RenderOptions, 'paint'>,
): readonly Detail[] =>
  next.map((command, index) => [index === 0 ? 'Next' : '', paint(formatField(command), 'accent')])
