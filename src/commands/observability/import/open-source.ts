import { resolve } from 'node:path'
import { createExternalPayment } from '../../../api/operations/observability.ts'
import type { Delimiter } from '../../../bulk/read/csv.ts'
import { openFile, openStream } from '../../../bulk/read/input.ts'
import type { Input } from '../../../bulk/read/input.ts'
import type { CheckBody } from '../../../bulk/read/ndjson.ts'
import { refuseWorkbook } from '../../../bulk/read/workbook.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { checkBody } from '../../../cli/request/validate.ts'
import type { ImportSettings } from '../../../import/settings.ts'
import { openSource } from '../../../import/source.ts'
import type { ImportSource } from '../../../import/source.ts'

/** Opens the input, and notes the delimiter and the ignored columns. Aborting `end` closes stdin. */
export async function openImportSource(
  invocation: Invocation,
  settings: ImportSettings,
  end: AbortSignal,
): Promise<ImportSource> {
  const input = await openInput(invocation, settings.path, end)
  const { source, delimiter, ignored } = openSource(settings, input, checkRecord)
  if (delimiter !== undefined)
    await invocation.note(`Reading CSV with ${DELIMITER_NAMES[delimiter]}s as delimiters.`)
  if (ignored.length > 0)
    await invocation.warn(
      invocation.cleanText(`Columns that are not imported: ${formatColumnList(ignored)}.`),
    )
  return source
}

/** Opens the same file again, without repeating the notes. */
export const reopenImportSource = async (
  invocation: Invocation,
  settings: ImportSettings,
): Promise<ImportSource> =>
  openSource(settings, await openInput(invocation, settings.path), checkRecord).source

const DELIMITER_NAMES: Readonly<Record<Delimiter, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
}

const checkRecord: CheckBody = (body) => checkBody(createExternalPayment, body)

/** `-` is stdin. */
export async function openInput({ context }: Invocation, path: string, end?: AbortSignal): Promise<Input> {
  const displayName = path === '-' ? 'stdin' : path
  const input =
    path === '-'
      ? await openStream(context.stdin.chunks(end), displayName)
      : await openFile(resolve(context.cwd, path), displayName)
  refuseWorkbook(input.head, displayName)
  return input
}

const MAX_LISTED_COLUMNS = 20

const formatColumnList = (names: readonly string[]): string =>
  names.length > MAX_LISTED_COLUMNS
    ? `${names.slice(0, MAX_LISTED_COLUMNS).join(', ')} and ${names.length - MAX_LISTED_COLUMNS} more`
    : names.join(', ')
