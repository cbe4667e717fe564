import type { Store } from '../../../../src/store/store.ts'

/** With the test's clock as the database's. */
export const clocked = (store: Store, now: () => Date): Store => ({
  ...store,
  transaction: (work, claiming) => store.transaction((tx) => work({ ...tx, startedAt: now() }), claiming),
  reading: (work) => store.reading((tx) => work({ ...tx, startedAt: now() })),
})
