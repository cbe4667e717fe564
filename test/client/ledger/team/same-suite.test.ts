import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest'
import type { TeamStore } from '../../../../src/client/ledger/team/store.ts'
import { hasPostgres, storeAt, teamDatabase } from './postgres.ts'
import { benchesOn } from '../ledger-bench.ts'
import { clocked } from './clocked.ts'

/** What holds for the ledger of one machine holds for a team's: the same tests, on a real PostgreSQL. */

const SUITES = ['ledger', 'repeats', 'overtaken', 'settle', 'reopen', 'limits-in-time']

describe.skipIf(!hasPostgres)('on PostgreSQL', async () => {
  let database: Awaited<ReturnType<typeof teamDatabase>>
  const stores: TeamStore[] = []
  beforeAll(async () => {
    database = await teamDatabase()
    benchesOn((now) => {
      const store = storeAt(database.url, { account: 'acme' })
      stores.push(store)
      return clocked(store, now)
    })
  })
  beforeEach(() => database.sql('TRUNCATE writes'))
  afterEach(() => {
    for (const store of stores.splice(0)) store.close()
  })
  afterAll(() => benchesOn(undefined))
  // A module of its own, which registers its tests here.
  for (const suite of SUITES) await import(`../${suite}.test.ts?on-postgres`)
})
