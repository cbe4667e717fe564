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

  /** Its end is recorded, and only its file was left: as by a process that was killed between the two. */
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
      // Whoever has it may send it, or have sent it: only what was done is known for certain.
      if (ownership === 'taken' && ending.state !== 'confirmed') throw takenOverError(record)
    }
    if (ending.state === 'in-doubt') {
      await open.replace(file, next)
      return next
    }
    await history.append(next).catch(async (error: unknown) => {
      // Nothing was done. Left open since that could not be written down, it would be sent by whoever clears up.
      if (ending.state === 'rejected' && generation === 0) await open.discard(record)
      throw error
    })
    await open.remove(file)
    return next
  }
}
