import type { PlanRow, Verdict } from '../../rows/batch/plan.ts'
import type { Tone } from '../../output/paint.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions } from '../../output/view.ts'
import { formatAmount, formatField, formatFreeText, joinParts } from '../format-fields.ts'
import { effectOfRow } from './effects.ts'

type ShownRow = Omit<PlanRow, 'type'>

export const toneOf = (verdict: Verdict): Tone => (verdict === 'ready' ? 'good' : 'bad')

const COLUMNS: readonly Column<ShownRow>[] = [
  { title: 'ROW', text: ({ row }) => String(row), align: 'right' },
  { title: 'LINE', text: ({ line }) => String(line), align: 'right', drop: 4 },
  {
    title: 'PAYMENT',
    text: ({ paymentId }) => formatField(paymentId ?? ''),
  },
  { title: 'ORDER', text: ({ orderId }) => formatField(orderId ?? '') },
  {
    title: 'AMOUNT',
    text: (row) => formatAmount(row.amount, row.currencyCode) ?? '',
    align: 'right',
    drop: 2,
  },
  { title: 'TICKET', text: ({ ticket }) => formatField(ticket ?? ''), drop: 3, shrink: true },
  { title: 'VERDICT', text: ({ verdict }) => verdict, tone: ({ verdict }) => toneOf(verdict) },
  {
    title: 'NOTE',
    text: (row) => joinParts([effectOfRow(row), formatFreeText(row.message)], '; '),
    drop: 1,
    wraps: true,
  },
]

/** The rows of a plan with their verdicts. */
export const renderRows = (rows: readonly ShownRow[], options: RenderOptions): string =>
  renderTable(COLUMNS, rows, options)
