import { createExternalPayment } from '../../../api/operations/observability.ts'
import type { CheckBody } from '../../../bulk/read/ndjson.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { checkBody } from '../../../cli/request/validate.ts'
import { RECORD } from '../../../import/record-fields.ts'
import type { ImportSettings } from '../../../import/settings.ts'
import type { ImportSource } from '../../../import/source.ts'
import { noteTable, openTable } from '../../open-table.ts'

/** Opens the input, and notes the delimiter and the ignored columns. Aborting `end` closes stdin. */
export async function openImportSource(
  invocation: Invocation,
  settings: ImportSettings,
  end: AbortSignal,
): Promise<ImportSource> {
  const opened = await openTable(invocation, tableOf(settings), end)
  await noteTable(invocation, opened, { ignoredAre: 'Columns that are not imported' })
  return opened.rows
}

/** Opens the same file again, without repeating the notes. */
export const reopenImportSource = async (
  invocation: Invocation,
  settings: ImportSettings,
): Promise<ImportSource> => (await openTable(invocation, tableOf(settings))).rows

const checkRecord: CheckBody = (body) => checkBody(createExternalPayment, body)

const tableOf = (settings: ImportSettings) => ({
  schema: RECORD,
  settings,
  path: settings.path,
  check: checkRecord,
})
