import { UsageError } from '../../../errors.ts'
import type { Fault, FaultStore, NewFault } from '../../faults/fault.ts'
import { numberIn } from '../../../store/database.ts'
import type { Database, Row } from '../../../store/database.ts'
import { hasTexts, readDocument, writeDocument } from './document.ts'

const isNewFault = hasTexts<NewFault>('on', 'do')

function toFault(row: Row): readonly Fault[] {
  const fault = readDocument(row, isNewFault)
  if (fault === undefined) return []
  const [id, matched, fired] = [numberIn(row, 'id'), numberIn(row, 'matched'), numberIn(row, 'fired')]
  return [{ id, ...fault, matched, fired }]
}

/** Every request is compared with all of them. */
const MAX_FAULTS = 100

const tooMany = () =>
  new UsageError(`The limit of ${MAX_FAULTS} faults is reached`, {
    code: 'too_many_faults',
    hint: 'Clear them first: pay sandbox faults clear',
    outcome: 'none',
  })

export const faultsIn = (database: Database): FaultStore => ({
  any: (): boolean => database.get('SELECT 1 FROM faults LIMIT 1') !== undefined,
  list: (): readonly Fault[] =>
    database.all('SELECT id, doc, matched, fired FROM faults ORDER BY id').flatMap(toFault),
  add: (fault: NewFault): Fault => {
    if (numberIn(database.get('SELECT count(*) AS many FROM faults'), 'many') >= MAX_FAULTS) throw tooMany()
    const row = database.get('INSERT INTO faults (doc) VALUES (?) RETURNING id', writeDocument(fault))
    return { id: numberIn(row, 'id'), ...fault, matched: 0, fired: 0 }
  },
  count: (id: number, fired: boolean): void =>
    void database.run(
      'UPDATE faults SET matched = matched + 1, fired = fired + ? WHERE id = ?',
      fired ? 1 : 0,
      id,
    ),
  clear: (): number => database.run('DELETE FROM faults'),
})
