import { setMaxListeners } from 'node:events'
import type { Invocation } from '../cli/command/invocation.ts'

/** Aborts on the first signal. */
export function haltOnInterrupt({ context }: Invocation): AbortController {
  const halt = new AbortController()
  // Every request in flight adds a listener.
  setMaxListeners(0, halt.signal)
  const { stop } = context.interruption
  if (stop.aborted) halt.abort()
  else stop.addEventListener('abort', () => halt.abort(), { once: true })
  return halt
}
