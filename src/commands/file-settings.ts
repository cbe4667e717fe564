import { textFlag } from '../cli/command/input.ts'
import type { CommandInput } from '../cli/command/input.ts'
import { parseCount } from '../cli/parse/count.ts'
import { MAX_TIMER_MS, parseDuration } from '../text/duration.ts'
import { DEFAULT_MAX_WAIT_MS } from '../rows/send/patience.ts'
import { UsageError } from '../errors.ts'
import type { FlagSpec } from '../cli/command/flags.ts'

/** How fast requests are sent. */
export const PACE_FLAGS = {
  concurrency: { kind: 'count', value: 'N', help: 'Concurrent requests; default: adapts to the service' },
  rate: { kind: 'text', value: 'N/s', help: 'At most this many requests per second' },
} as const satisfies Record<string, FlagSpec>

export const MAX_WAIT_FLAG = {
  kind: 'text',
  value: 'DURATION',
  help: 'Stop when no row ends for so long because the service asks to slow down (429); default: 5m',
} as const satisfies FlagSpec

export const MAX_FAILURES_FLAG = {
  kind: 'text',
  value: 'N|P%',
  help: 'Stop when more rows than this have failed',
} as const satisfies FlagSpec

/** How fast to send. */
export interface Pace {
  readonly concurrency: number | undefined
  /** Requests per second. */
  readonly rate: number | undefined
}

export const readPace = (input: CommandInput): Pace => ({
  concurrency: readConcurrency(textFlag(input, 'concurrency')),
  rate: readRate(textFlag(input, 'rate')),
})

function readConcurrency(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const count = parseCount(text, '--concurrency')
  if (count >= 1 && count <= 256) return count
  throw new UsageError(`--concurrency takes a number from 1 to 256, not "${text}"`, { code: 'bad_value' })
}

function readRate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const rate = /^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(text)?.[1]
  if (rate !== undefined && Number(rate) > 0) return Number(rate)
  throw new UsageError(`--rate takes requests per second, such as 50/s, not "${text}"`, { code: 'bad_value' })
}

/** How long a run waits for a service that asks to slow down. */
export function readMaxWaitMs(text: string | undefined): number {
  if (text === undefined) return DEFAULT_MAX_WAIT_MS
  const ms = parseDuration(text, '--max-wait')
  if (ms <= MAX_TIMER_MS) return ms
  throw new UsageError(`--max-wait takes at most 24d, not "${text}"`, { code: 'bad_duration' })
}

/** How many failed rows are too many: a count, or a share from 0 to 1. */
export type MaxFailures = { readonly count: number } | { readonly share: number }

export function readMaxFailures(text: string | undefined): MaxFailures | undefined {
  if (text === undefined) return undefined
  const share = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1]
  if (share !== undefined && Number(share) <= 100) return { share: Number(share) / 100 }
  if (/^\d{1,15}$/.test(text)) return { count: Number(text) }
  throw new UsageError(
    `--max-failures takes a number of rows or a share of them, such as 20 or 5%, not "${text}"`,
    {
      code: 'bad_value',
    },
  )
}
