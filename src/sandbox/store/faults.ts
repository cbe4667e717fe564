import type { Fault, NewFault } from '../faults/fault.ts'
import { numberIn } from '../database.ts'
import type { Database, Row } from '../database.ts'
import { readDocument, writeDocument } from './document.ts'
import { isRecord } from '../../is-record.ts'

export interface Faults {
  any(): boolean
  /** In the order in which they were added. */
  list(): readonly Fault[]
  add(fault: NewFault): Fault
  /** Counts a request that the fault was on, and whether it met it. */
  count(id: number, fired: boolean): void
  /** How many there were. */
  clear(): number
}

const isNewFault = (value: unknown): value is NewFault =>
  isRecord(value) && typeof value['on'] === 'string' && typeof value['do'] === 'string'

function toFault(row: Row): readonly Fault[] {
  const fault = readDocument(row, isNewFault)
  if (fault === undefined) return []
  const [id, matched, fired] = [numberIn(row, 'id'), numberIn(row, 'matched'), numberIn(row, 'fired')]
  return [{ id, ...fault, matched, fired }]
}

export const faultsIn = (database: Database): Faults => ({
  any: () => database.get('SELECT 1 FROM faults LIMIT 1') !== undefined,
  list: () => database.all('SELECT id, doc, matched, fired FROM faults ORDER BY id').flatMap(toFault),
  add: (fault) => {
    const row = database.get('INSERT INTO faults (doc) VALUES (?) RETURNING id', writeDocument(fault))
    return { id: numberIn(row, 'id'), ...fault, matched: 0, fired: 0 }
  },
  count: (id, fired) => {
    database.run('UPDATE faults SET matched = matched + 1, fired = fired + ? WHERE id = ?', fired ? 1 : 0, id)
  },
  clear: () => database.run('DELETE FROM faults'),
})
