import { parseJson, stringifyJson } from '../json/json.ts'
import { isJson, splitJsonItems, reformatJson } from '../json/reformat.ts'
import type { OutputFormat } from './output-format.ts'
import { safeJson, safeLines } from './safe-text.ts'
import type { RenderOptions, View } from './view.ts'

interface ResultToRender<Result> {
  readonly format: OutputFormat
  /** The response body as received. */
  readonly rawText: string
  /** The parsed response; undefined if it did not match the schema. */
  readonly result: Result | undefined
  readonly view: View<Result>
  /** A JMESPath expression. */
  readonly query?: string | undefined
  /** Called if the query selects nothing. */
  readonly onEmptyQuery?: (() => void) | undefined
  readonly options: RenderOptions
}

/**
 * The text for stdout: empty, or with one trailing line break. A body that is not JSON, or doesn't match the schema that the
 * format needs, is shown as it is, made safe for a terminal.
 * @throws {UsageError} for a query that is invalid or doesn't fit the response
 */
export async function renderResult<Result>(request: ResultToRender<Result>): Promise<string> {
  if (!isJson(request.rawText)) return withLineBreak(safeLines(request.rawText))
  const text =
    request.query === undefined
      ? await renderResponse(request)
      : await renderQuery(request, request.query, parseText(request.rawText))
  return withLineBreak(text)
}

/** The most entries that are indented. Longer lists get one per line: indenting takes twice the time and 50 % more space. */
const MAX_INDENTED_ENTRIES = 1_000

/** Like {@link renderResult}, of a list of our own with one line of JSON for each entry. Parses it only where that is needed. */
export async function renderLongList<Row>({
  format,
  lines,
  view,
  query,
  onEmptyQuery,
  options,
}: Pick<ResultToRender<readonly Row[]>, 'format' | 'view' | 'query' | 'onEmptyQuery' | 'options'> & {
  readonly lines: readonly string[]
}): Promise<string> {
  const parts = longListJsonOf(lines, { format, query })
  if (parts !== undefined) return [...parts].join('')
  if (format === 'json' && query === undefined)
    return withLineBreak(safeJson(reformatJson(`[${lines.join(',')}]`, 2)))
  const rows = lines.map((line): Row => JSON.parse(line))
  if (query !== undefined) return withLineBreak(await renderQuery({ format, onEmptyQuery }, query, rows))
  if (format === 'csv') {
    const { renderCsvColumns } = await import('./csv-text.ts')
    return renderCsvColumns(rows, view.csvColumns ?? [])
  }
  if (format === 'yaml') {
    const { renderYaml } = await import('./yaml-text.ts')
    return renderYaml(rows)
  }
  return withLineBreak(format === 'id' ? safeLines(view.ids(rows).join('\n')) : view.render(rows, options))
}

/** The JSON of a long list, one entry per line, part by part; undefined if it isn't long or asked for in another form. */
export function longListJsonOf(
  lines: readonly string[],
  { format, query }: Pick<ResultToRender<unknown>, 'format' | 'query'>,
): Iterable<string> | undefined {
  if (query !== undefined) return undefined
  if (format === 'ndjson') return jsonParts('', lines, lines.length === 0 ? '' : '\n')
  return format === 'json' && lines.length > MAX_INDENTED_ENTRIES
    ? jsonParts('[\n', lines, '\n]\n', ',')
    : undefined
}

/** A result of our own with a list that may be very long. */
export interface LongObject {
  /** The fields before the list. */
  readonly head: object
  /** The field of the list. */
  readonly key: string
  readonly length: number
  /** Each entry as one line of JSON. Called once. */
  readonly jsonLines: () => Iterable<string>
}

/** Like {@link renderResult}. A table needs no JSON. */
export async function renderLongObject<Result>(
  object: LongObject,
  request: Omit<ResultToRender<Result>, 'rawText'>,
): Promise<string> {
  const { format, query, result, view, options } = request
  if (format === 'table' && query === undefined && result !== undefined)
    return withLineBreak(view.render(result, options))
  return renderResult({ ...request, rawText: [...objectParts(object)].join('') })
}

/** As {@link longListJsonOf}. */
export const longJsonOf = (
  object: LongObject,
  { format, query }: Pick<ResultToRender<unknown>, 'format' | 'query'>,
): Iterable<string> | undefined =>
  format === 'json' && query === undefined && object.length > MAX_INDENTED_ENTRIES
    ? objectParts(object)
    : undefined

/** The most rows that are CSV in one part. */
const ROWS_OF_PART = 1_000

