import type { Counts } from '../../bulk/counts.ts'
import type { Input } from '../../bulk/input.ts'
import type { Invocation } from '../../cli/invocation.ts'

const BAR_MS = 200
const LINE_MS = 5_000
const BAR_WIDTH = 20

/** How far it is: a bar that is drawn anew on a terminal, a plain line every few seconds elsewhere, nothing with -q. */
export function progressOn({ context, settings, isInteractive, note }: Invocation, source: Input) {
  const { stderr } = context
  const isBar = isInteractive && !settings.isQuiet
  const startedMs = context.now().getTime()
  const startBytes = source.bytesRead()
  let shownMs = startedMs
  let firstRows: number | undefined

  const facts = (counts: Counts, nowMs: number): string => {
    firstRows ??= counts.rows
    const seconds = Math.max(0.001, (nowMs - startedMs) / 1000)
    const rate = Math.round((counts.rows - firstRows) / seconds)
    const share =
      source.size === undefined || source.size === 0 ? undefined : source.bytesRead() / source.size
    const bytesPerSecond = (source.bytesRead() - startBytes) / seconds
    const left =
      share === undefined || bytesPerSecond === 0 || source.size === undefined
        ? undefined
        : (source.size - source.bytesRead()) / bytesPerSecond
    const bad = counts.failed + counts.unknown
    return [
      ...(share === undefined ? [] : [isBar ? bar(share) : `${Math.floor(share * 100)} %`]),
      `${grouped(counts.rows)} rows`,
      `${grouped(rate)}/s`,
      ...(left === undefined ? [] : [`${clock(left)} left`]),
      ...(bad === 0 ? [] : [`${counts.failed} failed, ${counts.unknown} unknown`]),
    ].join('  ')
  }

  return {
    show: (counts: Counts) => {
      const nowMs = context.now().getTime()
      if (nowMs - shownMs < (isBar ? BAR_MS : LINE_MS)) return
      shownMs = nowMs
      if (isBar) void stderr.write(`\r\u001B[2K${facts(counts, nowMs).slice(0, (stderr.columns ?? 80) - 1)}`)
      else void note(facts(counts, nowMs))
    },
    end: async () => {
      if (isBar) await stderr.write('\r\u001B[2K')
    },
  }
}

function bar(share: number): string {
  const full = Math.min(BAR_WIDTH, Math.floor(share * BAR_WIDTH))
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${String(Math.floor(share * 100)).padStart(3)} %`
}

/** Not by Intl, which takes 50 ms to begin with. */
const grouped = (number: number): string => String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

const two = (number: number): string => String(number).padStart(2, '0')

function clock(seconds: number): string {
  const whole = Math.round(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
