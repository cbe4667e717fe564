import type { RowState, VerifiedRow } from '../../rows/batch/verify/compare.ts'
import { renderDetails } from '../../output/details.ts'
import type { Detail } from '../../output/details.ts'
import type { Paint, Tone } from '../../output/paint.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { View } from '../../output/view.ts'
import { formatAmount, formatField, formatFreeText } from '../format-fields.ts'
import { groupThousands } from '../../text/words.ts'

export interface Verification {
  readonly planId: string
  readonly asPlanned: number
  readonly missing: number
  readonly more: number
  readonly pending: number
  readonly failedLater: number
  /** Left out if every payment could be read. */
  readonly unread?: number
  /** For a table, those that `isShown` tells. */
  readonly rows: readonly VerifiedRow[]
}

const WORDS: Readonly<Record<RowState, readonly [words: string, tone: Tone]>> = {
  asPlanned: ['as planned', 'good'],
  pending: ['pending', 'warn'],
  failed_later: ['failed later', 'bad'],
  missing: ['missing', 'bad'],
  more: ['more', 'bad'],
  unread: ['unread', 'bad'],
}

export const verificationView: View<Verification> = {
  ids: ({ planId }) => [planId],
  itemsKey: 'rows',
  csvColumns: ['row', 'paymentId', 'state', 'planned', 'found'],
  render: (found, options) => {
    const { paint } = options
    const { missing, more, pending, failedLater, unread = 0 } = found
    const deviating = missing + more + pending + failedLater + unread
    // What is wrong comes before what only takes time.
    const rows = found.rows
      .toSorted((one, other) => Number(one.state === 'pending') - Number(other.state === 'pending'))
      .slice(0, SHOWN_ROWS)
    return [
      renderDetails({ paint, width: undefined }, [
        ['Plan', formatField(found.planId)],
        ['As planned', groupThousands(found.asPlanned)],
        countOf('Pending', pending, 'warn', paint),
        countOf('Failed later', failedLater, 'bad', paint),
        countOf('Missing', missing, 'bad', paint),
        countOf('More', more, 'bad', paint),
        countOf('Unread', unread, 'bad', paint),
      ]),
      ...(deviating === 0 ? [] : ['', renderTable(COLUMNS, rows, options)]),
      ...(deviating > SHOWN_ROWS
        ? [`and ${groupThousands(deviating - SHOWN_ROWS)} more; --json lists every row`]
        : []),
    ].join('\n')
  },
}

const SHOWN_ROWS = 20

/** Whether a person is shown a row of this state, the last of those counted: all others are only counted. */
export function isShown(
  state: RowState,
  { pending, failedLater, missing, more, unread }: Omit<Required<Verification>, 'planId' | 'rows'>,
): boolean {
  if (state === 'asPlanned') return false
  return (state === 'pending' ? pending : failedLater + missing + more + unread) <= SHOWN_ROWS
}

const countOf = (label: string, count: number, tone: Tone, paint: Paint): Detail => [
  label,
  count === 0 ? undefined : paint(groupThousands(count), tone),
]

const COLUMNS: readonly Column<VerifiedRow>[] = [
  { title: 'ROW', text: ({ row }) => String(row), align: 'right' },
  { title: 'LINE', text: ({ line }) => String(line), align: 'right', drop: 1 },
  { title: 'PAYMENT', text: ({ paymentId }) => formatField(paymentId) },
  {
    title: 'STATE',
    text: ({ state }) => WORDS[state][0],
    tone: ({ state }) => WORDS[state][1],
  },
  { title: 'PLANNED', text: (row) => shown(row, row.planned), align: 'right' },
  { title: 'FOUND', text: (row) => shown(row, row.found), align: 'right' },
  { title: 'WHY', text: ({ message }) => formatFreeText(message) ?? '', wraps: true },
]

const shown = ({ currencyCode }: VerifiedRow, value: number | string | null): string =>
  typeof value === 'number' ? (formatAmount(value, currencyCode) ?? '') : formatField(value ?? '')
