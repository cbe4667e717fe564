import { afterEach, beforeEach } from 'vitest'
import { createBench } from './run-pay.ts'
import type { Bench } from './run-pay.ts'

/** A new bench for each test of a file, removed after it. */
export function useBench(): Bench {
  let bench: Bench
  beforeEach(() => {
    bench = createBench()
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
