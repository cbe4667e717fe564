import { textFlag } from '../../cli/input.ts'
import type { Invocation } from '../../cli/invocation.ts'
import { parseDuration } from '../../duration.ts'

const DEFAULT_WAIT = '2m'

/** The text is what is said of it afterwards. */
export function readPatience({ input }: Invocation): { readonly text: string; readonly forMs: number } {
  const text = textFlag(input, 'for') ?? DEFAULT_WAIT
  return { text, forMs: parseDuration(text, '--for') }
}
