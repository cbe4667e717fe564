import type { Faults } from '../database/store/faults.ts'
import type { Fault } from './fault.ts'
import { isOn } from './pattern.ts'

/** The fault that a request meets, if any; every fault that was on it up to there has counted it. */
export function meetFault(faults: Faults, method: string, path: string): Fault | undefined {
  for (const fault of faults.list()) {
    if (!isOn(fault.on, method, path)) continue
    const fires = isMet(fault)
    faults.count(fault.id, fires)
    if (fires) return fault
  }
  return undefined
}

function isMet({ matched, fired, skip, times, seed, rate }: Fault): boolean {
  if (matched < skip || (times !== undefined && fired >= times)) return false
  return chance(seed, matched) < rate
}

/** From 0 up to 1: the same for the same seed and number, in every process (mulberry32). */
function chance(seed: number, number: number): number {
  let state = (seed + Math.imul(number + 1, 0x6d2b79f5)) | 0
  state = Math.imul(state ^ (state >>> 15), 1 | state)
  state ^= state + Math.imul(state ^ (state >>> 7), 61 | state)
  return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32
}
