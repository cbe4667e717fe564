import type { Moment } from '../../src/client/ledger/moment.ts'
import type { HeldWrite } from '../../src/client/ledger/port.ts'

export const MACHINE = 'test-machine'

/** The times of a write in the ledger: first sent at one moment, and last at another. */
export const timed = (
  first: Moment,
  { last = first, now = first, keySince = [] as readonly Moment[], timeoutMs = 30_000 } = {},
): Pick<HeldWrite, 'isFresh' | 'isKeyTaken' | 'timing' | 'now'> => ({
  isFresh: () => true,
  isKeyTaken: async () => false,
  timing: () => ({ first, last, keySince, timeoutMs }),
  now: () => now,
})
