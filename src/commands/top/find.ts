import { paymentList } from '../../api/models/payment.ts'
import { listPayments } from '../../api/operations/payment.ts'
import { accountFlagsOf } from '../../cli/command/flag-words.ts'
import { switchFlag, textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import { show } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandRun, CommandSpec } from '../../cli/command/spec.ts'
import { operate } from '../../cli/operate.ts'
import { describeAccount } from '../../client/config/resolve-account.ts'
import { EXIT, PayError, UsageError } from '../../errors.ts'
import { listQueriesOf } from '../../views/search/filters.ts'
import type { Query } from '../../views/search/query.ts'
import { searchPayments } from '../find/search-payments.ts'
import type { Search } from '../find/search-payments.ts'
import { timeFor } from '../find/service-clock.ts'
import { readWords } from '../../views/search/words.ts'
import { parseTimeMs } from '../../text/local-time.ts'
import { flagWord, lastWords } from '../../files/shell.ts'
import { paymentListView } from '../../views/payment/payment.ts'
import { reportSearch } from '../find/search-report.ts'
import { PAGE_FLAGS, readLimit } from '../list-pages.ts'
import { periodFlags, readPeriod } from '../period.ts'

const present = show(paymentList, paymentListView)

const WORDS =
  "A payment ID; an order, a customer's ID or a name, or a part of it (A-1171, 1171, customer-73, moreau); an e-mail or its beginning (emma.moreau73@example.com, emma.moreau); a telephone number or six digits of it (0151234567); a card's last four digits or brand (4444, visa); an amount (208, 208.00, 208,00, €208, '208 EUR'); a status or another state (declined, refunded, partly refunded, refund failed); a currency (EUR); a day, several, or a time since then (today, 2026-11-20, 20.11.2026, Nov 20, last week, november, since monday, 7d)"

export const command: CommandSpec = {
  path: ['find'],
  summary: 'Find payments by what you know of them',
  details: `A word is read, in any case, as each thing that it may be. All words must fit. order:, customer:, email:, name:, phone:, amount: and last4: before a word force one. Accents, and quotes, brackets and invisible characters around a word, don't count. Days are UTC. If a misspelt e-mail finds nothing, a similar one is suggested; it is never used instead.
A part counts only if no payment that was searched has the word as a whole value.
The service's filters are asked first. If they find nothing, the newest payments are searched: up to 1,000, or 10 seconds. Lists have neither e-mail, name nor telephone number: for these, up to 200 payments are read in full. Every payment is checked here too, and stderr says how much was searched. Exit code 0: at least one was found.`,
  examples: [
    { purpose: 'find the payments of a card from today', line: 'pay find 1111 today' },
    { purpose: "find a customer's payment", line: 'pay find ada@example.com 49.90' },
    { purpose: 'find the payments of an order', line: 'pay find order:A-1042' },
    { purpose: 'find declined payments by a name', line: 'pay find moreau declined' },
    {
      purpose: 'find payments of the last 7 days with a refund that failed',
      line: 'pay find refund failed 7d',
    },
    { purpose: 'search further back', line: 'pay find "49.90 EUR" ada@ --wide' },
  ],
  args: [{ name: 'WORD', repeats: true, help: WORDS }],
  flags: {
    ...periodFlags('Created'),
    limit: PAGE_FLAGS.limit,
    wide: {
      kind: 'switch',
      help: 'Search up to 10,000 of the newest payments, or 2 minutes, and read up to 2,000 in full',
    },
  },
  exitCodes: [EXIT.auth, EXIT.notFound, EXIT.rateLimited, EXIT.notConnected, EXIT.serverFault],
  supportsDryRun: true,
  run,
  related: ['desk', 'payment list', 'payment explain', 'ops list'],
}

