import { createLedger } from '../../../../src/client/ledger/ledger.ts'
import { makeTables } from '../../../../src/client/ledger/team/set-up.ts'
import type { TeamStore, TeamStoreOptions } from '../../../../src/client/ledger/team/store.ts'
import type { Store } from '../../../../src/store/store.ts'
import { storeAt } from './postgres.ts'

/** Machines that share a team's ledger on a real PostgreSQL. */

let machines = 0

interface Machine {
  readonly account?: string
  /** What its clocks show: the wall clock, and one for durations. */
  readonly wallMs?: () => number
  readonly runMs?: () => number
}

/** The ledger as another machine has it. */
export function ledgerWith(
  store: Store,
  { account = 'acme', wallMs = Date.now, runMs = () => performance.now() }: Machine = {},
) {
  machines += 1
  const host = `desk-${machines}`
  let ids = 0
  return createLedger({
    store,
    team: { url: '', account },
    now: () => new Date(wallMs()),
    monotonicMs: runMs,
    clocks: () => ({ wallMs: wallMs(), machine: host }),
    newId: () => `${host}-${(ids += 1)}`,
    processes: {
      own: () => ({ pid: 1, startedAt: 'boot', machine: host }),
      isAlive: () => true,
      startOf: () => 'boot',
    },
    user: () => 'ana',
    version: '1.2.3',
  })
}

const stores: TeamStore[] = []

export function opened(url: string, options: Partial<TeamStoreOptions> = {}): TeamStore {
  const store = storeAt(url, options)
  stores.push(store)
  return store
}

export function closeStores(): void {
  for (const store of stores.splice(0)) store.close()
}

export const ledgerAt = (url: string, options: Partial<TeamStoreOptions> = {}) =>
  ledgerWith(opened(url, { account: 'acme', ...options }))

/** As `ledger init --upgrade`. */
export async function initAt(url: string) {
  const store = storeAt(url, { hasTables: false })
  try {
    return await makeTables(store, { newId: () => 'new', mayUpgrade: true })
  } finally {
    store.close()
  }
}

export const SCHEMA = { code: 'ledger_schema', exitCode: 2, details: { outcome: 'none' } } as const
