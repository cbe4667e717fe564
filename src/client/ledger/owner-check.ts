import type { PayError } from '../../errors.ts'
import type { Entry } from './entry.ts'
import { inProgress } from './ledger-errors.ts'
import { isAtWork, ownerVisibility } from './owner.ts'
import type { Processes } from './owner.ts'

/** Whether the process that owns an open write is still working on it. */
export interface OwnerCheck {
  /** Whether the process is at work. When in doubt, true, so that a person has to check. */
  readonly isBusy: (entry: Entry, now: Date) => boolean
  /** Whether only its process's number is known, which may belong to another program by now. */
  readonly isPidOnly: (entry: Entry) => boolean
  /** The error for a write whose process is still running. */
  readonly busy: (entry: Entry, now: Date) => PayError
}

/**
 * Checks the owners of writes. In a team's ledger, the lease alone decides: of most processes nothing else can be seen, and
 * one rule is for all.
 */
export function createOwnerCheck(processes: Processes, { isTeam }: { readonly isTeam: boolean }): OwnerCheck {
  const visibilityOf = ({ owner }: Entry) =>
    owner === undefined ? undefined : isTeam ? 'none' : ownerVisibility(owner, processes)

  return {
    isBusy: ({ owner, leaseUntilMs: untilMs = 0 }, now) => {
      const nowMs = now.getTime()
      if (owner === undefined) return false
      return isTeam ? nowMs < untilMs : isAtWork(owner, { untilMs, nowMs }, processes)
    },
    isPidOnly: (entry) => visibilityOf(entry) === 'pid-only',
    busy: (entry, now) =>
      inProgress(entry.record, {
        owner: entry.owner,
        visibility: visibilityOf(entry),
        now,
        leaseUntilMs: isTeam ? entry.leaseUntilMs : undefined,
      }),
  }
}
