import { afterEach, beforeEach } from 'vitest'
import { createBench } from './run-pay.ts'
import type { Bench } from './run-pay.ts'
import { storeProfile } from './stored-profile.ts'
import type { ProfileToStore } from './stored-profile.ts'

/** A new bench for each test of a file, removed after it, if wanted with a stored profile. */
export function useBench(profile?: ProfileToStore): Bench {
  let bench: Bench
  beforeEach(async () => {
    bench = createBench()
    if (profile !== undefined) await storeProfile(bench, profile)
  })
  afterEach(() => bench.dispose())
  return {
    runPay: (words, options) => bench.runPay(words, options),
    get folder() {
      return bench.folder
    },
    get configFolder() {
      return bench.configFolder
    },
    get stateFolder() {
      return bench.stateFolder
    },
    get clock() {
      return bench.clock
    },
    get waits() {
      return bench.waits
    },
    dispose: () => bench.dispose(),
  }
}
