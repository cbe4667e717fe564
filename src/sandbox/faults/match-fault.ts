import type { Fault, FaultStore } from './fault.ts'
import { matchesPattern } from './pattern.ts'

/** The fault that a request meets, if any. Counts the request in every matching fault up to that one. */
export function matchFault(faults: FaultStore, method: string, path: string): Fault | undefined {
  for (const fault of faults.list()) {
    if (!matchesPattern(fault.on, method, path)) continue
    const isMet = isDue(fault)
    faults.count(fault.id, isMet)
    if (isMet) return fault
  }
  return undefined
}

function isDue({ matched, fired, skip, times, seed, rate }: Fault): boolean {
  if (matched < skip || (times !== undefined && fired >= times)) return false
  return randomFor(seed, matched) < rate
}

/** From 0 up to 1; the same for the same seed and number in every process (mulberry32). */
function randomFor(seed: number, number: number): number {
  let state = (seed + Math.imul(number + 1, 0x6d2b79f5)) | 0
  state = Math.imul(state ^ (state >>> 15), 1 | state)
  state ^= state + Math.imul(state ^ (state >>> 7), 61 | state)
  return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32
}
