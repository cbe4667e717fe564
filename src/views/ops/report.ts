import { factsOf } from '../../api/facts.ts'
import { formatPoints } from '../../money/format.ts'
import { renderDetails } from '../../output/details.ts'
import type { Tone } from '../../output/paint.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { groupThousands, pluralize } from '../../text/words.ts'
import { formatAmount, formatField, formatFreeText, joinParts } from '../format-fields.ts'
import { formatMode } from '../profile.ts'
import { formatTime, formatTimeForTable } from '../format-time.ts'
import { formatTarget, isNarrow, nameOperation } from './state.ts'

/** What became of a write, the most urgent first. */
export const REPORT_OUTCOMES = [
  'open',
  'failed_later',
  'missing',
  'more',
  'unreadable',
  'failed',
  'abandoned',
  'pending',
  'done',
] as const
export type ReportOutcome = (typeof REPORT_OUTCOMES)[number]

export interface ReportedWrite {
  readonly outcome: ReportOutcome
  readonly operation: string
  readonly orderId: string | null
  readonly target: string | null
  /** Minor units, or points, below zero for returned ones; null if the request left it to the service and the payment doesn't tell. */
  readonly amount: number | null
  readonly currencyCode: string | null
  /** The amount as people write it. */
  readonly money: string | null
  readonly reason: string | null
  readonly user: string
  readonly host: string
  readonly createdAt: string
  readonly endedAt: string | null
  readonly profile: string | null
  readonly mode: 'test' | 'live'
  readonly baseUrl: string
  /** For a row of a batch. */
  readonly planId: string | null
  readonly plannedBy: string | null
  /** The approvers, with commas between them. */
  readonly approvedBy: string | null
  readonly operationId: string
  readonly idempotencyKey: string | null
  /** How the outcome is known, if not by the service's response. */
  readonly note: string | null
}

interface ReportTotal {
  readonly operation: string
  readonly currencyCode: string | null
  readonly mode: 'test' | 'live'
  readonly count: number
  readonly amount: number
  /** How many of them have an amount that is not known. */
  readonly unknownAmounts: number
}

interface ReportPlan {
  readonly planId: string
  readonly plannedBy: string
  /** Null if the profile required no approval. */
  readonly approvedBy: string | null
  readonly rows: number
}

export interface WriteReport {
  readonly from: string
  readonly to: string
  readonly reportedAt: string
  readonly reportedBy: string
  /** `this machine only`, or a team's. */
  readonly ledger: string
  /** Whether the payments were read. */
  readonly checked: boolean
  readonly counts: Readonly<Record<ReportOutcome, number>>
  /** Of what is done or pending. */
  readonly totals: readonly ReportTotal[]
  readonly plans: readonly ReportPlan[]
  /** The most urgent first, then the oldest. */
  readonly rows: readonly ReportedWrite[]
}

/** Sums up writes. Test and live money are never added up. */
export function buildReport(
  about: Omit<WriteReport, 'counts' | 'totals' | 'plans' | 'rows'>,
  writes: readonly ReportedWrite[],
): WriteReport {
  const rank = ({ outcome }: ReportedWrite) => REPORT_OUTCOMES.indexOf(outcome)
  const rows = writes.toSorted(
    (one, other) => rank(one) - rank(other) || (one.createdAt < other.createdAt ? -1 : 1),
  )
  const counted = (outcome: ReportOutcome) => rows.filter((row) => row.outcome === outcome).length
  const counts = {
    open: counted('open'),
    failed_later: counted('failed_later'),
    missing: counted('missing'),
    more: counted('more'),
    unreadable: counted('unreadable'),
    failed: counted('failed'),
    abandoned: counted('abandoned'),
    pending: counted('pending'),
    done: counted('done'),
  }
  return { ...about, counts, totals: totalsOf(rows), plans: plansOf(rows), rows }
}

/** What counts as done. `more`: the write itself is done; `unreadable`: it was confirmed. */
const IS_DONE: readonly ReportOutcome[] = ['done', 'pending', 'more', 'unreadable']

