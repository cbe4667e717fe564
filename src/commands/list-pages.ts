import { PAGE_LIMIT } from '../api/models/page-limit.ts'
import type { CommandInput } from '../cli/command/input.ts'
import { switchFlag, textFlag } from '../cli/command/input.ts'
import type { Result } from '../cli/command/result.ts'
import type { CommandRun, CommandSpec } from '../cli/command/spec.ts'
import type { FlagSpec } from '../cli/command/flags.ts'
import type { Invocation } from '../cli/command/invocation.ts'
import { operate } from '../cli/operate.ts'
import { parseCount } from '../cli/parse/count.ts'
import { completeDraft, startDraft } from '../cli/request/build-draft.ts'
import { UsageError, interruptedBy, isInterruption } from '../errors.ts'
import { splitJsonItems } from '../json/reformat.ts'
import type { OutputFormat } from '../output/output-format.ts'
import type { Settings } from '../cli/command/settings.ts'
import { readPages } from './find/pages.ts'
import type { ListOperation, Page, PageOptions } from './find/pages.ts'
import type { ListQuery } from '../views/search/filters.ts'
import { readFilters } from './list-filters.ts'
import { timeForPeriod } from './period.ts'
import { filterByRefunds, readRefundFilter } from './refund-filter.ts'
import { safeText } from '../output/safe-text.ts'

/** The flags that set how much of a list to read. Use them with `LIST_FILTERS`. */
export const PAGE_FLAGS = {
  limit: { kind: 'text', value: 'N', help: 'List at most N' },
  all: { kind: 'switch', help: 'List all; -o ndjson, csv and id print each page as it arrives' },
  out: {
    kind: 'text',
    value: 'FILE',
    from: 'file',
    help: 'With --all: write to a file that ends in .ndjson or .csv, or in .ndjson.gz or .csv.gz. After a failure or a kill, the same command continues after the last whole page',
  },
  replace: { kind: 'switch', help: 'Replace the --out file if it exists' },
} as const satisfies Record<string, FlagSpec>

/** What both lists say of --out and of streams. */
export const LIST_DETAILS =
  'With --all, -o ndjson, csv and id stream: a failure ends the output after a whole page, with its exit code. Other formats and --query print the whole list or nothing. A list is read page by page, so what is created or changed meanwhile may be missing.'

/** The pages of a list. */
export const readListPages = (
  { call }: Invocation,
  operation: ListOperation,
  query: ListQuery,
  more: Pick<PageOptions, 'limit' | 'mayLackList' | 'after'> = {},
): AsyncGenerator<Page> =>
  readPages({
    read: call,
    operation,
    query,
    ...more,
  })

type Present = NonNullable<CommandSpec['present']>

/** Lists the entries that match the filters: one page as the service sent it, or the pages that `--limit` or `--all` needs. */
export async function runList(
  invocation: CommandRun,
  input: CommandInput,
  operation: ListOperation,
  present: Present,
): Promise<Result> {
  const limit = readLimit(input)
  const { settings } = invocation
  const out = readOut(input, settings)
  const refunds = readRefundFilter(input)
  const filters = readFilters(input, await timeForPeriod(invocation, input))
  const draft = await completeDraft(invocation, await startDraft(invocation))
  const query = { ...draft.query, ...filters }
  if (settings.mode !== 'send') {
    const size = { limit: String(Math.min(limit, PAGE_LIMIT)) }
    return operate(invocation, operation, { ...draft, query: { ...query, ...size } })
  }
  if (out !== undefined) {
    const { writeList } = await import('./list-file.ts')
    return writeList(invocation, { ...out, input, refunds, operation, query, present })
  }
  const isAll = switchFlag(input, 'all')
  const isOnePage = refunds === undefined && textFlag(input, 'limit') === undefined && !isAll
  // Any response can be shown, but one without a list has no IDs.
  const mayLackList = settings.format !== 'id'
  const pages =
    refunds === undefined
      ? readListPages(invocation, operation, query, { limit, mayLackList })
      : filterByRefunds(invocation, readListPages(invocation, operation, query), { refunds, limit })
  if (isAll && settings.query === undefined && STREAMED.includes(settings.format))
    return streamPages(invocation, present, pages)
  // As JSON text, exactly as received.
  const items: string[] = []
  const rows: unknown[] = []
  for await (const page of pages) {
    const count = page.entries.length
    if (isOnePage && page.next !== undefined) await invocation.note('There are more: use --limit N or --all.')
    // Print a single page exactly as the service sent it.
    const isComplete = page.next === undefined ? count <= limit : count === limit
    if (isOnePage || (items.length === 0 && isComplete)) return present(page.answer)
    for (const item of splitJsonItems(page.answer.text, 'data') ?? []) items.push(item)
    if (refunds !== undefined) rows.push(...page.entries)
  }
  const text = `{"data":[${items.slice(0, limit).join(',')}]}`
  // As read in full, for the table.
  if (refunds !== undefined) return present({ text, json: { data: rows } })
  const { parseJson } = await import('../json/json.ts')
  return present({ text, json: parseJson(text, { duplicateKeys: 'last' }) })
}

