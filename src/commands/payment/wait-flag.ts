import type { FlagSpec } from '../../cli/spec.ts'

export const WAIT_FLAG = {
  kind: 'text',
  value: 'DURATION',
  help: 'How long at most, such as 30s or 10m (default 2m)',
} as const satisfies FlagSpec
