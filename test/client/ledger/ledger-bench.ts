import type { BeginOptions, Write } from '../../../src/client/ledger/port.ts'
import { createLedger } from '../../../src/client/ledger/ledger.ts'
import type { WholeLedger } from '../../../src/client/ledger/ledger.ts'
import { ledgerPath } from '../../../src/client/ledger/ledger-file.ts'
import type { Owner } from '../../../src/client/ledger/owner.ts'
import type { StoredRecord } from '../../../src/client/ledger/record.ts'
import type { Store } from '../../../src/store/store.ts'
import { readRow } from '../../../src/client/ledger/entry.ts'
import { recordsIn, testStore } from '../../support/ledger-rows.ts'
import { newFolder } from '../../support/folder.ts'

/** Processes of one machine, or of several, that share a ledger's file; they live and die as the test says. */
export interface LedgerBench {
  /** The ledger's file is in here. */
  readonly folder: string
  readonly clock: { now: Date }
  /** A ledger as a separate process has it. Each call is a new process unless it says which. */
  readonly process: (parts?: ProcessParts) => SimulatedProcess
  readonly kill: (process: SimulatedProcess) => void
  /** Every record, first begun first. */
  readonly records: () => Promise<readonly StoredRecord[]>
  /** The open ones of them. */
  readonly open: () => Promise<readonly StoredRecord[]>
  /** The database as a process of its own has it. */
  readonly store: () => Store
  readonly waitMs: (ms: number) => void
}

export interface ProcessParts {
  readonly pid?: number
  /** undefined where the machine does not tell. */
  readonly startedAt?: string | undefined
  readonly machine?: string
  /** As of a container: it sees no process of another one. */
  readonly namespace?: string
  readonly store?: Store
}

export interface SimulatedProcess {
  readonly ledger: WholeLedger
  readonly owner: Owner
}

/** How far the clock of the team's database is ahead. */
const AHEAD_MS = 3 * 60_000
/** Of a write whose attempt may take half a minute. */
const LEASE_MS = 61_000

type OpenStore = (now: () => Date) => Store
let openPostgres: OpenStore | undefined

/** From here on, benches are on a team's database, which has the clock that is given; undefined for files again. */
export function benchesOn(open: OpenStore | undefined): void {
  openPostgres = open
}

export function createLedgerBench(
  parts: { readonly folder?: string; readonly idsAfter?: number } = {},
): LedgerBench {
  const folder = parts.folder ?? newFolder()
  const clock = { now: new Date('2026-03-01T12:00:00.000Z') }
  const alive = new Map<string, Owner>()
  const keyOf = ({ machine, namespace }: Owner, pid: number) => `${machine} ${namespace} ${pid}`
  let started = 0
  let ids = parts.idsAfter ?? 0
  const onPostgres = openPostgres
  const store = () =>
    onPostgres?.(() => new Date(clock.now.getTime() + AHEAD_MS)) ?? testStore(ledgerPath(folder))
  const records = async () =>
    onPostgres === undefined
      ? recordsIn(folder)
      : store().reading(async (tx) =>
          (await tx.all('SELECT * FROM writes ORDER BY place'))
            .map(readRow)
            .flatMap((row) => (row.kind === 'entry' ? [row.entry.record] : [])),
        )
  const waitMs = (ms: number): void => {
    clock.now = new Date(clock.now.getTime() + ms)
  }
  return {
    folder,
    clock,
    process: (identity = {}) => {
      started += 1
      const owner: Owner = {
        pid: identity.pid ?? 1_000 + started,
        startedAt: 'startedAt' in identity ? identity.startedAt : `boot-${started}`,
        machine: identity.machine ?? 'desk',
        ...(identity.namespace === undefined ? {} : { namespace: identity.namespace }),
      }
      alive.set(keyOf(owner, owner.pid), owner)
      const ledger = createLedger({
        store: identity.store ?? store(),
        team: onPostgres === undefined ? undefined : { url: '', account: 'acme' },
        now: () => clock.now,
        monotonicMs: () => clock.now.getTime(),
        clocks: () => ({ wallMs: clock.now.getTime(), machine: owner.machine }),
        newId: () => {
          ids += 1
          return `op-${ids}`
        },
        processes: {
          own: () => owner,
          isAlive: (pid) => alive.has(keyOf(owner, pid)),
          startOf: (pid) => alive.get(keyOf(owner, pid))?.startedAt,
        },
        user: () => 'ana',
        version: '1.2.3',
      })
      return { ledger, owner }
    },
    kill: ({ owner }) => {
      alive.delete(keyOf(owner, owner.pid))
      // In a team's ledger, its lease alone decides.
      if (onPostgres !== undefined) waitMs(LEASE_MS)
    },
    store,
    records,
    open: async () => (await records()).filter(({ state }) => state === 'sending' || state === 'in-doubt'),
    waitMs,
  }
}

export const REFUND: Write = {
  operation: 'payment.refund',
  baseUrl: 'https://api.example.com',
  apiKeyId: 'account-1',
  profile: 'shop',
  mode: 'live',
  apiVersion: '2.1',
  target: { kind: 'payment', name: 'p1' },
  amount: 500,
  currencyCode: 'EUR',
  idempotencyKey: 'key-1',
  reason: undefined,
  fingerprint: 'refund of 500',
  isRepeatable: false,
  request: { params: { id: 'p1' }, body: '{"amount":500}' },
  before: undefined,
}

export const refundOf = (name: string, more: Partial<Write> = {}): Write => ({
  ...REFUND,
  target: { kind: 'payment', name },
  ...more,
})

/** A new payment for an order, which another merchant may have of that name. */
export const ORDER: Write = {
  ...REFUND,
  operation: 'payment.create',
  target: { kind: 'order', name: 'A-1' },
  fingerprint: 'payment of 500',
  request: undefined,
}

/** A write that is harmless to repeat. */
export const SESSION_UPDATE: Write = {
  ...REFUND,
  operation: 'session.update',
  target: { kind: 'session', name: 'sha256:aa' },
  idempotencyKey: undefined,
  fingerprint: 'the same body',
  isRepeatable: true,
  request: undefined,
}

export const ONCE: BeginOptions = { mayRepeat: false, isTicket: false, timeoutMs: 30_000 }
export const AGAIN: BeginOptions = { mayRepeat: true, isTicket: false, timeoutMs: 30_000 }
export const TICKET: BeginOptions = { mayRepeat: false, isTicket: true, timeoutMs: 30_000 }

export const DONE = { state: 'confirmed', exitCode: 0 } as const
export const REFUSED = { state: 'rejected', exitCode: 3 } as const
export const UNKNOWN = { state: 'in-doubt', exitCode: 10 } as const
