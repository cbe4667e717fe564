import { textFlag } from '../../../cli/command/input.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import type { FlagSpec } from '../../../cli/command/flags.ts'
import { parseDuration } from '../../../text/duration.ts'

export const WAIT_TIMEOUT_FLAG = {
  kind: 'text',
  value: 'DURATION',
  help: 'Maximum time to wait, such as 30s or 10m (default 2m)',
} as const satisfies FlagSpec

const DEFAULT_WAIT = '2m'

/** Reads `--for`. `text` is the duration as typed, for messages. */
export function readWaitTimeout({ input }: Invocation): { readonly text: string; readonly forMs: number } {
  const text = textFlag(input, 'for') ?? DEFAULT_WAIT
  return { text, forMs: parseDuration(text, '--for') }
}
