import { takenOverError } from './files/ledger-errors.ts'
import type { History } from './files/history.ts'
import type { OpenFile, OwnFile } from './files/open-files.ts'
import type { OpenFolder } from './files/open-folder.ts'
import { ended } from './files/record.ts'
import type { Ending, StoredRecord } from './files/record.ts'

export interface Settlements {
  readonly hasEnded: (file: OpenFile, id: string) => Promise<boolean>
  readonly settle: (file: OwnFile, ending: Ending) => Promise<StoredRecord>
}

/** Records outcomes: `in-doubt` in the open file, everything else in the history. */
export function createSettlement({
  open,
  history,
  now,
}: {
  readonly open: OpenFolder
  readonly history: History
  readonly now: () => Date
}): Settlements {
  return { hasEnded, settle }

  /** Whether the outcome is already recorded. If so, removes the open file, which a killed process leaves behind. */
  async function hasEnded(file: OpenFile, id: string): Promise<boolean> {
    if (!(await history.holds(id))) return false
    await open.remove(file)
    return true
  }

  async function settle(file: OwnFile, ending: Ending): Promise<StoredRecord> {
    const { record, generation } = file
    const next = ended(record, ending, now())
    const ownership = await open.ownership(file)
    if (ownership !== 'ours') {
      const end = (await hasEnded(file, record.id)) ? await history.find(record.id) : undefined
      if (end !== undefined) return end
      // The new owner may send the write again, so only `confirmed` is certain.
      if (ownership === 'taken' && ending.state !== 'confirmed') throw takenOverError(record)
    }
    if (ending.state === 'in-doubt') {
      await open.replace(file, next)
      return next
    }
    await history.append(next).catch(async (error: unknown) => {
      // The write was rejected. If the open file stayed, resolving it would send the write again.
      if (ending.state === 'rejected' && generation === 0) await open.discard(record)
      throw error
    })
    await open.remove(file)
    return next
  }
}
