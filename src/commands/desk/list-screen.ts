import type { Change, Screen } from '../../cli/command/prompts-port.ts'
import { EXIT, isInterruption, messageOf, PayError } from '../../errors.ts'
import { arrive, choose, fail, isReading, isSame, pictureOfList, pressList, typeText } from './list-state.ts'
import type { Asked, ListAnswer, ListState, DeskRow, Listed } from './list-state.ts'
import { noteRead, reading, withRefunds } from './session.ts'
import type { Desk } from './session.ts'
import { payment as paymentSchema, paymentList } from '../../api/models/payment.ts'
import type { PaymentSummary } from '../../api/models/payment.ts'
import { getPayment, listPayments } from '../../api/operations/payment.ts'
import { parseResponse } from '../../api/parse-response.ts'
import { isBefore } from '../../views/search/times.ts'
import { describeLedger } from '../../client/config/ledger-choice.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { paymentOf, published } from '../../client/ledger/record.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import type { Tone } from '../../output/paint.ts'
import type { Column } from '../../output/table.ts'
import { renderChoiceTable } from '../../views/choice-table.ts'
import { formatAmount, formatField } from '../../views/format-fields.ts'
import { formatMinute } from '../../views/format-time.ts'
import { describeState, formatOperationAmount, isOpen } from '../../views/ops/state.ts'
import { refundsOf } from '../../views/payment/refunds.ts'
import { readWords } from '../../views/search/words.ts'
import { searchPayments } from '../find/search-payments.ts'
import { renderPaymentChoices } from '../../views/payment/choices.ts'
import { reportSearch } from '../find/search-report.ts'
import { timeFor } from '../find/service-clock.ts'

/** How long after the last typed key the service is asked. */
const TYPING_MS = 500

/** The list, and the reads that bring its rows. `stop` ends those under way. */
export function listScreen(
  desk: Desk,
  start: ListState,
): { readonly screen: Screen<ListState, ListAnswer>; readonly stop: () => void } {
  let current:
    | { readonly asked: Asked; readonly end: AbortController; readonly hurry: AbortController }
    | undefined
  /** Which reading of everything the count of what needs attention belongs to. */
  let countedFor = start.attention === undefined ? undefined : start.asked.again
  const ended = new AbortController()
  const count = async (change: Change<ListState, ListAnswer>): Promise<void> => {
    const attention = await reading(
      inBackground(desk, ended.signal),
      async (invocation) => (await readAttention(invocation, desk)).length,
    ).catch(() => null)
    if (!ended.signal.aborted) change((state) => ({ state: { ...state, attention } }))
  }
  const follow = (state: ListState, change: Change<ListState, ListAnswer>): void => {
    const { asked } = state
    if (countedFor !== asked.again && asked.view === 'payments') {
      countedFor = asked.again
      void count(change)
    }
    if (!isReading(state)) return current?.end.abort()
    if (current !== undefined && isSame(current.asked, asked) && !current.end.signal.aborted) {
      if (state.opensOnly) current.hurry.abort()
      return
    }
    const isTyping = current !== undefined && current.asked.text !== asked.text && asked.text !== ''
    current?.end.abort()
    const started = { asked, end: new AbortController(), hurry: new AbortController() }
    current = started
    if (!isTyping || asked.isFull || state.opensOnly) started.hurry.abort()
    void read(started, change)
  }
  const read = async (
    { asked, end, hurry }: NonNullable<typeof current>,
    change: Change<ListState, ListAnswer>,
  ): Promise<void> => {
    if (!hurry.signal.aborted)
      await desk.context.sleep(TYPING_MS, AbortSignal.any([end.signal, hurry.signal]))
    if (end.signal.aborted) return
    const background = inBackground(desk, end.signal)
    try {
      const listed = await reading(background, (invocation) =>
        asked.view === 'attention'
          ? listAttention(invocation, background, asked)
          : readPayments(invocation, background, asked),
      )
      change((state, atMs) => arrive(state, listed, atMs))
    } catch (error) {
      if (end.signal.aborted || isInterruption(error)) return
      const isRefused = error instanceof PayError && error.exitCode === EXIT.auth
      change((state) =>
        isRefused ? { answer: { kind: 'refused', error, state } } : fail(state, asked, wordsOf(error)),
      )
    }
  }
  return {
    screen: {
      start,
      press: pressList,
      picture: pictureOfList,
      pick: (state, row) => choose(state, () => row),
      enter: typeText,
      isWaiting: (state) => isReading(state) || state.attention === undefined,
      follow,
    },
    stop: () => {
      current?.end.abort()
      ended.abort()
    },
  }
}