/** As {@link longListJsonOf}, and CSV: rows are parsed a part at a time, so that a long list isn't kept in two forms. */
export const longListParts = (
  lines: readonly string[],
  columns: readonly string[],
  { format, query }: Pick<ResultToRender<unknown>, 'format' | 'query'>,
): Iterable<string> | AsyncIterable<string> | undefined =>
  format === 'csv' && query === undefined && lines.length > ROWS_OF_PART
    ? csvParts(lines, columns)
    : longListJsonOf(lines, { format, query })

async function* csvParts(lines: readonly string[], columns: readonly string[]): AsyncGenerator<string> {
  const { renderCsvColumns } = await import('./csv-text.ts')
  for (let start = 0; start < lines.length; start += ROWS_OF_PART) {
    const rows = lines.slice(start, start + ROWS_OF_PART).map((line): unknown => JSON.parse(line))
    const text = renderCsvColumns(rows, columns)
    yield start === 0 ? text : text.slice(text.indexOf('\n') + 1)
  }
}

const objectParts = ({ head, key, jsonLines }: LongObject): Iterable<string> =>
  jsonParts(`${JSON.stringify(head).slice(0, -1)},${JSON.stringify(key)}:[\n`, jsonLines(), '\n]}\n', ',')

function* jsonParts(open: string, lines: Iterable<string>, close: string, comma = ''): Generator<string> {
  let part = open
  let separator = ''
  for (const line of lines) {
    part += separator + line
    separator = `${comma}\n`
    if (part.length < PART_LENGTH) continue
    yield safeJson(part)
    part = ''
  }
  yield safeJson(part + close)
}

const PART_LENGTH = 64 * 1024

async function renderResponse<Result>(request: ResultToRender<Result>): Promise<string> {
  const { format, rawText, result, view, options } = request
  if (format === 'table' || format === 'id') {
    if (result !== undefined && format === 'id') return view.ids(result).map(safeLines).join('\n')
    const shown = result === undefined ? '' : view.render(result, options)
    // No field of the response is one that the view shows, so show it as JSON.
    return shown === '' ? safeJson(reformatJson(rawText, 2)) : shown
  }
  return MACHINE_WRITERS[format]({ text: rawText, itemsKey: view.itemsKey, csvColumns: view.csvColumns })
}

/** With a query the default format is JSON. */
async function renderQuery(
  { format, onEmptyQuery }: Pick<ResultToRender<unknown>, 'format' | 'onEmptyQuery'>,
  query: string,
  data: unknown,
): Promise<string> {
  const { runQuery } = await import('./jmespath.ts')
  const selected = await runQuery(query, data)
  if (selected === null) onEmptyQuery?.()
  if (format === 'id') return entriesOf(selected).map(toLine).join('\n')
  return MACHINE_WRITERS[format === 'table' ? 'json' : format]({ text: stringifyJson(selected) })
}

interface MachineInput {
  readonly text: string
  readonly itemsKey?: string | undefined
  readonly csvColumns?: readonly string[]
}

const MACHINE_WRITERS = {
  json: ({ text }) => safeJson(reformatJson(text, 2)),
  ndjson: ({ text, itemsKey }) => safeJson((itemsIn(text, itemsKey) ?? [reformatJson(text, 0)]).join('\n')),
  yaml: async ({ text }) => {
    const { renderYaml } = await import('./yaml-text.ts')
    return renderYaml(parseText(text))
  },
  csv: async ({ text, itemsKey, csvColumns = [] }) => {
    const { renderCsvColumns, renderCsv } = await import('./csv-text.ts')
    const items = itemsIn(text, itemsKey)?.map(parseText)
    if (items !== undefined && csvColumns.length > 0) return renderCsvColumns(items, csvColumns)
    return renderCsv(items ?? [parseText(text)], csvColumns)
  },
} as const satisfies Record<
  Exclude<OutputFormat, 'table' | 'id'>,
  (answer: MachineInput) => string | Promise<string>
>

/** The entries of the array under `key`, or of a top-level array. */
function itemsIn(text: string, key: string | undefined): readonly string[] | undefined {
  const isArray = text.trimStart().startsWith('[')
  return key === undefined && !isArray ? undefined : splitJsonItems(text, key ?? '')
}

const entriesOf = (selected: unknown): readonly unknown[] =>
  Array.isArray(selected) ? selected : selected === null ? [] : [selected]

const toLine = (entry: unknown) =>
  typeof entry === 'string' ? safeLines(entry) : safeJson(stringifyJson(entry))

const parseText = (text: string) => parseJson(text, { duplicateKeys: 'last' })

const withLineBreak = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)
