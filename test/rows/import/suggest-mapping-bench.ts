import { readHeader, sampleRows } from '../../../src/rows/read/table.ts'
import { suggestMapping } from '../../../src/rows/import/suggest-mapping.ts'

export const suggested = (text: string) => {
  const head = Buffer.from(text)
  const header = readHeader(head, 'Add a header.')
  const found = suggestMapping({ names: header.names, rows: sampleRows(head, header) })
  const map = Object.fromEntries(found.suggestions.map(({ field, column }) => [field, column]))
  return { ...found, map, notes: found.notes.join('\n') }
}
