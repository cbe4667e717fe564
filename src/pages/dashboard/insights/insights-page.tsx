import { GROUPINGS } from '../../../views/insights/insights.ts'
import type { Grouping, Insights, InsightGroup } from '../../../views/insights/insights.ts'
import { read as get } from '../../page/service.ts'
import { ComboBox, TextField } from '../parts/fields.tsx'
import { PageFrame } from '../parts/page-frame.tsx'
import { query, setQuery } from '../parts/router.tsx'
import { Empty, FetchState } from '../parts/states.tsx'
import { useFetched } from '../parts/use-fetched.ts'
import { currenciesIn, groupsOf, formatFigure, totalOf } from './figures.ts'
import { GroupTable } from './group-table.tsx'
import { CUSTOM, PERIOD_CHOICES, readPeriod } from './periods.ts'
import type { Period, Span } from './periods.ts'
import { TimeChart } from './time-chart.tsx'
import { formatRate } from '../../../views/insights/format.ts'
import type { ComponentChild } from 'preact'
import { ABSENT } from '../../page/format.ts'
import { groupThousands } from '../../../text/words.ts'
import { compareCounts, compareRates, compareSums } from './compare.ts'
import { Count } from './count.tsx'
import { paymentsAddress } from './payment-links.ts'

interface Figures {
  /** The period of these figures, while those of another one may be loading. */
  readonly period: Period
  readonly now: Insights
  /** Undefined if the period has none before it. */
  readonly before: Insights | undefined
  readonly series: Insights
}

export function InsightsPage() {
  const { period: name = '', from = '', to = '', currency = '' } = query.value
  const by = readGrouping(query.value['by'])
  const period = readPeriod(query.value)
  const fetched = useFetched((signal) => fetchFigures(period, by, signal), [name, from, to, by])
  const { data } = fetched
  const currencies = data === undefined ? [] : currenciesIn(data.now)
  const chosen = currency === '' ? (currencies[0] ?? '') : currency
  return (
    <PageFrame title="Insights">
      <div class="filters">
        <ComboBox
          label="Period"
          value={PERIOD_CHOICES.some(({ value }) => value === name) ? name : 'all'}
          choices={PERIOD_CHOICES}
          onChange={(value) =>
            setQuery(
              { period: value, ...(value === CUSTOM ? {} : { from: undefined, to: undefined }) },
              'push',
            )
          }
        />
        {name === CUSTOM ? <CustomDays from={from} to={to} /> : null}
        <ComboBox
          label="Group by"
          value={by}
          choices={GROUPINGS.map((value) => ({ value, label: GROUP_NAMES[value] }))}
          onChange={(value) => setQuery({ by: value }, 'push')}
        />
        <ComboBox
          label="Currency"
          value={chosen}
          choices={
            currencies.length === 0
              ? [{ value: chosen, label: chosen === '' ? 'None' : chosen }]
              : currencies.map((value) => ({ value, label: value }))
          }
          onChange={(value) => setQuery({ currency: value }, 'push')}
        />
      </div>
      <FetchState what="figures" of={fetched} />
      {data === undefined ? null : <CurrencyFigures figures={data} currencyCode={chosen} />}
    </PageFrame>
  )
}

function CurrencyFigures(props: { readonly figures: Figures; readonly currencyCode: string }) {
  const { currencyCode } = props
  const { period, now, before, series } = props.figures
  const groups = groupsOf(now, currencyCode)
  const earlier = before === undefined ? undefined : groupsOf(before, currencyCode)
  if (groups.length === 0 && (earlier === undefined || earlier.length === 0))
    return (
      <Empty
        title={
          currencyCode === '' ? 'No payments in this period.' : `No ${currencyCode} payments in this period.`
        }
      >
        <p>
          Choose another period, or fill the sandbox with payments: <code>pay sandbox seed</code>
        </p>
      </Empty>
    )
  return (
    <>
      <Summary insights={now} groups={groups} before={earlier} {...{ currencyCode, period }} />
      <TimeChart insights={series} currencyCode={currencyCode} />
      <GroupTable
        insights={now}
        groups={groups}
        before={
          before === undefined || earlier === undefined ? undefined : { insights: before, groups: earlier }
        }
        name={GROUP_NAMES[now.by]}
        {...{ currencyCode, period }}
      />
    </>
  )
}

