import type { PayError } from '../errors.ts'
import { inProgress } from './files/ledger-errors.ts'
import type { OpenFile } from './files/open-files.ts'
import { isAtWork, ownerVisibility } from './files/owner.ts'
import type { Owner, Processes } from './files/owner.ts'
import type { StoredRecord } from './files/record.ts'

export interface OwnerCheck {
  /** Whether a process is working on it. */
  readonly isBusy: (file: OpenFile) => boolean
  readonly isGone: (owner: Owner) => boolean
  /** Whether only its process's number is known, which may belong to another program by now. */
  readonly isPidOnly: (file: OpenFile) => boolean
  /** The error for a file whose process is still running. */
  readonly busy: (file: OpenFile, record: StoredRecord) => PayError
}

/** Whether the process that owns an open record is still running. */
export function createOwnerCheck({
  processes,
  now,
}: {
  readonly processes: Processes
  readonly now: () => Date
}): OwnerCheck {
  const visibilityOf = ({ owner }: OpenFile) =>
    owner === undefined ? undefined : ownerVisibility(owner, processes)

  return {
    isBusy(file) {
      const { record, owner } = file
      if (record === undefined || owner === undefined) return false
      if (file.generation === 0 && record.state !== 'sending') return false
      const since = file.since ?? record.updatedAt
      return isAtWork(owner, new Date(since).getTime(), now().getTime(), processes)
    },
    isGone: (owner) => !isAtWork(owner, now().getTime(), now().getTime(), processes),
    isPidOnly: (file) => visibilityOf(file) === 'pid-only',
    busy: (file, record) =>
      inProgress(record, { owner: file.owner, visibility: visibilityOf(file), now: now() }),
  }
}
