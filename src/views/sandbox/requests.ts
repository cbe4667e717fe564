import { safeText } from '../../output/safe-text.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { View } from '../../output/view.ts'
import { formatField } from '../format-fields.ts'
import { formatTime } from '../format-time.ts'

/** An entry of the sandbox's request log. */
export interface ShownRequest {
  readonly at: string
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly operation?: string | undefined
  readonly key?: string | undefined
  readonly idempotencyKey?: string | undefined
  readonly status?: number | undefined
  readonly errorId?: string | undefined
  readonly fault?: string | undefined
  readonly applied: boolean
  readonly ignored?: readonly string[] | undefined
}

export const requestListView: View<readonly ShownRequest[]> = {
  ids: (requests) => requests.map(({ requestId }) => requestId),
  csvColumns: [
    'at',
    'requestId',
    'method',
    'path',
    'operation',
    'key',
    'idempotencyKey',
    'status',
    'errorId',
    'fault',
    'applied',
    'ignored',
  ],
  render: (requests, options) =>
    requests.length === 0
      ? 'No requests in the log.'
      : renderTable(columnsFor(options.timeZone), requests, options),
}

/** One request on one line, for requests that appear one after the other. */
export const followedRequestView: View<readonly ShownRequest[]> = {
  ...requestListView,
  render: (requests, options) =>
    requests
      .map((request) =>
        [
          formatTime(request.at, options.timeZone) ?? '',
          String(request.status ?? '---'),
          request.method.padEnd(6),
          request.path,
          request.applied ? 'applied' : '',
          formatField(request.errorId) ?? '',
          formatField(request.fault) ?? '',
        ]
          .filter((text) => text !== '')
          .map(safeText)
          .join('  '),
      )
      .join('\n'),
}

const columnsFor = (timeZone: string | undefined): readonly Column<ShownRequest>[] => [
  { title: 'TIME', text: ({ at }) => formatTime(at, timeZone) ?? '', drop: 4 },
  { title: 'METHOD', text: ({ method }) => safeText(method) },
  { title: 'PATH', text: ({ path }) => safeText(path), tone: () => 'strong', shrink: true },
  {
    title: 'STATUS',
    text: ({ status }) => (status === undefined ? 'no response' : String(status)),
    tone: toneOf,
  },
  { title: 'ERROR', text: ({ errorId }) => formatField(errorId) ?? '', drop: 2 },
  { title: 'FAULT', text: ({ fault }) => formatField(fault) ?? '', tone: () => 'bad' },
  { title: 'APPLIED', text: ({ applied }) => (applied ? 'yes' : 'no') },
  { title: 'IDEMPOTENCY KEY', text: ({ idempotencyKey }) => formatField(idempotencyKey) ?? '', drop: 3 },
  { title: 'IGNORED', text: ({ ignored = [] }) => safeText(ignored.join(', ')), drop: 6 },
  { title: 'API KEY', text: ({ key }) => formatField(key) ?? 'none', drop: 5 },
]

const toneOf = ({ status }: ShownRequest) => (status === undefined || status >= 400 ? 'bad' : undefined)