/** The desk for a read behind what is drawn, until `end`. */
const inBackground = (desk: Desk, end: AbortSignal): Desk => {
  const { context, settings } = desk
  const stop = AbortSignal.any([context.interruption.stop, end])
  return {
    ...desk,
    context: { ...context, spin: undefined, interruption: { ...context.interruption, stop } },
    settings: { ...settings, maxRetries: Math.min(1, settings.maxRetries) },
  }
}

function wordsOf(error: unknown): readonly string[] {
  if (!(error instanceof PayError)) return [messageOf(error)]
  const { exitCode, message, details } = error
  if (exitCode === EXIT.notConnected) return [`Offline: ${message}. ^R tries again.`]
  if (exitCode === EXIT.rateLimited) {
    const wait = details.retryAfter === undefined ? 'in a moment' : `in ${details.retryAfter} s`
    return [`The service has had too many requests (429). Read again with ^R ${wait}.`]
  }
  return [`${message}.${details.hint === undefined ? '' : ` ${details.hint}`}`]
}

/** What needs a person: from the ledger, and from two lists of the service. */

interface Item extends DeskRow {
  readonly what: string
  readonly amount: string | undefined
  readonly order: string | undefined
  readonly at: string | undefined
}

const DAY_MS = 24 * 3_600_000
const DAYS = 7
const PAGE = '100'
/** The most payments to read in full, because a list doesn't show their refunds as done. */
const MOST_READ = 20
/** The columns that the choices leave for a prompt's mark. */
const MARK_WIDTH = 6

async function readAttention(invocation: Invocation, desk: Desk): Promise<readonly Item[]> {
  const { context } = invocation
  const account = await invocation.account()
  const daysAgo = (days: number) => new Date(context.now().getTime() - days * DAY_MS).toISOString()
  const from = daysAgo(DAYS)
  const listing = await (await context.ledger(account)).list({})
  const records = listing.records.filter((record) => record.baseUrl === account.baseUrl.value)
  const unfinished = await listOf(invocation, { status: 'PENDING,DECLINED,FAILED', from_date: from })
  // Checked here too: a service may ignore its filters.
  const waiting = (status: string, days: number, what: string): readonly Item[] =>
    unfinished
      .filter((payment) => payment.status === status && !isBefore(payment.date, daysAgo(days)))
      .map((payment) => itemOf(payment, what))
  return [
    ...records.filter(isOpen).map(itemOfWrite),
    ...(await failedRefunds(
      invocation,
      desk,
      records.filter(({ createdAt }) => createdAt >= from),
    )),
    ...waiting('PENDING', DAYS, '… awaits customer'),
    ...waiting('DECLINED', 1, '✗ declined'),
    ...waiting('FAILED', 1, '✗ failed'),
  ]
}

async function listAttention(invocation: Invocation, desk: Desk, asked: Asked): Promise<Listed> {
  const { context } = invocation
  const items = await readAttention(invocation, desk)
  const { ledger } = await invocation.account()
  return {
    asked,
    rows: items,
    attention: items.length,
    render: (columns) => {
      const { heading, lines } = renderChoiceTable(
        columnsFor(context.timeZone()),
        items,
        columns + MARK_WIDTH,
      )
      const tints = items.map((item) => ({ text: item.what, tone: toneOf(item) }))
      return { heading, lines: lines.map((text, at) => ({ text, tint: tints[at] })) }
    },
    status: [
      ...(items.length === 0 ? ['Nothing needs attention.'] : []),
      `Ledger: ${describeLedger(ledger)}. Payments of the last ${DAYS} days, declines of the last day · ${readAt(invocation)}`,
    ],
  }
}

const toneOf = ({ what }: Item): Tone => (what.startsWith('✗') ? 'bad' : 'warn')

const columnsFor = (timeZone: string | undefined): readonly Column<Item>[] => [
  { title: 'WHAT', text: ({ what }) => what, shrink: true },
  { title: 'PAYMENT', text: ({ paymentId }) => formatField(paymentId) ?? '' },
  { title: 'AMOUNT', text: ({ amount }) => amount ?? '', align: 'right', drop: 1 },
  { title: 'ORDER', text: ({ order }) => formatField(order) ?? '', drop: 2 },
  { title: 'WHEN', text: ({ at }) => formatMinute(at, timeZone) ?? '', drop: 3 },
]

function itemOfWrite(record: StoredRecord): Item {
  const operation = published(record)
  return {
    id: record.id,
    writeId: record.id,
    paymentId: paymentOf(record) ?? undefined,
    what: `${describeState(operation).text} ${formatField(record.operation.replace(/^payment\./, ''))}`,
    amount: formatOperationAmount(operation),
    order: record.orderId ?? (record.targetKind === 'order' ? (record.target ?? undefined) : undefined),
    at: record.createdAt,
  }
}

