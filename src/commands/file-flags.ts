import type { FlagSpec } from '../cli/command/flags.ts'

/** How the rows of a file become fields. Read them with `file-settings.ts`. */
export const FILE_FLAGS = {
  format: {
    kind: 'text',
    value: 'FORMAT',
    choices: ['csv', 'ndjson'],
    help: 'csv or ndjson; default: from the file name',
  },
  map: { kind: 'texts', value: 'FIELD=COLUMN', help: 'Read a field from this column; repeatable' },
  const: {
    kind: 'texts',
    value: 'FIELD=VALUE',
    help: 'Set a field to this value in every row; repeatable',
  },
  mapping: { kind: 'text', value: 'FILE', from: 'file', help: 'Read --map and --const from a YAML file' },
  amounts: {
    kind: 'text',
    value: 'UNITS',
    choices: ['minor', 'major'],
    help: 'minor (default: 700) or major (7.00)',
  },
} as const satisfies Record<string, FlagSpec>

/** How fast requests are sent. */
export const PACE_FLAGS = {
  concurrency: { kind: 'count', value: 'N', help: 'Concurrent requests; default: adapts to the service' },
  rate: { kind: 'text', value: 'N/s', help: 'At most this many requests per second' },
} as const satisfies Record<string, FlagSpec>

export const MAX_FAILURES_FLAG = {
  kind: 'text',
  value: 'N|P%',
  help: 'Stop when more rows than this have failed',
} as const satisfies FlagSpec
