import { resolve } from 'node:path'
import { createExternalPayment } from '../../api/operations/observability.ts'
import type { Delimiter } from '../../bulk/read/csv.ts'
import { openFile, openStream } from '../../bulk/read/input.ts'
import type { Input } from '../../bulk/read/input.ts'
import { readNdjson } from '../../bulk/read/ndjson.ts'
import type { CheckRecord } from '../../bulk/read/ndjson.ts'
import { readTable } from '../../bulk/read/table.ts'
import type { Reading } from '../../bulk/read/table.ts'
import { createRowWarnings } from '../../bulk/map/row-warnings.ts'
import type { RowWarnings } from '../../bulk/map/row-warnings.ts'
import { refuseWorkbook } from '../../bulk/read/workbook.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { checkBody } from '../../cli/request/validate.ts'
import type { ImportSettings } from './import-settings.ts'

/** The input, opened and understood: what is read from it, and how. */
export interface ImportSource extends Reading {
  readonly input: Input
  /** The column that a field comes from, where there are columns. */
  readonly columnOf?: (field: string) => string | undefined
  /** What was odd about the rows that were read so far. */
  readonly rowWarnings: RowWarnings
  /** The same for two inputs that are read alike. */
  readonly reading: string
}

/** `end` closes stdin, where that is the input. */
export async function openSource(
  invocation: Invocation,
  settings: ImportSettings,
  end: AbortSignal,
): Promise<ImportSource> {
  const { source, notes, warnings } = sourceOf(settings, await openInput(invocation, settings.path, end))
  for (const line of notes) await invocation.note(line)
  for (const line of warnings) await invocation.warn(invocation.cleanWords(line))
  return source
}

/** The same file once more; what there is to say of it is said already. */
export const reopenSource = async (invocation: Invocation, settings: ImportSettings): Promise<ImportSource> =>
  sourceOf(settings, await openInput(invocation, settings.path)).source

interface Opened {
  readonly source: ImportSource
  readonly notes: readonly string[]
  readonly warnings: readonly string[]
}

function sourceOf(settings: ImportSettings, input: Input): Opened {
  const { words, amounts, assumesUtc } = settings
  const rowWarnings = createRowWarnings()
  if (settings.format === 'ndjson') {
    const rows = readNdjson(words, settings, checkRecord, rowWarnings)
    const reading = JSON.stringify(['ndjson', [...words.constants], amounts, assumesUtc])
    return { source: { input, ...rows, rowWarnings, reading }, notes: [], warnings: [] }
  }
  const { plan, header, ...table } = readTable(input.head, words, settings, rowWarnings)
  const columns = new Map(plan.fields.map(({ path, column }) => [path, plan.header[column ?? -1]]))
  return {
    source: {
      input,
      ...table,
      columnOf: (field) => columns.get(field),
      rowWarnings,
      reading: JSON.stringify(['csv', header.delimiter, plan.fields, amounts, assumesUtc]),
    },
    notes: [`Reading CSV with ${DELIMITER_NAMES[header.delimiter]}s as delimiters.`],
    warnings: plan.ignored.length === 0 ? [] : [`Columns that are not imported: ${listed(plan.ignored)}.`],
  }
}

const DELIMITER_NAMES: Readonly<Record<Delimiter, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
}

const checkRecord: CheckRecord = (body) => checkBody(createExternalPayment, body)

/** `-` is stdin. */
export async function openInput({ context }: Invocation, path: string, end?: AbortSignal): Promise<Input> {
  const shown = path === '-' ? 'stdin' : path
  const input =
    path === '-'
      ? await openStream(context.stdin.chunks(end), shown)
      : await openFile(resolve(context.cwd, path), shown)
  refuseWorkbook(input.head, shown)
  return input
}

const SHOWN = 20

const listed = (names: readonly string[]): string =>
  names.length > SHOWN
    ? `${names.slice(0, SHOWN).join(', ')} and ${names.length - SHOWN} more`
    : names.join(', ')