function totalsOf(rows: readonly ReportedWrite[]): readonly ReportTotal[] {
  const totals = new Map<string, ReportTotal>()
  for (const { outcome, operation, currencyCode, mode, amount } of rows) {
    if (!IS_DONE.includes(outcome)) continue
    // An adjustment sets the whole amount: a sum of them means nothing.
    const isSum = amountOf(operation) !== 'none' && amountOf(operation) !== 'total'
    // Points that were taken and points that were returned are two sums.
    const key = JSON.stringify([mode, operation, currencyCode, (amount ?? 0) < 0])
    const total = totals.get(key) ?? {
      operation,
      currencyCode,
      mode,
      count: 0,
      amount: 0,
      unknownAmounts: 0,
    }
    totals.set(key, {
      ...total,
      count: total.count + 1,
      amount: total.amount + (isSum ? (amount ?? 0) : 0),
      unknownAmounts: total.unknownAmounts + (isSum && amount === null ? 1 : 0),
    })
  }
  return [...totals].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, total]) => total)
}

const amountOf = (operation: string) => factsOf(operation)?.amount ?? 'none'

function plansOf(rows: readonly ReportedWrite[]): readonly ReportPlan[] {
  const plans = new Map<string, ReportPlan>()
  for (const { planId, plannedBy, approvedBy } of rows) {
    if (planId === null) continue
    // What was applied without an approval, or with another, stands apart.
    const key = JSON.stringify([planId, approvedBy])
    const { rows: count = 0 } = plans.get(key) ?? {}
    plans.set(key, { planId, plannedBy: plannedBy ?? '', approvedBy, rows: count + 1 })
  }
  return [...plans.values()]
}

const WORDS: Readonly<Record<ReportOutcome, readonly [title: string, tone: Tone]>> = {
  open: ['In doubt or under way: they may or may not have been applied', 'bad'],
  failed_later: ['Failed later: accepted, and then failed', 'bad'],
  missing: ['Missing: confirmed, and the payment does not show them', 'bad'],
  more: ['More: the payment shows further equal effects that this ledger does not know', 'bad'],
  unreadable: ['Done, but the payment could not be read', 'bad'],
  failed: ['Failed: declined or refused, nothing changed', 'warn'],
  abandoned: ['Abandoned: a person ended them, their outcome was never determined', 'warn'],
  pending: ['Accepted, not final yet', 'warn'],
  done: ['Done', 'good'],
}

export const writeReportView: View<WriteReport> = {
  ids: ({ rows }) => rows.map(({ operationId }) => operationId),
  itemsKey: 'rows',
  csvColumns: [
    'outcome',
    'operation',
    'orderId',
    'target',
    'amount',
    'currencyCode',
    'money',
    'reason',
    'user',
    'host',
    'createdAt',
    'endedAt',
    'profile',
    'mode',
    'baseUrl',
    'planId',
    'plannedBy',
    'approvedBy',
    'operationId',
    'idempotencyKey',
    'note',
  ],
  render: (report, options) =>
    [
      headOf(report, options),
      ...REPORT_OUTCOMES.flatMap((outcome) => sectionOf(report, outcome, options)),
      ...(report.totals.length === 0
        ? []
        : [`${options.paint('Totals', 'strong')}\n${totalsTable(report, options)}`]),
      ...(report.plans.length === 0
        ? []
        : [`${options.paint('Plans', 'strong')}\n${plansTable(report, options)}`]),
    ].join('\n\n'),
}

function headOf(
  { from, to, reportedAt, reportedBy, ledger, checked, rows }: WriteReport,
  options: RenderOptions,
): string {
  const { paint, width, timeZone } = options
  const accounts = new Set(
    rows.map(({ profile, mode, baseUrl }) =>
      joinParts([
        `${formatField(profile ?? 'no profile')} (${formatMode(mode, paint)})`,
        formatField(baseUrl),
      ]),
    ),
  )
  return renderDetails({ paint, width }, [
    ['Report', `${formatTime(from, timeZone) ?? ''} to ${formatTime(to, timeZone) ?? ''}`],
    ['Made', `${formatTime(reportedAt, timeZone) ?? ''} by ${formatField(reportedBy)}`],
    ['Ledger', formatField(ledger)],
    ...[...accounts].map((account, at) => [at === 0 ? 'Accounts' : '', account] as const),
    ['By', peopleOf(rows).join(', ')],
    ['Writes', rows.length === 0 ? 'none' : groupThousands(rows.length)],
    ['Payments', checked ? 'read again for this report' : 'as recorded; --check reads them again'],
  ])
}

