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
