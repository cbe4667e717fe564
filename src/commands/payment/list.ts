import { listPayments } from '../../api/operations/payment.ts'
import { PAGE_LIMIT } from '../../api/models/page-limit.ts'
import { paymentList } from '../../api/models/payment.ts'
import { PAYMENT_STATUSES } from '../../api/sets.ts'
import { warnAboutUnknownValues } from '../../cli/parse/choices.ts'
import { completeDraft } from '../../cli/request/complete-draft.ts'
import { startDraft } from '../../cli/request/start-draft.ts'
import { parseCount } from '../../cli/parse/count.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import { switchFlag, textFlag } from '../../cli/command/input.ts'
import { operate } from '../../cli/operate.ts'
import { show } from '../../cli/command/result.ts'
import type { CommandSpec, CommandRun } from '../../cli/command/spec.ts'
import { UsageError } from '../../errors.ts'
import { paymentListView } from '../../views/payment/payment.ts'
import { LIST_FILTERS, readFilters } from './list-filters.ts'
import { readPaymentPage } from './payment-page.ts'

const present = show(paymentList, paymentListView)

export const command: CommandSpec = {
  path: ['payment', 'list'],
  summary: 'List payments, newest first',
  details:
    'A filter takes several values separated by commas; a payment must match every filter. Order IDs that contain a comma are found too. Without --limit or --all, lists the newest 100.',
  examples: [
    { says: 'list the payments of one order', line: 'pay payment list --order-id A-1' },
    {
      says: 'list payments declined since January',
      line: 'pay payment list --status DECLINED --from 2026-01-01 --all',
    },
    {
      says: "list a customer's payments of 100 EUR or more",
      line: "pay payment list --customer-id c-1 --min-amount '100 EUR'",
    },
    { says: 'print only the IDs', line: 'pay payment list --status AUTHORIZED -o id' },
  ],
  flags: {
    ...LIST_FILTERS,
    limit: { kind: 'text', value: 'N', help: 'List at most N payments' },
    all: { kind: 'switch', help: 'List all payments' },
  },
  operation: listPayments,
  run,
  related: ['payment explain', 'payment get', 'ops list'],
}

async function run(invocation: CommandRun, input: CommandInput) {
  const limit = readLimit(input)
  const filters = readFilters(input)
  for (const line of warnAboutUnknownValues(input, 'status', PAYMENT_STATUSES))
    await invocation.warn(`Warning: ${line}`)
  const draft = await completeDraft(invocation, await startDraft(invocation))
  const query = { ...draft.query, ...filters, limit: String(Math.min(limit, PAGE_LIMIT)) }
  if (invocation.settings.mode !== 'send') return operate(invocation, listPayments, { ...draft, query })
  const first = await readPaymentPage(invocation, query)
  // Without --limit or --all, print one page exactly as the service sent it.
  if (textFlag(input, 'limit') === undefined && !switchFlag(input, 'all')) {
    if (first.next !== undefined) await invocation.note('There are more payments: use --limit N or --all.')
    return present(first.answer)
  }
  if (first.items.length === limit || (first.next === undefined && first.items.length < limit))
    return present(first.answer)
  const items = [...first.items]
  const seen = new Set<string>()
  for (let cursor = first.next; cursor !== undefined && items.length < limit;) {
    const more = await readPaymentPage(invocation, {
      ...query,
      limit: String(Math.min(limit - items.length, PAGE_LIMIT)),
      cursor,
    })
    items.push(...more.items)
    seen.add(cursor)
    cursor = more.items.length === 0 ? undefined : more.next
    if (cursor !== undefined && seen.has(cursor)) {
      await invocation.warn('Warning: The service repeats its pages, so the list may be incomplete.')
      break
    }
  }
  const text = `{"data":[${items.slice(0, limit).join(',')}]}`
  const { parseJson } = await import('../../json/json.ts')
  return present({ text, json: parseJson(text, { duplicateKeys: 'last' }) })
}

function readLimit(input: CommandInput): number {
  const text = textFlag(input, 'limit')
  const all = switchFlag(input, 'all')
  if (text === undefined) return all ? Number.MAX_SAFE_INTEGER : PAGE_LIMIT
  if (all) throw new UsageError('Use either --limit or --all, not both', { code: 'given_twice' })
  const limit = parseCount(text, '--limit')
  if (limit === 0) throw new UsageError('--limit must be 1 or more', { code: 'bad_value' })
  return limit
}