function sectionOf(report: WriteReport, outcome: ReportOutcome, options: RenderOptions): readonly string[] {
  const rows = report.rows.filter((row) => row.outcome === outcome)
  if (rows.length === 0) return []
  const [title, tone] = WORDS[outcome]
  return [
    `${options.paint(`${title} (${rows.length})`, tone)}\n${renderTable(columnsFor(report, options), rows, options)}`,
  ]
}

const personOf = ({ user, host }: ReportedWrite): string => formatField(`${user}@${host}`)

const peopleOf = (rows: readonly ReportedWrite[]): readonly string[] => [...new Set(rows.map(personOf))]

function columnsFor({ rows }: WriteReport, options: RenderOptions): readonly Column<ReportedWrite>[] {
  // The head names one person.
  const isOnePerson = peopleOf(rows).length === 1
  const timeOf = ({ createdAt }: ReportedWrite) => formatTimeForTable(createdAt, options) ?? ''
  return [
    { title: 'WHEN', text: (one) => (isNarrow(options) ? timeOf(one).replace(/^\d{4}-/, '') : timeOf(one)) },
    { title: 'OPERATION', text: (one) => nameOperation(one, options) },
    { title: 'ORDER', text: ({ orderId }) => formatField(orderId ?? ''), drop: 1 },
    { title: 'TARGET', text: ({ target }) => (target === null ? '' : formatTarget(target)), shrink: true },
    { title: 'AMOUNT', text: ({ money }) => money ?? '', align: 'right' },
    { title: 'BY', text: (one) => (isOnePerson ? '' : personOf(one)), drop: 3 },
    { title: 'ID', text: ({ operationId }) => formatField(operationId.slice(0, 8)), drop: 4 },
    { title: 'REASON', text: reasonOf, wraps: true, drop: 2 },
  ]
}

const reasonOf = ({ reason, note, outcome }: ReportedWrite): string =>
  joinParts(
    [formatFreeText(reason ?? undefined), outcome === 'done' ? undefined : formatFreeText(note ?? undefined)],
    '; ',
  )

const totalsTable = ({ totals }: WriteReport, options: RenderOptions): string =>
  renderTable<ReportTotal>(
    [
      { title: 'OPERATION', text: (one) => nameOperation(one, options) },
      { title: 'MODE', text: ({ mode }) => mode },
      { title: 'COUNT', text: ({ count }) => groupThousands(count), align: 'right' },
      { title: 'AMOUNT', text: amountText, align: 'right' },
    ],
    totals,
    options,
  )

function amountText({ operation, currencyCode, amount, count, unknownAmounts }: ReportTotal): string {
  const kind = amountOf(operation)
  if (kind === 'none' || kind === 'total') return ''
  if (unknownAmounts === count) return 'unknown'
  const sum =
    kind === 'points' ? formatPoints(amount) : (formatAmount(amount, currencyCode ?? undefined) ?? '')
  return unknownAmounts === 0 ? sum : `${sum} and ${pluralize(unknownAmounts, 'unknown amount')}`
}

const plansTable = ({ plans }: WriteReport, options: RenderOptions): string =>
  renderTable<ReportPlan>(
    [
      { title: 'PLAN', text: ({ planId }) => formatField(planId) },
      { title: 'ROWS', text: ({ rows }) => groupThousands(rows), align: 'right' },
      { title: 'PLANNED BY', text: ({ plannedBy }) => formatField(plannedBy) },
      {
        title: 'APPROVED BY',
        text: ({ approvedBy }) => formatField(approvedBy ?? 'nobody: none was required'),
      },
    ],
    plans,
    options,
  )
