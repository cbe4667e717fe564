import { useMemo } from 'preact/hooks'
import { formatSum } from '../../../../insights/format.ts'
import type { Insights } from '../../../../insights/insights.ts'
import { exponentOf } from '../../../../money/currencies.ts'
import { formatCount } from '../../page/format.ts'
import { Table } from '../parts/table.tsx'
import { Chart } from './chart.tsx'
import { Count } from './count.tsx'
import { groupsOf, stepsOf } from './figures.ts'
import type { Step } from './figures.ts'
import { filterOf, paymentsAddress } from './payment-links.ts'

/** Count and volume over time: a picture, and the same figures as a table. */
export function TimeChart({
  insights,
  currencyCode,
}: {
  readonly insights: Insights
  readonly currencyCode: string
}) {
  const steps = useMemo(() => stepsOf(groupsOf(insights, currencyCode), insights), [insights, currencyCode])
  const isHourly = insights.by === 'hour'
  const unit = 10 ** (exponentOf(currencyCode) ?? 0)
  const lines = useMemo(
    () => ({
      times: steps.map(({ seconds }) => seconds),
      counts: steps.map(({ count }) => count),
      // For the picture alone, where a rounded digit is far below a pixel.
      volumes: steps.map(({ amountAuthorized: sum }) => (sum === null ? null : Number(sum) / unit)),
    }),
    [steps, unit],
  )
  const counted = steps.filter(({ count }) => count > 0)
  const highest = counted.toSorted((one, other) => other.count - one.count)[0]
  if (highest === undefined) return null
  const [title, stepName] = isHourly ? ['Payments by hour', 'Hour'] : ['Payments by day', 'Day']
  const columns = [
    { name: stepName, cell: ({ key }: Step) => formatStep(key) },
    {
      name: 'Count',
      isFigure: true,
      cell: ({ key, count }: Step) => (
        <Count
          count={count}
          to={paymentsAddress(insights, currencyCode, filterOf(insights.by, key, insights))}
        />
      ),
    },
    {
      name: 'Authorized',
      isFigure: true,
      cell: ({ amountAuthorized }: Step) => formatSum(amountAuthorized, currencyCode),
    },
  ]
  return (
    <section>
      <h2>
        {title} <span class="quiet">(UTC)</span>
      </h2>
      <Chart
        label={`${title}, in ${currencyCode}: ${counted.length} with payments from ${formatStep(steps[0]?.key ?? '')} to ${formatStep(steps.at(-1)?.key ?? '')}; the highest count is ${formatCount(highest.count)} on ${formatStep(highest.key)}. The table below has every figure.`}
        times={lines.times}
        bars={{ name: 'Payments', values: lines.counts, format: formatWhole }}
        line={{ name: `Authorized ${currencyCode}`, values: lines.volumes, format: formatVolume }}
        formatTick={(seconds) => formatTick(seconds, isHourly)}
        formatTime={(seconds) => formatStep(steps.find((step) => step.seconds === seconds)?.key ?? '')}
      />
      <details class="figures">
        <summary>Figures of the chart</summary>
        <Table label={title} columns={columns} rows={counted} keyOf={({ key }) => key} />
      </details>
    </section>
  )
}

/** `2026-01-31`, or `2026-01-31 09:00`. */
const formatStep = (key: string): string => key.replace('T', ' ').replace('Z', '')

/** `01-31`, or `09:00`; midnight shows its day. */
function formatTick(seconds: number, isHourly: boolean): string {
  const text = new Date(seconds * 1000).toISOString()
  return isHourly && text.slice(11, 16) !== '00:00' ? text.slice(11, 16) : text.slice(5, 10)
}

const formatWhole = (value: number): string => (Number.isInteger(value) ? formatCount(value) : '')

/** Short enough for an axis. */
const formatVolume = (value: number): string =>
  value >= 1_000_000
    ? `${Number((value / 1_000_000).toFixed(2))}M`
    : value >= 10_000
      ? `${Number((value / 1000).toFixed(1))}k`
      : formatCount(Math.round(value))
