import { textFlag } from '../../../cli/command/input.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import type { FlagSpec } from '../../../cli/command/flags.ts'
import { parseDuration } from '../../../duration.ts'

export const WAIT_FLAG = {
  kind: 'text',
  value: 'DURATION',
  help: 'How long at most, such as 30s or 10m (default 2m)',
} as const satisfies FlagSpec

const DEFAULT_WAIT = '2m'

/** The text is what is said of it afterwards. */
export function readPatience({ input }: Invocation): { readonly text: string; readonly forMs: number } {
  const text = textFlag(input, 'for') ?? DEFAULT_WAIT
  return { text, forMs: parseDuration(text, '--for') }
}
