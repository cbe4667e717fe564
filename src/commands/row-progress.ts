import type { Input } from '../rows/read/input.ts'
import type { Invocation } from '../cli/command/invocation.ts'
import { isOn } from '../cli/parse/settings.ts'
import { groupThousands } from '../text/words.ts'

/** Shows how far reading and sending rows is. */
export interface Progress {
  /** `share`: the part of the bytes read whose rows are done, from 0 to 1. */
  readonly show: (counts: ProgressCounts, share?: number) => void
  /** Prints a line above the progress. */
  readonly printAbove: (line: string) => void
  /** Tells that the service asked to wait. */
  readonly announceWait: (ms: number) => void
  readonly end: () => Promise<void>
}

interface ProgressCounts {
  readonly rows: number
  readonly failed?: number
  readonly unknown?: number
  /** Rows of a plan that can't be applied. */
  readonly refused?: number
  /** Rows that are not as planned. */
  readonly deviating?: number
}

const BAR_MS = 200
const LINE_MS = 5_000
const BAR_WIDTH = 20
/** The shortest wait that is worth a message. */
const LONG_WAIT_MS = 3_000
const CLEAR_LINE = '\r\u001B[2K'

/** Shows a progress bar on a terminal, a line every few seconds elsewhere, and nothing with -q. */
export function progressOn(
  { context, settings, warn, note }: Invocation,
  source: Pick<Input, 'size' | 'bytesRead'>,
): Progress {
  const { stderr, env } = context
  const isBar = stderr.isTTY && !settings.isQuiet && !isOn(env['CI']) && env['TERM'] !== 'dumb'
  let lastShownMs = context.now().getTime()
  let isDrawn = false
  let begin: Sample | undefined

  const clear = () => {
    if (isDrawn) void stderr.write(CLEAR_LINE)
    isDrawn = false
  }
  const printAbove = (line: string) => {
    clear()
    void warn(line)
  }
  return {
    show: (counts, share = 1) => {
      const nowMs = context.now().getTime()
      // Rows of an earlier run must not count towards the speed of this one.
      begin ??= { ms: lastShownMs, rows: counts.rows, bytes: source.bytesRead() * share }
      if (nowMs - lastShownMs < (isBar ? BAR_MS : LINE_MS)) return
      const now = { ms: nowMs, rows: counts.rows, bytes: source.bytesRead() * share }
      const range = { begin, now, size: source.size }
      lastShownMs = nowMs
      if (!isBar) {
        void note(progressLine(counts, { ...range, isBar: false }))
        return
      }
      // Some terminals report 0 columns.
      const width = (stderr.columns === undefined || stderr.columns < 20 ? 80 : stderr.columns) - 1
      const drawn = progressLine(counts, { ...range, isBar: true })
      const line = drawn.length > width ? progressLine(counts, { ...range, isBar: false }) : drawn
      void stderr.write(`${CLEAR_LINE}${line.slice(0, width)}`)
      isDrawn = true
    },
    printAbove,
    announceWait: (ms) => {
      if (ms >= LONG_WAIT_MS) printAbove(`The service asks to slow down. Waiting ${Math.ceil(ms / 1000)} s.`)
    },
    end: async () => {
      clear()
    },
  }
}

interface Sample {
  readonly ms: number
  readonly rows: number
  readonly bytes: number
}

/** `40 %  4,000 rows  800/s  0:07 left  3 failed`. */
function progressLine(
  { rows, failed = 0, unknown = 0, refused = 0, deviating = 0 }: ProgressCounts,
  range: {
    readonly begin: Sample
    readonly now: Sample
    readonly size: number | undefined
    readonly isBar: boolean
  },
): string {
  const { begin, now, size, isBar } = range
  const seconds = Math.max(0.001, (now.ms - begin.ms) / 1000)
  const share = size === undefined || size === 0 ? undefined : Math.min(1, now.bytes / size)
  const bytesPerSecond = (now.bytes - begin.bytes) / seconds
  const left = size === undefined || bytesPerSecond <= 0 ? undefined : (size - now.bytes) / bytesPerSecond
  return [
    ...(share === undefined ? [] : [isBar ? bar(share) : `${Math.floor(share * 100)} %`]),
    `${groupThousands(rows)} rows`,
    `${groupThousands(Math.round((now.rows - begin.rows) / seconds))}/s`,
    ...(left === undefined ? [] : [`${clock(left)} left`]),
    ...(failed === 0 ? [] : [`${groupThousands(failed)} failed`]),
    ...(unknown === 0 ? [] : [`${groupThousands(unknown)} unknown`]),
    ...(refused === 0 ? [] : [`${groupThousands(refused)} not ready`]),
    ...(deviating === 0 ? [] : [`${groupThousands(deviating)} not as planned`]),
  ].join('  ')
}

function bar(share: number): string {
  const full = Math.floor(share * BAR_WIDTH)
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${String(Math.floor(share * 100)).padStart(3)} %`
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')

function clock(seconds: number): string {
  const totalSeconds = Math.round(seconds)
  const [hours, minutes] = [Math.floor(totalSeconds / 3600), Math.floor((totalSeconds % 3600) / 60)]
  return hours > 0
    ? `${hours}:${twoDigits(minutes)}:${twoDigits(totalSeconds % 60)}`
    : `${minutes}:${twoDigits(totalSeconds % 60)}`
}
