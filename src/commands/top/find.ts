import { paymentList } from '../../api/models/payment.ts'
import { listPayments } from '../../api/operations/payment.ts'
import { accountFlagsOf } from '../../cli/command/flag-words.ts'
import { switchFlag, textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import { show } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandRun, CommandSpec } from '../../cli/command/spec.ts'
import { operate } from '../../cli/operate.ts'
import { EXIT, PayError, UsageError } from '../../errors.ts'
import { listQueriesOf } from '../../views/search/filters.ts'
import type { Query } from '../../views/search/query.ts'
import { searchPayments } from '../find/search-payments.ts'
import { timeFor } from '../find/service-clock.ts'
import { readWords } from '../../views/search/words.ts'
import { shellWord } from '../../files/shell.ts'
import { paymentListView } from '../../views/payment/payment.ts'
import { reportSearch } from '../find/search-report.ts'
import { PAGE_FLAGS, readLimit } from '../list-pages.ts'
import { periodFlags, readPeriod } from '../period.ts'

const present = show(paymentList, paymentListView)

export const command: CommandSpec = {
  path: ['find'],
  summary: 'Find payments by what you know of them',
  details:
    "Reads each word as what it looks like: a payment ID, your order, an e-mail or its beginning (ada@), four digits (a card's last four, or an order), an amount (49.90, '49.90 EUR'), a status, a currency, a time (today, 7d, 2026-11-20). To force a meaning, put order:, customer:, email:, amount: or last4: before it. All words must fit. The service filters, and every row is checked here as well; what was searched is said on stderr. Lists have no e-mail: for one, the first 20 payments are read in full. Exit code 0: at least one was found.",
  examples: [
    { purpose: 'find the payments of a card from today', line: 'pay find 1111 today' },
    { purpose: "find a customer's payment", line: 'pay find ada@example.com 49.90' },
    { purpose: 'find the payments of an order', line: 'pay find order:A-1042' },
    {
      purpose: 'look through the newest 1,000 payments too',
      line: 'pay find "49.90 EUR" authorized --wide',
    },
  ],
  args: [{ name: 'WORD', repeats: true, help: 'What you know of the payment' }],
  flags: {
    ...periodFlags('Created'),
    limit: PAGE_FLAGS.limit,
    wide: {
      kind: 'switch',
      help: 'Also look through the newest payments: at most 1,000, or 10 seconds',
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
  const search = await searchPayments({ read: call, query, limit, wide, now: context.now })
  const { summary, limits } = reportSearch(query, search, { wide, timeZone: context.timeZone() })
  for (const line of limits) await warn(`${line}.`, 'ids')
  if (search.rows.length === 0) throw nothingFound(invocation, summary, search.more && !wide)
  await note(
    `${summary}${search.more ? '. There may be more: use --limit N, --wide or another word' : ''}.`,
    'ids',
  )
  const text = `{"data":[${search.rows.map((row) => row.text).join(',')}]}`
  const { parseJson } = await import('../../json/json.ts')
  return present({ text, json: parseJson(text, { duplicateKeys: 'last' }) })
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

function nothingFound(invocation: CommandRun, summary: string, canLookFurther: boolean): PayError {
  const words = (invocation.input.words ?? []).map(shellWord).join(' ')
  const pay = `pay${accountFlagsOf(invocation)}`
  return new PayError('nothing_found', EXIT.notFound, summary, {
    operation: listPayments.id,
    outcome: 'none',
    retryable: false,
    hint: 'A payment must fit every word. Search for an ID, an order, an e-mail or its beginning (ada@), the last four digits, an amount, a status, a currency or a time; names are not searched.',
    next: [canLookFurther ? `${pay} find ${words} --wide` : `${pay} payment list`],
  })
}
