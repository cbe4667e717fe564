import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Insights } from '../../../views/insights/insights.ts'
import { capitalize, groupThousands } from '../../../text/words.ts'
import { countOf, formatAmount } from '../../page/format.ts'
import { Table } from '../parts/table.tsx'
import type { Column } from '../parts/table.tsx'
import { Count } from './count.tsx'
import { barsOf, formatFigure, groupsOf, stepsOf } from './figures.ts'
import type { Step } from './figures.ts'
import { filterOf, paymentsAddress } from './payment-links.ts'

interface TimeChartProps {
  readonly insights: Insights
  readonly currencyCode: string
}

/** Count and volume over time: bars, the figures of the one that is pointed at, and all figures as a table. */
export function TimeChart({ insights, currencyCode }: TimeChartProps) {
  const by = insights.by === 'hour' ? 'hour' : 'day'
  const steps = useMemo(() => stepsOf(groupsOf(insights, currencyCode)), [insights, currencyCode])
  const bars = useMemo(() => barsOf(steps, by), [steps, by])
  const pointed = useSignal<number | undefined>(undefined)
  const busiest = bars.toSorted((one, other) => other.count - one.count)[0]
  if (busiest === undefined) return null
  const shown = bars[pointed.value ?? -1]
  const unit = busiest.key.length === 7 ? 'month' : by
  const title = `Payments by ${unit}`
  const point = (event: PointerEvent) => {
    const bar = event.target instanceof Element ? event.target.closest('[data-index]') : null
    if (bar !== null) pointed.value = Number(bar.getAttribute('data-index'))
  }
  const describe = ({ key, count, amountAuthorized }: Step) =>
    `${formatStep(key)}: ${countOf(count, 'payment')}, ${formatAmount(amountAuthorized, currencyCode)} authorized`
  const plot = (name: string, valueOf: (step: Step) => number, format: (step: Step) => string) => (
    <Plot key={name} {...{ name, bars, valueOf, format }} pointed={pointed.value} />
  )
  const columns: readonly Column<Step>[] = [
    { name: by === 'hour' ? 'Hour' : 'Day', phone: 'left', cell: ({ key }) => formatStep(key) },
    {
      name: 'Count',
      isFigure: true,
      cell: ({ key, count }) => (
        <Count count={count} to={paymentsAddress(insights, currencyCode, filterOf(by, key, insights))} />
      ),
    },
    {
      name: 'Authorized',
      isFigure: true,
      cell: ({ amountAuthorized }) => formatFigure(amountAuthorized, currencyCode),
    },
  ]
  return (
    <section>
      <h2>{title}</h2>
      <p class="readout">{shown === undefined ? `Most on ${describe(busiest)}` : describe(shown)}</p>
      <div
        class="chart"
        role="img"
        aria-label={`${title}, in ${currencyCode}: ${steps.length} with payments from ${formatStep(steps[0]?.key ?? '')} to ${formatStep(steps.at(-1)?.key ?? '')}; the highest count is ${groupThousands(busiest.count)} on ${formatStep(busiest.key)}. The table below has every figure.`}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => (pointed.value = undefined)}
      >
        {plot(
          'Payments',
          ({ count }) => count,
          ({ count }) => groupThousands(count),
        )}
        {plot(
          `Authorized, ${currencyCode}`,
          ({ amountAuthorized }) => Number(amountAuthorized),
          ({ amountAuthorized }) => formatFigure(amountAuthorized, currencyCode),
        )}
        <Ticks bars={bars} />
        <p class="axis-title time">{capitalize(unit)}, UTC</p>
      </div>
      <details class="figures">
        <summary>Figures of the chart</summary>
        <Table label={`Payments by ${by}`} columns={columns} rows={steps} keyOf={({ key }) => key} />
      </details>
    </section>
  )
}

interface PlotProps {
  /** The title of its axis, which goes from 0 to the highest bar. */
  readonly name: string
  readonly bars: readonly Step[]
  readonly pointed: number | undefined
  readonly valueOf: (step: Step) => number
  readonly format: (step: Step) => string
}

function Plot({ name, bars, pointed, valueOf, format }: PlotProps) {
  const [highest] = bars.toSorted((one, other) => valueOf(other) - valueOf(one))
  if (highest === undefined) return null
  return (
    <div class="plot">
      <p class="axis-title">{name}</p>
      <p class="axis">
        <span>{format(highest)}</span>
        <span>0</span>
      </p>
      <div class="bars">
        {bars.map((step, index) => (
          <span key={step.key} data-index={index} class={index === pointed ? 'column pointed' : 'column'}>
            <i style={{ height: `${(valueOf(step) / Math.max(1, valueOf(highest))) * 100}%` }} />
          </span>
        ))}
      </div>
    </div>
  )
}

/** About eight labels, each below its bar; half of them on a phone. */
function Ticks({ bars }: { readonly bars: readonly Step[] }) {
  const every = Math.ceil(bars.length / 8)
  return (
    <div class="ticks">
      {bars.map(({ key }, index) => (
        <span key={key} class={index % (2 * every) === 0 ? 'column' : 'column between'}>
          {index % every === 0 ? <b>{formatTick(key)}</b> : null}
        </span>
      ))}
    </div>
  )
}

/** `2026-01-31`, or `2026-01-31 09:00`. */
const formatStep = (key: string): string => key.replace('T', ' ').replace('Z', '')

/** `01-31`, `09:00` or `2026-01`; midnight shows its day. */
const formatTick = (key: string): string =>
  key.length > 10 && !key.endsWith('T00:00Z') ? key.slice(11, 16) : key.length === 7 ? key : key.slice(5, 10)
