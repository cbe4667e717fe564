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

  /** Whether its outcome is recorded and only its file is left, as when its process was killed in between. Removes the file. */
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
      // The new owner may send it or have sent it, so only `confirmed` is certain.
      if (ownership === 'taken' && ending.state !== 'confirmed') throw takenOverError(record)
    }
    if (ending.state === 'in-doubt') {
      await open.replace(file, next)
      return next
    }
    await history.append(next).catch(async (error: unknown) => {
      // Nothing was done. If its file stayed open, resolving it would send it.
      if (ending.state === 'rejected' && generation === 0) await open.discard(record)
      throw error
    })
    await open.remove(file)
    return next
  }
}
