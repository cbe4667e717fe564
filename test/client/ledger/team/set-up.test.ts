import { expect, onTestFinished, test } from 'vitest'
import { makeTables } from '../../../../src/client/ledger/team/set-up.ts'
import { hasPostgres, storeAt, teamDatabase } from './postgres.ts'

test.skipIf(!hasPostgres)('processes that make the tables at once make one ledger', async () => {
  const { url } = await teamDatabase({ isEmpty: true })
  const made = await Promise.all(
    ['a', 'b', 'c', 'd'].map((id) => {
      const store = storeAt(url, { hasTables: false })
      onTestFinished(() => store.close())
      return makeTables(store, { newId: () => id, mayUpgrade: false })
    }),
  )
  expect(made.filter(({ isNew }) => isNew)).toHaveLength(1)
  expect(new Set(made.map(({ ledgerId }) => ledgerId)).size).toBe(1)
})
