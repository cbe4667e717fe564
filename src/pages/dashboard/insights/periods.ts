/** From and to, as `GET /sandbox/insights` takes them: spans back from the sandbox's clock, or UTC days. */
export interface Span {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface Period {
  readonly span: Span
  /** The same length of time before it; undefined for a period without a beginning or an end. */
  readonly before: Span | undefined
  /** Such as `the 7 days before`. */
  readonly beforeName: string
  /** The steps of its chart. */
  readonly step: 'hour' | 'day'
}

const PRESETS = [
  { value: '24h', label: 'Last 24 hours', beforeName: 'the 24 hours before', step: 'hour' },
  { value: '7d', label: 'Last 7 days', beforeName: 'the 7 days before', step: 'day' },
  { value: '30d', label: 'Last 30 days', beforeName: 'the 30 days before', step: 'day' },
  { value: '90d', label: 'Last 90 days', beforeName: 'the 90 days before', step: 'day' },
] as const

const ALL_TIME = 'all'
export const CUSTOM = 'custom'

export const PERIOD_CHOICES = [
  { value: ALL_TIME, label: 'All time' },
  ...PRESETS.map(({ value, label }) => ({ value, label })),
  { value: CUSTOM, label: 'Custom days' },
]

/** The chosen period; all time if the address has none that it knows. */
export function readPeriod({
  period = ALL_TIME,
  from = '',
  to = '',
}: Readonly<Record<string, string>>): Period {
  const preset = PRESETS.find(({ value }) => value === period)
  if (preset !== undefined)
    return {
      span: { from: preset.value },
      before: { from: twice(preset.value), to: preset.value },
      ...preset,
    }
  const days = period === CUSTOM ? { from: readDay(from), to: readDay(to) } : {}
  const length = daysIn(days)
  return {
    span: days,
    before:
      length === undefined || length < 1 || days.from === undefined
        ? undefined
        : { from: addDays(days.from, -length), to: addDays(days.from, -1) },
    beforeName: length === 1 ? 'the day before' : `the ${length} days before`,
    step: length !== undefined && length <= 2 ? 'hour' : 'day',
  }
}

/** Doubles a span: `7d` is `14d`. */
const twice = (span: string): string => `${Number.parseInt(span, 10) * 2}${span.at(-1)}`

/** The text if it is a day in the calendar. */
const readDay = (text: string): string | undefined =>
  /^\d{4}-\d\d-\d\d$/.test(text) && addDays(text, 0) === text ? text : undefined

const DAY_MS = 86_400_000

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

function addDays(day: string, count: number): string | undefined {
  const time = new Date(startOf(day) + count * DAY_MS)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString().slice(0, 10)
}

/** The number of days, both ends included; negative if they are in the wrong order. */
function daysIn({ from, to }: Span): number | undefined {
  if (from === undefined || to === undefined) return undefined
  return (startOf(to) - startOf(from)) / DAY_MS + 1
}