const STREAMED: readonly OutputFormat[] = ['ndjson', 'csv', 'id']

/** The result that prints each page as it arrives. Reads the first one before it returns. */
async function streamPages(
  invocation: CommandRun,
  present: Present,
  pages: AsyncGenerator<Page>,
): Promise<Result> {
  const { context, settings } = invocation
  await context.program.keepHeapSmall?.()
  const first = await pages.next()
  const textOf = pageTexts(invocation, present, settings.format)
  async function* parts(): AsyncGenerator<string> {
    if (first.done === true) return
    yield textOf(first.value, { isFirst: true })
    try {
      // Nobody reads the rest of a closed pipe.
      while (context.stdout.isClosed?.() !== true) {
        const page = await pages.next()
        if (page.done === true) return
        yield textOf(page.value, { isFirst: false })
      }
    } catch (error) {
      throw isInterruption(error)
        ? interruptedBy(context.interruption.stop, 'Interrupted: the list is incomplete.')
        : error
    }
  }
  return { exitCode: 0, isList: true, render: async () => '', parts }
}

/** Returns what renders a page as a part of a whole list. Warns once if a page doesn't have the expected shape. */
export function pageTexts(invocation: CommandRun, present: Present, format: OutputFormat) {
  let hasWarned = false
  return async ({ answer }: Page, { isFirst }: { readonly isFirst: boolean }): Promise<string> => {
    const result = present(answer)
    if (result.warning !== undefined && !hasWarned) await invocation.warn(`Warning: ${result.warning}`)
    hasWarned ||= result.warning !== undefined
    const options = await invocation.renderOptions()
    const text = await result.render({ format, query: undefined, options })
    return format === 'csv' && !isFirst ? text.slice(text.indexOf('\n') + 1) : text
  }
}

/** The file of a list that --out names, with the format that its name ends in. */
function readOut(
  input: CommandInput,
  settings: Settings,
): { readonly out: string; readonly format: 'ndjson' | 'csv'; readonly isCompressed: boolean } | undefined {
  const out = textFlag(input, 'out')
  if (out === undefined) {
    if (!switchFlag(input, 'replace')) return undefined
    throw new UsageError('Missing: --out, which --replace needs', { code: 'missing_input' })
  }
  if (!switchFlag(input, 'all'))
    throw new UsageError('Missing: --all, which --out needs', {
      code: 'missing_input',
      hint: 'A file gets the whole list. To write one page, redirect the output: > FILE',
    })
  if (settings.query !== undefined)
    throw new UsageError('Use either --out or --query, not both', { code: 'given_twice' })
  const [, ending, compressed] = /\.(ndjson|csv)(\.gz)?$/i.exec(out) ?? []
  if (ending === undefined)
    throw new UsageError(
      `--out takes a file that ends in .ndjson, .csv, .ndjson.gz or .csv.gz, not "${safeText(out)}"`,
      { code: 'bad_value', hint: /\.(?:xls[xmb]?|ods)$/i.test(out) ? 'Spreadsheets open .csv.' : undefined },
    )
  const format = ending.toLowerCase() === 'csv' ? 'csv' : 'ndjson'
  const typed = textFlag(input, 'output')
  if (typed !== undefined && typed !== format && !['table', 'json'].includes(typed))
    throw new UsageError(`-o ${typed} and --out ${out} name two formats`, { code: 'given_twice' })
  return { out, format, isCompressed: compressed !== undefined }
}

export function readLimit(input: CommandInput): number {
  const text = textFlag(input, 'limit')
  const all = switchFlag(input, 'all')
  if (text === undefined) return all ? Number.MAX_SAFE_INTEGER : PAGE_LIMIT
  if (all) throw new UsageError('Use either --limit or --all, not both', { code: 'given_twice' })
  const limit = parseCount(text, '--limit')
  if (limit === 0) throw new UsageError('--limit must be 1 or more', { code: 'bad_value' })
  return limit
}
