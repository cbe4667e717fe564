import type { Store } from '../../../src/store/store.ts'

/** With the test's clock as the database's. */
export const clocked = (store: Store, now: () => Date): Store => ({
  transaction: (work, options) => store.transaction((tx) => work({ ...tx, startedAt: now() }), options),
  reading: (work) => store.reading((tx) => work({ ...tx, startedAt: now() })),
})
