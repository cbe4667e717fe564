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
import { UsageError } from '../errors.ts'
import { splitJsonItems } from '../json/reformat.ts'
import { readPages } from './find/pages.ts'
import type { ListOperation, Page, PageOptions } from './find/pages.ts'
import type { ListQuery } from '../views/search/filters.ts'
import { readFilters } from './list-filters.ts'
import { timeForPeriod } from './period.ts'
import { filterByRefunds, readRefundFilter } from './refund-filter.ts'

/** The flags that set how much of a list to read. Use them with `LIST_FILTERS`. */
export const PAGE_FLAGS = {
  limit: { kind: 'text', value: 'N', help: 'List at most N' },
  all: { kind: 'switch', help: 'List all' },
} as const satisfies Record<string, FlagSpec>

/** The pages of a list. */
export const readListPages = (
  { call }: Invocation,
  operation: ListOperation,
  query: ListQuery,
  more: Pick<PageOptions, 'limit' | 'mayLackList'> = {},
): AsyncGenerator<Page> =>
  readPages({
    read: call,
    operation,
    query,
    ...more,
  })

/** Lists the entries that match the filters: one page as the service sent it, or the pages that `--limit` or `--all` needs. */
export async function runList(
  invocation: CommandRun,
  input: CommandInput,
  operation: ListOperation,
  present: NonNullable<CommandSpec['present']>,
): Promise<Result> {
  const limit = readLimit(input)
  const refunds = readRefundFilter(input)
  const filters = readFilters(input, await timeForPeriod(invocation, input))
  const draft = await completeDraft(invocation, await startDraft(invocation))
  const query = { ...draft.query, ...filters }
  if (invocation.settings.mode !== 'send') {
    const size = { limit: String(Math.min(limit, PAGE_LIMIT)) }
    return operate(invocation, operation, { ...draft, query: { ...query, ...size } })
  }
  const isOnePage =
    refunds === undefined && textFlag(input, 'limit') === undefined && !switchFlag(input, 'all')
  // Any response can be shown, but one without a list has no IDs.
  const mayLackList = invocation.settings.format !== 'id'
  // As JSON text, exactly as received.
  const items: string[] = []
  const rows: unknown[] = []
  const pages =
    refunds === undefined
      ? readListPages(invocation, operation, query, { limit, mayLackList })
      : filterByRefunds(invocation, readListPages(invocation, operation, query), { refunds, limit })
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

export function readLimit(input: CommandInput): number {
  const text = textFlag(input, 'limit')
  const all = switchFlag(input, 'all')
  if (text === undefined) return all ? Number.MAX_SAFE_INTEGER : PAGE_LIMIT
  if (all) throw new UsageError('Use either --limit or --all, not both', { code: 'given_twice' })
  const limit = parseCount(text, '--limit')
  if (limit === 0) throw new UsageError('--limit must be 1 or more', { code: 'bad_value' })
  return limit
}
