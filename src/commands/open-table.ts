import { resolve } from 'node:path'
import { refusePlan } from '../rows/batch/file/plan-errors.ts'
import type { FieldSchema } from '../rows/map/field-schema.ts'
import type { Delimiter } from '../rows/read/csv.ts'
import { openFile, openStream } from '../rows/read/input.ts'
import type { Input } from '../rows/read/input.ts'
import type { CheckBody } from '../rows/read/ndjson.ts'
import { countedOtherwiseWords, openRows } from '../rows/read/open-rows.ts'
import type { OpenedRows } from '../rows/read/open-rows.ts'
import type { TableSettings } from '../rows/read/table-settings.ts'
import { refuseOtherFormats } from '../rows/read/workbook.ts'
import type { Invocation } from '../cli/command/invocation.ts'

export interface TableToOpen {
  readonly schema: FieldSchema
  readonly settings: TableSettings
  /** `-` for stdin. */
  readonly path: string
  /** Validates the body of a row in NDJSON. */
  readonly check: CheckBody
}

/**
 * Opens the rows of a file or of stdin. Aborting `end` closes stdin.
 * @throws {UsageError} if the file cannot be read as its settings say
 */
export const openTable = async (
  invocation: Invocation,
  { schema, settings, path, check }: TableToOpen,
  end?: AbortSignal,
): Promise<OpenedRows> => openRows(schema, settings, await openInput(invocation, path, end), check)

/** Reports how a file is read: the encoding and the delimiter that were recognized, and the columns that are ignored. */
export async function noteTable(
  invocation: Invocation,
  { encoding, delimiter, ignored, lacking, overruled, countedOtherwise, otherZone }: OpenedRows,
  { ignoredAre }: { readonly ignoredAre: string },
): Promise<void> {
  const text = encoding === 'UTF-8' ? '' : ` in ${encoding}`
  if (delimiter !== undefined)
    await invocation.note(`Reading CSV${text} with ${delimiterName(delimiter)} as delimiters.`)
  else if (text !== '') await invocation.note(`Reading NDJSON${text}.`)
  if (overruled !== undefined)
    await invocation.warn(
      invocation.cleanText(`"${overruled}" names minor units, and is read in major units as --amounts says.`),
    )
  if (countedOtherwise.length > 0) await invocation.warn(countedOtherwiseWords(countedOtherwise))
  if (otherZone !== undefined)
    await invocation.warn(
      invocation.cleanText(
        `Rows name another time zone than the one they are read in, such as ${JSON.stringify(otherZone)}: add --timezone-column if it is that of their times.`,
      ),
    )
  if (lacking.length > 0)
    await invocation.warn(invocation.cleanText(`Fields without their column: ${formatColumnList(lacking)}.`))
  if (ignored.length > 0)
    await invocation.warn(invocation.cleanText(`${ignoredAre}: ${formatColumnList(ignored)}.`))
}

const DELIMITER_NAMES: ReadonlyMap<Delimiter, string> = new Map([
  [',', 'commas'],
  [';', 'semicolons'],
  ['\t', 'tabs'],
])
const delimiterName = (delimiter: Delimiter): string => DELIMITER_NAMES.get(delimiter) ?? `"${delimiter}"`

/** Opens a file, or stdin for `-`. */
export async function openInput({ context }: Invocation, path: string, end?: AbortSignal): Promise<Input> {
  const displayName = path === '-' ? 'stdin' : path
  const input =
    path === '-'
      ? await openStream(context.stdin.chunks(end), displayName)
      : await openFile(resolve(context.cwd, path), displayName)
  refuseOtherFormats(input, displayName)
  refusePlan(input.head, displayName)
  return input
}

const MAX_LISTED_COLUMNS = 20

const formatColumnList = (names: readonly string[]): string =>
  names.length > MAX_LISTED_COLUMNS
    ? `${names.slice(0, MAX_LISTED_COLUMNS).join(', ')} and ${names.length - MAX_LISTED_COLUMNS} more`
    : names.join(', ')