const itemOf = (payment: PaymentSummary, what: string): Item => ({
  id: `${what} ${payment.id ?? ''}`,
  paymentId: payment.id,
  what,
  amount: formatAmount(payment.amount, payment.currencyCode),
  order: payment.orderId,
  at: payment.date,
})

async function listOf(
  invocation: Invocation,
  query: Readonly<Record<string, string>>,
): Promise<readonly PaymentSummary[]> {
  const answer = await invocation.call({
    operation: listPayments,
    params: {},
    query: { ...query, limit: PAGE },
  })
  return parseResponse(paymentList, answer.json)?.data ?? []
}

/** Refunds of this ledger that the service accepted and that failed later. */
async function failedRefunds(
  invocation: Invocation,
  desk: Desk,
  records: readonly StoredRecord[],
): Promise<readonly Item[]> {
  const refunded = new Map<string, number>()
  for (const record of records) {
    const id = paymentOf(record)
    if (record.operation !== 'payment.refund' || record.state !== 'confirmed' || id === null) continue
    refunded.set(id, (refunded.get(id) ?? 0) + (record.amount ?? 0))
  }
  if (refunded.size === 0) return []
  const listed = await listOf(invocation, { status: 'SETTLING,PARTIALLY_SETTLED,SETTLED' })
  const done = new Set(
    listed.flatMap(({ id, processor }) =>
      id !== undefined && (processor?.amountRefunded ?? 0) >= (refunded.get(id) ?? Number.POSITIVE_INFINITY)
        ? [id]
        : [],
    ),
  )
  const unclear = [...refunded.keys()].filter((id) => !done.has(id)).slice(0, MOST_READ)
  const items = await Promise.all(unclear.map((id) => failedRefundsOf(invocation, desk, id)))
  return items.flat()
}

async function failedRefundsOf(invocation: Invocation, desk: Desk, id: string): Promise<readonly Item[]> {
  try {
    const { json } = await invocation.call({ operation: getPayment, params: { id } })
    const payment = parseResponse(paymentSchema, json)
    if (payment === undefined) return []
    noteRead(desk, { ...payment, id })
    return refundsOf(payment)
      .filter(({ processorStatus }) => processorStatus === 'FAILED' || processorStatus === 'DECLINED')
      .map(({ amount, currencyCode, date, processorTransactionId }, at) => ({
        ...itemOf({ ...payment, id }, '✗ refund failed'),
        id: `refund ${id} ${processorTransactionId ?? at}`,
        amount: formatAmount(amount, currencyCode ?? payment.currencyCode),
        at: date,
      }))
  } catch (error) {
    // One payment that can't be read hides none of the others.
    if (!(error instanceof PayError) || isInterruption(error)) throw error
    return []
  }
}

/** The fewest rows to look for, and the most: a page of the list. */
const [FEWEST_ROWS, MOST_ROWS] = [50, 100]

/**
 * The newest payments that fit the words.
 * @throws {UsageError} for words that no payment can fit, and for a card number: nothing is asked then
 */
async function readPayments(invocation: Invocation, desk: Desk, asked: Asked): Promise<Listed> {
  const { context } = invocation
  const typed = asked.text.split(/\s+/)
  const { query, problem } = readWords(typed, {
    now: await timeFor(invocation, typed),
    timeZone: context.timeZone(),
  })
  if (problem !== undefined) throw problem
  const search = await searchPayments({
    read: invocation.call,
    query,
    limit: Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, context.stderr.rows ?? 0)),
    wide: asked.isWide,
    listsOnly: !asked.isFull,
    signal: desk.context.interruption.stop,
    now: context.now,
    sleep: context.sleep,
  })
  const { summary, limits } = reportSearch(query, search, { timeZone: context.timeZone() })
  const found = query.words.length === 0 ? `${search.rows.length} newest` : summary
  const payments = search.rows.map(({ id, summary: row, transactions }) => ({ ...row, id, transactions }))
  const rendered = (columns: number) =>
    renderPaymentChoices(
      payments.map((payment) => withRefunds(desk, payment)),
      { width: columns + MARK_WIDTH, timeZone: context.timeZone() },
    )
  return {
    asked,
    rows: payments.map(({ id }) => ({ id, paymentId: id })),
    render: (columns) => {
      const { heading, choices } = rendered(columns)
      return { heading, lines: choices }
    },
    canReadMore: !asked.isFull && query.words.length > 0 && search.rows.length === 0,
    status: [...limits, `${found} · ${readAt(invocation)}`],
  }
}

/** `read 12:04`: when the rows were read. */
const readAt = ({ context: { now, timeZone } }: Invocation): string =>
  `read ${formatMinute(now().toISOString(), timeZone())?.slice(-5) ?? ''}`