async function run(invocation: CommandRun, input: CommandInput): Promise<Result> {
  const { context, settings, call, note, warn } = invocation
  const limit = readLimit(input)
  const query = await readQuery(invocation, input)
  if (settings.mode !== 'send') {
    const [filters = {}] = listQueriesOf(query)
    const draft = { params: {}, query: { ...filters, limit: '100' }, body: undefined, money: undefined }
    return operate(invocation, listPayments, draft)
  }
  const wide = switchFlag(input, 'wide')
  const { now, sleep } = context
  const search = await searchPayments({ read: call, query, limit, wide, now, sleep })
  const { summary, limits } = reportSearch(query, search, { timeZone: context.timeZone() })
  if (search.rows.length === 0)
    throw await nothingFound(invocation, { search, wide, said: [summary, ...limits] })
  for (const line of limits) await warn(`${line}.`, 'ids')
  const further = furtherSearch(invocation, search, wide)
  const rest = search.rows.length < limit ? '' : ', --limit N'
  await note(
    `${summary}${search.more ? `. There may be more: use another word${rest}${further === undefined ? '' : ` or ${further.flag}`}` : ''}.`,
    'ids',
  )
  const text = `{"data":[${search.rows.map((row) => row.text).join(',')}]}`
  const { parseJson } = await import('../../json/json.ts')
  // The table shows what became of the refunds.
  const json =
    settings.format === 'table'
      ? { data: search.rows.map(({ summary: row, transactions }) => ({ ...row, transactions })) }
      : parseJson(text, { duplicateKeys: 'last' })
  return present({ text, json })
}

async function readQuery(invocation: CommandRun, input: CommandInput): Promise<Query> {
  const words = input.words ?? []
  if (words.every((word) => word.trim() === ''))
    throw new UsageError('Missing: WORD', {
      code: 'missing_input',
      hint: 'For example: pay find 4242 today',
      next: ['pay find --help'],
    })
  const now = await timeFor(invocation, [...words, textFlag(input, 'from'), textFlag(input, 'to')])
  const { query, problem } = readWords(words, {
    now,
    timeZone: invocation.context.timeZone(),
    period: readPeriod(input, now),
  })
  if (query === undefined) throw problem
  return query
}

async function nothingFound(
  invocation: CommandRun,
  { search, wide, said }: { search: Search; wide: boolean; said: readonly string[] },
): Promise<PayError> {
  const further = furtherSearch(invocation, search, wide)
  const { typed = '', emails = [] } = search.near ?? {}
  const words = invocation.input.words ?? []
  const near = emails.map((email) => words.map((word) => word.replace(typed, () => email)))
  const next = [
    ...near.map((meant) => `pay${accountFlagsOf(invocation)} find ${lastWords(...meant)}`),
    ...(further === undefined ? [] : [further.line]),
  ]
  return new PayError('nothing_found', EXIT.notFound, said.join('. '), {
    operation: listPayments.id,
    outcome: 'none',
    retryable: false,
    hint: `Searched ${describeAccount(await invocation.account())}. ${
      words.length > 1
        ? 'All words must fit one payment.'
        : 'Try a part of it, or something else: the beginning of an e-mail, a name, the last four digits, an amount.'
    }`,
    ...(next.length === 0 ? {} : { next }),
  })
}

/** The search that can find more; undefined if everything was searched, or if the service lists its newest payments only. */
function furtherSearch(
  invocation: CommandRun,
  { reached, unread, unreadSince, back, more, ignored }: Search,
  wide: boolean,
): { readonly flag: string; readonly line: string } | undefined {
  if (!more || (reached === undefined && unread === 0)) return undefined
  const { input } = invocation
  const words = lastWords(...(input.words ?? []))
  const [from, to] = [textFlag(input, 'from'), textFlag(input, 'to')]
  // What is older than the first payment that was not read in full has not been searched either.
  const older = unread > 0 ? unreadSince : back
  const isWider = !wide && reached?.end !== 'refused'
  const flags = isWider
    ? ['--wide']
    : older === undefined || ignored.includes('to_date')
      ? []
      : ['--to', new Date(parseTimeMs(older) ?? 0).toISOString()]
  const [flag] = flags
  if (flag === undefined) return undefined
  const period = [
    ...(from === undefined ? [] : [flagWord('from', from)]),
    ...(to === undefined || !isWider ? [] : [flagWord('to', to)]),
  ]
  const wideAgain = wide ? ['--wide'] : []
  const settings = [...period, ...flags, ...wideAgain].join(' ')
  const pay = `pay${accountFlagsOf(invocation)} find`
  // What follows `--` is no flag.
  const line = /^"?--/.test(words) ? `${pay} ${settings} ${words}` : `${pay} ${words} ${settings}`
  return { flag: flags.join(' '), line }
}