function CustomDays({ from, to }: { readonly from: string; readonly to: string }) {
  return (
    <>
      <TextField
        label="From"
        type="date"
        value={from}
        onChange={(value) => setQuery({ from: value }, 'replace')}
      />
      <TextField
        label="To"
        type="date"
        value={to}
        onChange={(value) => setQuery({ to: value }, 'replace')}
        problem={from !== '' && to !== '' && from > to ? 'This is before From.' : undefined}
      />
    </>
  )
}

const GROUP_NAMES: Readonly<Record<Grouping, string>> = {
  status: 'Status',
  processor: 'Processor',
  method: 'Method',
  reason: 'Reason',
  currency: 'Currency',
  country: 'Country',
  source: 'Source',
  day: 'Day',
  hour: 'Hour',
}

const readGrouping = (text = 'status'): Grouping => GROUPINGS.find((known) => known === text) ?? 'status'

async function fetchFigures(period: Period, by: Grouping, signal: AbortSignal): Promise<Figures> {
  const { span, before, step } = period
  const read = (part: Span, grouping: Grouping) =>
    get<Insights>('/sandbox/insights', { query: { ...part, by: grouping }, signal })
  const now = read(span, by)
  const [figures, earlier, series] = await Promise.all([
    now,
    before === undefined ? undefined : read(before, by),
    by === step ? now : read(span, step),
  ])
  const days = new Set(series.groups.map(({ key }) => key))
  // One or two days say more in hours.
  return { period, now: figures, before: earlier, series: days.size > 2 ? series : await read(span, 'hour') }
}

interface SummaryProps {
  readonly insights: Insights
  readonly groups: readonly InsightGroup[]
  /** Groups of the period before. */
  readonly before: readonly InsightGroup[] | undefined
  readonly currencyCode: string
  readonly period: Period
}

/** The figures of the whole period, each next to that of the period before. */
function Summary({ insights, groups, before, currencyCode, period }: SummaryProps) {
  const now = totalOf(groups, currencyCode)
  const earlier = before === undefined ? undefined : totalOf(before, currencyCode)
  const countOf = (name: 'count' | 'declined' | 'failed', status?: string): Figure => ({
    value: <Count count={now[name]} to={paymentsAddress(insights, currencyCode, { status })} />,
    was: earlier && groupThousands(earlier[name]),
    difference: earlier && compareCounts(now[name], earlier[name]),
  })
  const sumOf = (name: 'amountAuthorized' | 'amountCaptured' | 'amountRefunded' | 'net'): Figure => ({
    value: formatFigure(now[name], currencyCode),
    unit: currencyCode,
    was: earlier && formatFigure(earlier[name], currencyCode),
    difference: earlier && compareSums(now[name], earlier[name], currencyCode),
  })
  const rate: Figure = {
    value: formatRate(now.authorizationRate),
    was: earlier && formatRate(earlier.authorizationRate),
    difference: earlier && compareRates(now.authorizationRate, earlier.authorizationRate),
  }
  const figures: readonly (readonly [string, Figure])[] = [
    ['Payments', countOf('count')],
    ['Authorization rate', rate],
    ['Declined', countOf('declined', 'DECLINED')],
    ['Failed', countOf('failed', 'FAILED')],
    ['Authorized', sumOf('amountAuthorized')],
    ['Captured', sumOf('amountCaptured')],
    ['Refunded', sumOf('amountRefunded')],
    ['Net', sumOf('net')],
  ]
  return (
    <section aria-label="Summary">
      <dl class="summary">
        {figures.map(([name, figure]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span class="large">{figure.value}</span>
              {figure.unit === undefined ? null : <span class="quiet"> {figure.unit}</span>}
              {figure.difference === undefined ? null : (
                <small>
                  {figure.was === ABSENT
                    ? `unknown in ${period.beforeName}`
                    : `${figure.difference} (${figure.was} in ${period.beforeName})`}
                </small>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

interface Figure {
  readonly value: ComponentChild
  readonly unit?: string
  /** The figure of the period before. */
  readonly was: string | undefined
  readonly difference: string | undefined
}
