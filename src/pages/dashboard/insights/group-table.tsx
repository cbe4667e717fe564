import type { ComponentChild } from 'preact'
import { formatRate } from '../../../views/insights/format.ts'
import { emptyGroup } from '../../../views/insights/insights.ts'
import type { Grouping, InsightGroup, Insights, Sum } from '../../../views/insights/insights.ts'
import { ABSENT } from '../../page/format.ts'
import { formatFigure } from './figures.ts'
import { processorName, wordsOf } from '../../page/words.ts'
import { Status } from '../parts/status.tsx'
import { Table } from '../parts/table.tsx'
import type { Column } from '../parts/table.tsx'
import { compareCounts } from './compare.ts'
import { Count } from './count.tsx'
import { filterOf, paymentsAddress } from './payment-links.ts'
import type { Filter } from './payment-links.ts'
import type { Period } from './periods.ts'

interface Figures {
  readonly insights: Insights
  readonly groups: readonly InsightGroup[]
}

interface GroupTableProps extends Figures {
  /** What the groups are, such as `Processor`. */
  readonly name: string
  readonly before: Figures | undefined
  readonly currencyCode: string
  readonly period: Period
}

/** The columns of `pay insights`, and the counts of the period before. */
export function GroupTable(props: GroupTableProps) {
  const { insights, groups, name, before, currencyCode, period } = props
  const most = Math.max(1, ...groups.map(({ count }) => count))
  const isTime = insights.by === 'day' || insights.by === 'hour'
  const earlier = isTime ? undefined : before
  const count = (figures: Insights, group: InsightGroup, figure: number, more: Filter = {}) => (
    <Count
      count={figure}
      to={paymentsAddress(figures, currencyCode, { ...filterOf(figures.by, group.key, figures), ...more })}
    />
  )
  const columns: Column<InsightGroup>[] = [
    {
      name,
      phone: 'left',
      cell: (group) => (
        <div class="group">
          {insights.by === 'status' && group.key !== null ? (
            <Status status={group.key} />
          ) : (
            <span title={group.key ?? undefined}>{nameOf(group, insights.by)}</span>
          )}
          <span class="share" aria-hidden="true" style={{ width: `${(group.count / most) * 100}%` }} />
        </div>
      ),
    },
    { name: 'Count', isFigure: true, cell: (group) => count(insights, group, group.count) },
    ...(earlier === undefined ? [] : comparisons(earlier, period, count)),
    { name: 'Rate', isFigure: true, cell: rateOf },
    ...SUMS.map(([title, field, unknown]) => ({
      name: title,
      isFigure: true,
      cell: (group: InsightGroup) => sumOf(group[field], currencyCode, unknown),
    })),
    ...COUNTS.map(([title, field, filter]) => ({
      name: title,
      isFigure: true,
      cell: (group: InsightGroup) => count(insights, group, group[field], filter),
    })),
  ]
  const rows = earlier === undefined ? groups : withVanished(groups, earlier.groups)
  return (
    <section aria-label={`By ${name.toLowerCase()}`}>
      <h2>By {name.toLowerCase()}</h2>
      <Table label={currencyCode} columns={columns} rows={rows} keyOf={({ key }) => JSON.stringify(key)} />
    </section>
  )
}

const SUMS = [
  ['Net', 'net', 'captured or refunded'],
  ['Captured', 'amountCaptured', 'captured'],
  ['Refunded', 'amountRefunded', 'refunded'],
  ['Authorized', 'amountAuthorized', 'authorized'],
] as const

const COUNTS = [
  ['Approved', 'authorized', { authorized: 'yes' }],
  ['Declined', 'declined', { status: 'DECLINED' }],
  ['Failed', 'failed', { status: 'FAILED' }],
] as const

/** Codes as words; processors that the merchant named, countries and currencies as they are. */
function nameOf({ key }: InsightGroup, by: Grouping): string {
  if (key === null) return 'None'
  if (by === 'method' || by === 'reason') return wordsOf(key)
  if (by === 'source') return key === 'external' ? 'External records' : 'Payments'
  return by === 'processor' ? processorName(key) : key.replace(/^(\d{4}-\d\d-\d\d)T(.+)Z$/, '$1 $2')
}

function comparisons(
  { insights, groups }: Figures,
  { beforeName }: Period,
  count: (figures: Insights, group: InsightGroup, figure: number) => ComponentChild,
): readonly Column<InsightGroup>[] {
  const earlier = (group: InsightGroup) => groups.find(({ key }) => key === group.key)?.count ?? 0
  return [
    {
      name: 'Before',
      isFigure: true,
      from: 'medium',
      cell: (group) => <span title={`In ${beforeName}`}>{count(insights, group, earlier(group))}</span>,
    },
    { name: 'Change', from: 'medium', cell: (group) => compareCounts(group.count, earlier(group)) },
  ]
}

/** Adds groups that exist only in the period before, as empty ones at the end. */
function withVanished(
  groups: readonly InsightGroup[],
  before: readonly InsightGroup[],
): readonly InsightGroup[] {
  const keys = new Set(groups.map(({ key }) => key))
  return [...groups, ...before.filter(({ key }) => !keys.has(key)).map(emptyGroup)]
}

const rateOf = ({ authorizationRate }: InsightGroup) =>
  authorizationRate === null ? (
    <Unknown why="No payment was authorized, declined or failed" />
  ) : (
    formatRate(authorizationRate)
  )

const sumOf = (sum: Sum, currencyCode: string, what: string) =>
  sum === null ? <Unknown why={`No record says how much was ${what}`} /> : formatFigure(sum, currencyCode)

const Unknown = ({ why }: { readonly why: string }) => (
  <span class="quiet" title={why}>
    {ABSENT}
  </span>
)
