import type { PayError } from '../errors.ts'
import type { Entry } from './entry.ts'
import { inProgress } from './ledger-errors.ts'
import { isAtWork, ownerVisibility } from './owner.ts'
import type { Processes } from './owner.ts'

/** Whether the process that owns an open write is still working on it. */
export interface OwnerCheck {
  /** When in doubt, true, so that a person has to check. */
  readonly isBusy: (entry: Entry) => boolean
  /** Whether only its process's number is known, which may belong to another program by now. */
  readonly isPidOnly: (entry: Entry) => boolean
  /** The error for a write whose process is still running. */
  readonly busy: (entry: Entry) => PayError
}

export function createOwnerCheck({
  processes,
  now,
}: {
  readonly processes: Processes
  readonly now: () => Date
}): OwnerCheck {
  const visibilityOf = ({ owner }: Entry) =>
    owner === undefined ? undefined : ownerVisibility(owner, processes)

  return {
    isBusy: ({ owner, leaseUntilMs }) =>
      owner !== undefined &&
      isAtWork(owner, { untilMs: leaseUntilMs ?? 0, nowMs: now().getTime() }, processes),
    isPidOnly: (entry) => visibilityOf(entry) === 'pid-only',
    busy: (entry) =>
      inProgress(entry.record, { owner: entry.owner, visibility: visibilityOf(entry), now: now() }),
  }
}
