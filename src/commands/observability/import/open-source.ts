import type { OpenedRows } from '../../../rows/read/open-rows.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { checkRecord } from '../check-record.ts'
import { RECORD } from '../../../rows/import/record-fields.ts'
import type { ImportSettings } from '../../../rows/import/settings.ts'
import type { ImportSource } from '../../../rows/import/source.ts'
import { noteTable, openTable } from '../../open-table.ts'

/** Opens the input, and notes the delimiter and the ignored columns. Aborting `end` closes stdin. */
export async function openImportSource(
  invocation: Invocation,
  settings: ImportSettings,
  end: AbortSignal,
): Promise<ImportSource> {
  const opened = await openTable(invocation, tableOf(settings), end)
  await noteTable(invocation, opened, { ignoredAre: 'Columns that are not imported' })
  return sourceOf(opened)
}

/** Opens the same file again, without repeating the notes. */
export const reopenImportSource = async (
  invocation: Invocation,
  settings: ImportSettings,
): Promise<ImportSource> => sourceOf(await openTable(invocation, tableOf(settings)))

/** Rejects are UTF-8. A byte order mark says so where the input is not. */
function sourceOf({ rows, encoding }: OpenedRows): ImportSource {
  if (encoding === 'UTF-8') return rows
  return { ...rows, rejects: { ...rows.rejects, header: `\uFEFF${rows.rejects.header}` } }
}

const tableOf = (settings: ImportSettings) => ({
  schema: RECORD,
  settings,
  path: settings.path,
  check: checkRecord,
})
