import type { BatchOperation, PlanCounts, PlanRow } from '../../rows/batch/plan.ts'
import type { LargeRow, VerdictTotal } from '../../rows/batch/plan/summary.ts'
import { renderDetails } from '../../output/details.ts'
import type { Detail } from '../../output/details.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { View } from '../../output/view.ts'
import { formatAmount, formatField } from '../format-fields.ts'
import { formatMoney } from '../../money/format.ts'
import { safeText } from '../../output/safe-text.ts'
import { effectOfRow, effectsOfPlan } from './effects.ts'
import { renderRows, toneOf } from './rows.ts'
import { groupThousands } from '../../text/words.ts'

/** What planning has found. */
export interface PlanReport extends PlanCounts {
  readonly plan: string
  readonly planId: string
  readonly digest: string
  readonly operation: BatchOperation
  /** Where earlier writes were looked for. */
  readonly ledger: string
  readonly byVerdict: readonly VerdictTotal[]
  readonly largest: readonly LargeRow[]
  readonly firstRefused: readonly PlanRow[]
  /** The numbers of the first ready rows that take all that is left. */
  readonly firstTakingAll: readonly number[]
  /** What would keep it from being applied. */
  readonly obstacles: readonly string[]
}

export const planView: View<PlanReport> = {
  ids: ({ planId }) => [planId],
  csvColumns: ['plan', 'planId', 'digest', 'rows', 'ready', 'refused'],
  render: (report, options) => {
    const { plan, planId, operation, rows, ready, refused, firstRefused, largest, obstacles } = report
    const { paint, width } = options
    const section = (title: string, text: string) => ['', paint(title, 'strong'), text]
    return [
      renderDetails({ paint, width }, [
        ['Plan', safeText(plan)],
        ['ID', formatField(planId)],
        ['Operation', operation],
        ['Ledger', safeText(report.ledger)],
        [
          'Rows',
          `${groupThousands(rows)}: ${paint(`${groupThousands(ready)} ready`, ready === 0 ? 'warn' : 'good')}${
            refused === 0 ? '' : `, ${paint(`${groupThousands(refused)} not ready`, 'bad')}`
          }`,
        ],
        ...effectsOfPlan(report, report.firstTakingAll).map((effect): Detail => ['', effect]),
      ]),
      ...(rows === 0 ? [] : section('By verdict', renderTable(VERDICT_COLUMNS, report.byVerdict, options))),
      ...(largest.length === 0
        ? []
        : section('Largest amounts', renderTable(LARGEST_COLUMNS, largest, options))),
      ...(firstRefused.length === 0
        ? []
        : section(
            firstRefused.length === refused
              ? 'Not ready'
              : `Not ready (the first ${firstRefused.length} of ${groupThousands(refused)})`,
            renderRows(firstRefused, options),
          )),
      ...(obstacles.length === 0
        ? []
        : section(
            'Before it can be applied',
            obstacles.map((one) => `${paint('!', 'warn')} ${safeText(one)}`).join('\n'),
          )),
    ].join('\n')
  },
}

const VERDICT_COLUMNS: readonly Column<VerdictTotal>[] = [
  { title: 'VERDICT', text: ({ verdict }) => verdict, tone: ({ verdict }) => toneOf(verdict) },
  { title: 'ROWS', text: ({ count }) => groupThousands(count), align: 'right' },
  {
    title: 'AMOUNT',
    text: ({ amount, currencyCode }) =>
      currencyCode === undefined ? '' : safeText(formatMoney(amount, currencyCode)),
    align: 'right',
  },
]

const LARGEST_COLUMNS: readonly Column<LargeRow>[] = [
  { title: 'ROW', text: ({ row }) => String(row), align: 'right' },
  { title: 'LINE', text: ({ line }) => String(line), align: 'right', drop: 2 },
  { title: 'PAYMENT', text: ({ paymentId }) => formatField(paymentId) },
  {
    title: 'AMOUNT',
    text: ({ amount, currencyCode }) => formatAmount(amount, currencyCode) ?? '',
    align: 'right',
  },
  { title: 'NOTE', text: (row) => effectOfRow({ ...row, verdict: 'ready' }), drop: 1, wraps: true },
]
