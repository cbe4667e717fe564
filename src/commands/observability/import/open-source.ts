import { createExternalPayment } from '../../../api/operations/observability.ts'
import type { CheckBody } from '../../../bulk/read/ndjson.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { checkBody } from '../../../cli/request/validate.ts'
import type { ImportSettings } from '../../../import/settings.ts'
import { openSource } from '../../../import/source.ts'
import type { ImportSource } from '../../../import/source.ts'
import { noteColumns, openInput } from '../../open-input.ts'

/** Opens the input, and notes the delimiter and the ignored columns. Aborting `end` closes stdin. */
export async function openImportSource(
  invocation: Invocation,
  settings: ImportSettings,
  end: AbortSignal,
): Promise<ImportSource> {
  const input = await openInput(invocation, settings.path, end)
  const { source, delimiter, ignored } = openSource(settings, input, checkRecord)
  await noteColumns(invocation, { delimiter, ignored, participle: 'imported' })
  return source
}

/** Opens the same file again, without repeating the notes. */
export const reopenImportSource = async (
  invocation: Invocation,
  settings: ImportSettings,
): Promise<ImportSource> =>
  openSource(settings, await openInput(invocation, settings.path), checkRecord).source

const checkRecord: CheckBody = (body) => checkBody(createExternalPayment, body)
