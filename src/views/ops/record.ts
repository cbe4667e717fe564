import { renderDetails } from '../../output/details.ts'
import type { Detail } from '../../output/details.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { OPERATION_FIELDS, operationText, stateLook } from './state.ts'
import type { ShownOperation } from './state.ts'
import { modeText } from '../profile.ts'
import { shown, shownWords, withNote } from '../format-fields.ts'
import { shownTime } from '../format-time.ts'

/** One operation with what the ledger keeps of it besides. */
export interface ShownRecord extends ShownOperation {
  readonly baseUrl: string
  readonly mode: 'test' | 'live'
  readonly apiVersion: string
  /** The id of what it made. */
  readonly resource: string | null
  /** How its state is known. */
  readonly note: string | null
  /** What would be sent again, while it is open. */
  readonly request: ShownKeptRequest | null
  /** The process that is sending it now. */
  readonly atWork: { readonly pid: number; readonly host: string } | null
  readonly next: readonly string[]
}

export interface ShownKeptRequest {
  readonly method: string
  readonly path: string
  /** The exact text. */
  readonly body: string | null
}

export const recordView: View<ShownRecord> = {
  ids: ({ id }) => [id],
  csvColumns: OPERATION_FIELDS,
  render: (record, options) => {
    const { paint, width, timeZone } = options
    return renderDetails(
      [
        whatItIs(record, options),
        [
          ['Profile', withNote(shown(record.profile ?? undefined), modeText(record.mode, paint))],
          ['Base URL', shown(record.baseUrl)],
          ['Sent by', `${shown(record.user)} on ${shown(record.host)}, pay ${shown(record.version)}`],
          ['Begun', shownTime(record.createdAt, timeZone)],
          ['Last change', shownTime(record.updatedAt, timeZone)],
          ['Reason', shownWords(record.reason ?? undefined)],
          ['Key', shown(record.idempotencyKey ?? undefined)],
        ],
        requestDetails(record.request),
        nextDetails(record.next, options),
      ],
      paint,
      width,
    )
  },
}

function whatItIs(record: ShownRecord, { paint }: RenderOptions): readonly Detail[] {
  const { text, tone } = stateLook(record)
  const { atWork, exitCode } = record
  return [
    ['ID', paint(shown(record.id), 'strong')],
    ['Operation', operationText(record)],
    ['State', withNote(tone === undefined ? text : paint(text, tone), STATE_NOTES[record.state])],
    ['Note', shownWords(record.note ?? undefined)],
    ['At work', atWork === null ? undefined : `process ${atWork.pid} on ${shown(atWork.host)}`],
    ['Exit code', exitCode === null ? undefined : String(exitCode)],
    ['Made', shown(record.resource ?? undefined)],
  ]
}

const STATE_NOTES: Readonly<Record<ShownOperation['state'], string | undefined>> = {
  sending: 'on its way now',
  'in-doubt': 'it may have been done or not',
  confirmed: undefined,
  rejected: 'it was not done',
  abandoned: 'nobody has found out',
}

function requestDetails(request: ShownKeptRequest | null): readonly Detail[] {
  if (request === null) return []
  const { method, path, body } = request
  return [
    ['Request', shown(`${method} ${path}`)],
    ['Body', body === null ? 'none' : shownWords(body)],
  ]
}

export const nextDetails = (
  next: readonly string[],
  { paint }: Pick<RenderOptions, 'paint'>,
): readonly Detail[] =>
  next.map((command, index) => [index === 0 ? 'Next' : '', paint(shown(command), 'accent')])
