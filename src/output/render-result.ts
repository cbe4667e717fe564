import { parseJson, stringifyJson } from '../json/json.ts'
import { isJson, splitJsonItems, reformatJson } from '../json/reformat.ts'
import type { OutputFormat } from './output-format.ts'
import { safeJson, safeLines } from './safe-text.ts'
import type { RenderOptions, View } from './view.ts'

export interface ResultToRender<Result> {
  readonly format: OutputFormat
  /** The answer as it came. */
  readonly rawText: string
  /** The answer as its schema reads it; undefined when it did not fit. */
  readonly result: Result | undefined
  readonly view: View<Result>
  /** JMESPath. */
  readonly query?: string | undefined
  /** Called where the query selects nothing. */
  readonly onEmptyQuery?: (() => void) | undefined
  readonly options: RenderOptions
}

/**
 * The result as stdout gets it: one line break at the end, or nothing at all. An answer that is no JSON, or does not fit
 * where the format needs its shape, is shown as it is, made safe for a terminal.
 * @throws {UsageError} for a query that is wrong or does not fit
 */
export async function renderResult<Result>(request: ResultToRender<Result>): Promise<string> {
  if (!isJson(request.rawText)) return withLineBreak(safeLines(request.rawText))
  const text =
    request.query === undefined
      ? await renderWhole(request)
      : await renderQuery(request, request.query, readAnswer(request.rawText))
  return withLineBreak(text)
}

/** A list of our own that may be very long: each form of it is made only when it is what is shown. */
export interface LongList<Row> {
  readonly ids: () => readonly string[]
  /** Each entry as JSON on one line, as JSON.stringify writes it. */
  readonly texts: () => readonly string[]
  readonly rows: () => readonly Row[]
}

/** From here on a list is for programs: laid out for eyes it takes twice the time and half as much space again. */
const MOST_LAID_OUT = 1_000

/** The same as {@link renderResult}, without writing a whole list only to read it again. */
export async function renderLongList<Row>({
  format,
  list,
  view,
  query,
  onEmptyQuery,
  options,
}: Pick<ResultToRender<readonly Row[]>, 'format' | 'view' | 'query' | 'onEmptyQuery' | 'options'> & {
  readonly list: LongList<Row>
}): Promise<string> {
  if (query !== undefined)
    return withLineBreak(await renderQuery({ format, onEmptyQuery }, query, list.rows()))
  if (format === 'table') return withLineBreak(view.render(list.rows(), options))
  if (format === 'id') return withLineBreak(safeLines(list.ids().join('\n')))
  if (format === 'csv') {
    const { renderCsvColumns } = await import('./csv-text.ts')
    return renderCsvColumns(list.rows(), view.csvColumns ?? [])
  }
  if (format === 'yaml') {
    const { renderYaml } = await import('./yaml-text.ts')
    return renderYaml(list.rows())
  }
  const texts = list.texts()
  if (format === 'ndjson') return withLineBreak(safeJson(texts.join('\n')))
  if (texts.length > MOST_LAID_OUT) return `[\n${safeJson(texts.join(',\n'))}\n]\n`
  return withLineBreak(safeJson(reformatJson(`[${texts.join(',')}]`, 2)))
}

async function renderWhole<Result>(request: ResultToRender<Result>): Promise<string> {
  const { format, rawText, result, view, options } = request
  if (format === 'table' || format === 'id') {
    if (result !== undefined && format === 'id') return view.ids(result).map(safeLines).join('\n')
    const shown = result === undefined ? '' : view.render(result, options)
    // An answer of which the view knows no field is still an answer.
    return shown === '' ? safeJson(reformatJson(rawText, 2)) : shown
  }
  return MACHINE_WRITERS[format]({ text: rawText, itemsKey: view.itemsKey, csvColumns: view.csvColumns })
}

/** A query alone means JSON. */
async function renderQuery(
  { format, onEmptyQuery }: Pick<ResultToRender<unknown>, 'format' | 'onEmptyQuery'>,
  query: string,
  answer: unknown,
): Promise<string> {
  const { runQuery } = await import('./jmespath.ts')
  const found = await runQuery(query, answer)
  if (found === null) onEmptyQuery?.()
  if (format === 'id') return entriesOf(found).map(toLine).join('\n')
  return MACHINE_WRITERS[format === 'table' ? 'json' : format]({ text: stringifyJson(found) })
}

interface MachineAnswer {
  readonly text: string
  readonly itemsKey?: string | undefined
  readonly csvColumns?: readonly string[]
}

const MACHINE_WRITERS = {
  json: ({ text }) => safeJson(reformatJson(text, 2)),
  ndjson: ({ text, itemsKey }) => safeJson((itemsIn(text, itemsKey) ?? [reformatJson(text, 0)]).join('\n')),
  yaml: async ({ text }) => {
    const { renderYaml } = await import('./yaml-text.ts')
    return renderYaml(readAnswer(text))
  },
  csv: async ({ text, itemsKey, csvColumns = [] }) => {
    const { renderCsvColumns, renderCsv } = await import('./csv-text.ts')
    const items = itemsIn(text, itemsKey)?.map(readAnswer)
    if (items !== undefined && csvColumns.length > 0) return renderCsvColumns(items, csvColumns)
    return renderCsv(items ?? [readAnswer(text)], csvColumns)
  },
} as const satisfies Record<
  Exclude<OutputFormat, 'table' | 'id'>,
  (answer: MachineAnswer) => string | Promise<string>
>

/** The entries of a list: of the array under `key`, or of an answer that is one. */
function itemsIn(text: string, key: string | undefined): readonly string[] | undefined {
  const isArray = text.trimStart().startsWith('[')
  return key === undefined && !isArray ? undefined : splitJsonItems(text, key ?? '')
}

const entriesOf = (found: unknown): readonly unknown[] =>
  Array.isArray(found) ? found : found === null ? [] : [found]

const toLine = (entry: unknown) =>
  typeof entry === 'string' ? safeLines(entry) : safeJson(stringifyJson(entry))

const readAnswer = (text: string) => parseJson(text, { duplicateKeys: 'last' })

const withLineBreak = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)
