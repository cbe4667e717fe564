import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { BeginOptions, Intent } from '../../src/ledger/port.ts'
import type { Disk } from '../../src/ledger/disk/disk.ts'
import { createLedger } from '../../src/ledger/ledger.ts'
import type { FileLedger } from '../../src/ledger/ledger.ts'
import type { Owner } from '../../src/ledger/files/owner.ts'
import { realDisk } from '../../src/ledger/disk/real-disk.ts'

/** Processes of one machine, or of several, that share a ledger's folder; they live and die as the test says. */
export interface LedgerBench {
  readonly folder: string
  readonly clock: { now: Date }
  readonly disk: Disk
  /** A ledger as a separate process has it. Each call is a new process unless it says which. */
  readonly process: (parts?: ProcessParts) => SimulatedProcess
  readonly kill: (process: SimulatedProcess) => void
  /** What is in `open/`. */
  readonly openNames: () => readonly string[]
  /** The lines of the history, oldest month first. */
  readonly lines: () => readonly string[]
  readonly waitMs: (ms: number) => void
}

export interface ProcessParts {
  readonly pid?: number
  /** undefined where the machine does not tell. */
  readonly startedAt?: string | undefined
  readonly machine?: string
  /** As of a container: it sees no process of another one. */
  readonly namespace?: string
  readonly disk?: Disk
}

export interface SimulatedProcess {
  readonly ledger: FileLedger
  readonly owner: Owner
}

export function createLedgerBench(
  parts: { readonly folder?: string; readonly disk?: Disk } = {},
): LedgerBench {
  const folder = parts.folder ?? join(mkdtempSync(join(tmpdir(), 'pay-ledger-')), 'ledger')
  if (parts.folder === undefined)
    onTestFinished(() => rmSync(join(folder, '..'), { recursive: true, force: true }))
  // What is lost without it is the matter of the simulation.
  const disk: Disk = parts.disk ?? { ...realDisk({ canSyncFolders: true }), sync: async () => {} }
  const clock = { now: new Date('2026-03-01T12:00:00.000Z') }
  const alive = new Map<string, Owner>()
  const keyOf = ({ machine, namespace }: Owner, pid: number) => `${machine} ${namespace} ${pid}`
  let started = 0
  let ids = 0
  return {
    folder,
    clock,
    disk,
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
        disk: identity.disk ?? disk,
        folder,
        now: () => clock.now,
        newId: () => {
          ids += 1
          return `op-${ids}`
        },
        processes: {
          own: () => owner,
          isAlive: (pid) => alive.has(keyOf(owner, pid)),
          startOf: (pid) => alive.get(keyOf(owner, pid))?.startedAt,
        },
        // All that the others can do without waiting is done by then.
        wait: () => new Promise((resolve) => setImmediate(resolve)),
        user: () => 'ana',
        version: '1.2.3',
      })
      return { ledger, owner }
    },
    kill: ({ owner }) => {
      alive.delete(keyOf(owner, owner.pid))
    },
    openNames: () => namesIn(join(folder, 'open')),
    lines: () =>
      namesIn(folder)
        .filter((name) => name.startsWith('history-'))
        .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
        .filter((line) => line !== ''),
    waitMs: (ms) => {
      clock.now = new Date(clock.now.getTime() + ms)
    },
  }
}

export const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return []
  }
}

export const REFUND: Intent = {
  operation: 'payment.refund',
  baseUrl: 'https://api.example.com',
  account: 'account-1',
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

export const refundOf = (name: string, more: Partial<Intent> = {}): Intent => ({
  ...REFUND,
  target: { kind: 'payment', name },
  ...more,
})

/** A new payment for an order, which another merchant may have of that name. */
export const ORDER: Intent = {
  ...REFUND,
  operation: 'payment.create',
  target: { kind: 'order', name: 'A-1' },
  fingerprint: 'payment of 500',
  request: undefined,
}

/** A write that is harmless to repeat. */
export const SESSION_UPDATE: Intent = {
  ...REFUND,
  operation: 'session.update',
  target: { kind: 'session', name: 'sha256:aa' },
  idempotencyKey: undefined,
  fingerprint: 'the same body',
  isRepeatable: true,
  request: undefined,
}

export const ONCE: BeginOptions = { mayRepeat: false, isTicket: false }
export const AGAIN: BeginOptions = { mayRepeat: true, isTicket: false }
export const TICKET: BeginOptions = { mayRepeat: false, isTicket: true }

export const DONE = { state: 'confirmed', exitCode: 0 } as const
export const REFUSED = { state: 'rejected', exitCode: 3 } as const
export const UNKNOWN = { state: 'in-doubt', exitCode: 10 } as const
