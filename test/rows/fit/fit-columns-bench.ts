import { RECORDS } from '../../../src/commands/observability/template.ts'
import { fitColumns } from '../../../src/rows/fit/fit-columns.ts'
import { PLACEHOLDER } from '../../../src/rows/map/placeholder.ts'
import { readHeader, sampleRows } from '../../../src/rows/read/table.ts'

/** What the columns of records are fitted to, without what is left to the user. */
export const suggested = (text: string) => {
  const head = Buffer.from(text)
  const header = readHeader(head, 'Add a header.')
  const found = fitColumns(RECORDS, { names: header.names, rows: sampleRows(head, header) })
  const map = Object.fromEntries(Object.entries(found.map).filter(([, column]) => column !== PLACEHOLDER))
  return { ...found, map, notes: found.notes.join('\n') }
}
