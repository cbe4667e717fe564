import type { KeptIntent } from '../intent.ts'
import type { ClientOptions, Resolution } from './call.ts'

/** What was under way when its sender died may arrive a moment later. */
const LATE_MS = 10_000

/** Waits until nothing of it can be on its way any longer; false when a signal ends the wait. */
export async function waitUntilLate(options: ClientOptions, kept: KeptIntent): Promise<boolean> {
  const { stop } = options.interruption
  const leftMs = kept.updatedAt.getTime() + LATE_MS - options.now().getTime()
  if (leftMs > 0) await options.sleep(Math.min(leftMs, LATE_MS), stop)
  return !stop.aborted
}

export const inDoubt = (words: string): Resolution => ({ kind: 'in-doubt', isAmbiguous: false, words })
export const ambiguous = (words: string): Resolution => ({
  kind: 'in-doubt',
  isAmbiguous: true,
  words: `Ambiguous. ${words}`,
})
