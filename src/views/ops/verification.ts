import { renderDetails } from '../../output/details.ts'
import type { Tone } from '../../output/paint.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { formatAmount, formatField, formatFreeText } from '../format-fields.ts'
import { formatTimeForTable } from '../format-time.ts'
import { formatTarget } from './state.ts'
import { groupThousands } from '../../text/words.ts'

/** A confirmed write, compared with its payment. Amounts in minor units, otherwise statuses. */
export interface ComparedWrite {
  readonly operationId: string
  readonly operation: string
  readonly target: string
  readonly verdict: 'as_recorded' | 'pending' | 'failed_later' | 'missing' | 'more' | 'unreadable'
  /** Null if everything that was left was asked for. */
  readonly recorded: number | string | null
  readonly found: number | string | null
  readonly createdAt: string
  readonly currencyCode: string | null
  /** Why the payment can't be compared. */
  readonly message?: string | undefined
}

export interface WriteVerification {
  readonly from: string
  readonly checked: number
  readonly asRecorded: number
  readonly pending: number
  /** The writes that are not as recorded. */
  readonly rows: readonly ComparedWrite[]
}

const WORDS: Readonly<Record<ComparedWrite['verdict'], readonly [words: string, tone: Tone]>> = {
  as_recorded: ['as recorded', 'good'],
  pending: ['… pending', 'warn'],
  failed_later: ['✗ failed later', 'bad'],
  missing: ['✗ missing', 'bad'],
  more: ['! more', 'bad'],
  unreadable: ['? unreadable', 'bad'],
}

export const writeVerificationView: View<WriteVerification> = {
  ids: ({ rows }) => rows.map(({ operationId }) => operationId),
  itemsKey: 'rows',
  csvColumns: ['operationId', 'operation', 'target', 'verdict', 'recorded', 'found'],
  render: ({ checked, asRecorded, pending, rows }, options) =>
    [
      renderDetails({ paint: options.paint, width: undefined }, [
        ['Checked', groupThousands(checked)],
        ['As recorded', groupThousands(asRecorded)],
        ['Pending', pending === 0 ? undefined : options.paint(groupThousands(pending), 'warn')],
      ]),
      ...(rows.length === 0 ? [] : ['', renderTable(columnsFor(options), rows, options)]),
    ].join('\n'),
}

const columnsFor = (options: RenderOptions): readonly Column<ComparedWrite>[] => [
  {
    title: 'ID',
    text: ({ operationId }) => formatField(operationId.slice(0, 8)),
    tone: () => 'strong',
    drop: 1,
  },
  { title: 'WHEN', text: ({ createdAt }) => formatTimeForTable(createdAt, options) ?? '', drop: 2 },
  { title: 'OPERATION', text: ({ operation }) => formatField(operation.replace(/^payment\./, '')) },
  { title: 'PAYMENT', text: ({ target }) => formatTarget(target), shrink: true },
  { title: 'VERDICT', text: ({ verdict }) => WORDS[verdict][0], tone: ({ verdict }) => WORDS[verdict][1] },
  { title: 'RECORDED', text: (row) => shown(row, row.recorded ?? 'all'), align: 'right' },
  { title: 'FOUND', text: (row) => shown(row, row.found), align: 'right' },
  { title: 'WHY', text: ({ message }) => formatFreeText(message) ?? '', wraps: true },
]

const shown = ({ currencyCode }: ComparedWrite, value: number | string | null): string =>
  typeof value === 'number'
    ? (formatAmount(value, currencyCode ?? undefined) ?? '')
    : formatField(value ?? '')
