import { resolve } from 'node:path'
import type { Delimiter } from '../bulk/read/csv.ts'
import { openFile, openStream } from '../bulk/read/input.ts'
import type { Input } from '../bulk/read/input.ts'
import { refuseWorkbook } from '../bulk/read/workbook.ts'
import type { Invocation } from '../cli/command/invocation.ts'

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

/** Says how a table is read, and which of its columns are not. `participle`: what happens to the other columns. */
export async function noteColumns(
  invocation: Invocation,
  {
    delimiter,
    ignored,
    participle,
  }: {
    readonly delimiter: Delimiter | undefined
    readonly ignored: readonly string[]
    readonly participle: string
  },
): Promise<void> {
  if (delimiter !== undefined)
    await invocation.note(`Reading CSV with ${DELIMITER_NAMES[delimiter]}s as delimiters.`)
  if (ignored.length > 0)
    await invocation.warn(
      invocation.cleanText(`Columns that are not ${participle}: ${formatColumnList(ignored)}.`),
    )
}

const DELIMITER_NAMES: Readonly<Record<Delimiter, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
}

const MAX_LISTED_COLUMNS = 20

const formatColumnList = (names: readonly string[]): string =>
  names.length > MAX_LISTED_COLUMNS
    ? `${names.slice(0, MAX_LISTED_COLUMNS).join(', ')} and ${names.length - MAX_LISTED_COLUMNS} more`
    : names.join(', ')
