import { useLayoutEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'

export interface ChartProps {
  /** What it shows, in a sentence for those who can't see it. */
  readonly label: string
  /** Seconds since 1970, in order. */
  readonly times: readonly number[]
  readonly bars: Line
  readonly line: Line
  /** `2026-01-31`, or with its hour, in UTC. */
  readonly formatTime: (seconds: number) => string
  /** The same, short enough for an axis. */
  readonly formatTick: (seconds: number) => string
}

interface Line {
  readonly name: string
  readonly values: readonly (number | null)[]
  readonly format: (value: number) => string
}

const HEIGHT = 240

/** Bars and a line over time, each with its own scale. Draws again for another theme or width. */
export function Chart(props: ChartProps) {
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    let plot: uPlot | undefined
    const draw = () => {
      plot?.destroy()
      plot = new uPlot(optionsFor(props, element), dataOf(props), element)
    }
    draw()
    const theme = window.matchMedia('(prefers-color-scheme: dark)')
    theme.addEventListener('change', draw)
    const sizes = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }))
    sizes.observe(element)
    return () => {
      theme.removeEventListener('change', draw)
      sizes.disconnect()
      plot?.destroy()
    }
  }, [props.times, props.bars.values, props.line.values])
  return <div ref={frame} class="chart" role="img" aria-label={props.label} />
}

const dataOf = ({ times, bars, line }: ChartProps): uPlot.AlignedData => [
  [...times],
  [...bars.values],
  [...line.values],
]

function optionsFor(
  { times, bars, line, formatTime, formatTick }: ChartProps,
  element: HTMLElement,
): uPlot.Options {
  const style = getComputedStyle(element)
  const color = (name: string) => style.getPropertyValue(`--chart-${name}`)
  const axis = { stroke: color('text'), grid: { stroke: color('grid'), width: 1 }, ticks: { show: false } }
  const scaleAxis = (scale: string, { format }: Line, side: number): uPlot.Axis => ({
    ...axis,
    scale,
    side,
    grid: side === LEFT ? axis.grid : { show: false },
    size: (_plot, values) => 14 + 7 * Math.max(3, ...(values ?? []).map((value) => value.length)),
    values: (_plot, splits) => splits.map((split) => format(split)),
  })
  return {
    width: element.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    cursor: { y: false, drag: { setScale: false } },
    scales: { x: { range: withMargin(times) }, count: { range: fromZero }, volume: { range: fromZero } },
    axes: [
      { ...axis, ...ticksFor(times), size: 32, values: (_plot, splits) => splits.map(formatTick) },
      scaleAxis('count', bars, LEFT),
      scaleAxis('volume', line, RIGHT),
    ],
    series: [
      { label: 'Time (UTC)', value: (_plot, value) => (value === null ? '' : formatTime(value)) },
      {
        label: bars.name,
        scale: 'count',
        fill: color('bars'),
        points: { show: false },
        ...(uPlot.paths.bars === undefined ? {} : { paths: uPlot.paths.bars({ size: [0.7, 40] }) }),
        value: (_plot, value) => (value === null ? '' : bars.format(value)),
      },
      {
        label: line.name,
        scale: 'volume',
        stroke: color('line'),
        width: 2,
        value: (_plot, value) => (value === null ? '' : line.format(value)),
      },
    ],
  }
}

const LEFT = 3
const RIGHT = 1
/** Room for half a bar at both ends. */
function withMargin(times: readonly number[]): uPlot.Range.MinMax {
  const [first = 0, last = first] = [times[0], times.at(-1)]
  const step = (times[1] ?? first + HOUR_SECONDS) - first
  return [first - step * 0.6, last + step * 0.6]
}

const HOUR_SECONDS = 3600
const DAY_SECONDS = 24 * HOUR_SECONDS
const TICK_STEPS = [
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_SECONDS),
  ...[1, 2, 7, 14, 30, 90, 365].map((days) => days * DAY_SECONDS),
]

/** Ticks no closer than the bars, so that no label repeats. */
function ticksFor(times: readonly number[]): Pick<uPlot.Axis, 'splits' | 'incrs'> {
  const [first = 0, second] = times
  if (second === undefined) return { splits: () => [...times] }
  return { incrs: TICK_STEPS.filter((step) => step >= second - first) }
}

/** Bars that don't start at 0 would exaggerate differences. */
const fromZero = (_plot: uPlot, _least: number, most: number): uPlot.Range.MinMax => [
  0,
  Math.max(1, most * 1.08),
]
