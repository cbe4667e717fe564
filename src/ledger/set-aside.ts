import type { Tx } from '../store/store.ts'
import { markOf, combined, readRow } from './entry.ts'
import { noSuchOperation } from './ledger-errors.ts'
import { idOf, isSameTally, openRows, readTally, tallyOf, writeTally } from './open-writes.ts'

/**
 * Moves a damaged record out of the way. It blocks nothing then, and stays in the file as it was.
 * @throws {PayError} exit 5 when there is no damaged record of that ID
 */
export async function setRecordAside(tx: Tx, id: string, now: Date): Promise<void> {
  const row = await tx.get('SELECT * FROM writes WHERE id = :id', { id })
  if (row === undefined || readRow(row).kind !== 'damaged') throw noSuchOperation(false, 'open')
  await tx.run('INSERT INTO set_aside(id, at, row) VALUES (:id, :at, :row)', {
    id,
    at: now.getTime(),
    row: JSON.stringify(row),
  })
  await tx.run('DELETE FROM writes WHERE id = :id', { id })
  const counted = await readTally(tx)
  const left = tallyOf((await openRows(tx)).map(idOf))
  // If it was open, or seemed to be ended because of the damage, the rest is what was counted without it.
  const without = { open: counted.open - 1, marks: combined(counted.marks, markOf(id)) }
  if (isSameTally(left, without)) await writeTally(tx, left)
}
