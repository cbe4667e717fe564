import { payment as paymentSchema, paymentList } from '../../api/models/payment.ts'
import type { PaymentSummary } from '../../api/models/payment.ts'
import { getPayment, listPayments } from '../../api/operations/payment.ts'
import { parseResponse } from '../../api/parse-response.ts'
import { isBefore } from '../../views/search/times.ts'
import { describeLedger } from '../../client/config/ledger-choice.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { PayError, isInterruption } from '../../errors.ts'
import { paymentOf, published } from '../../client/ledger/record.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import type { Column } from '../../output/table.ts'
import { renderChoiceTable } from '../../views/choice-table.ts'
import { formatAmount, formatField } from '../../views/format-fields.ts'
import { formatMinute } from '../../views/format-time.ts'
import { describeState, formatOperationAmount, isOpen } from '../../views/ops/state.ts'
import { refundsOf } from '../../views/payment/refunds.ts'
import type { Asked, DeskRow, Listed } from './list-state.ts'
import { readAt } from './payments.ts'

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
/** Payments whose refunds a list doesn't show as done are read in full. */
const MOST_READ = 20
const MARK_WIDTH = 6

export async function readAttention(invocation: Invocation, asked: Asked): Promise<Listed> {
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
  const items = [
    ...records.filter(isOpen).map(itemOfWrite),
    ...(await failedRefunds(
      invocation,
      records.filter(({ createdAt }) => createdAt >= from),
    )),
    ...waiting('PENDING', DAYS, '… awaits customer'),
    ...waiting('DECLINED', 1, '✗ declined'),
    ...waiting('FAILED', 1, '✗ failed'),
  ]
  return {
    asked,
    rows: items,
    render: (columns) => renderChoiceTable(columnsFor(context.timeZone()), items, columns + MARK_WIDTH),
    status: [
      ...(items.length === 0 ? ['Nothing needs attention.'] : []),
      `Ledger: ${describeLedger(account.ledger)}. Payments of the last ${DAYS} days, declines of the last day · ${readAt(invocation)}`,
    ],
  }
}

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
    order: record.targetKind === 'order' ? (record.target ?? undefined) : undefined,
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
  const items = await Promise.all(unclear.map((id) => failedRefundsOf(invocation, id)))
  return items.flat()
}

async function failedRefundsOf(invocation: Invocation, id: string): Promise<readonly Item[]> {
  try {
    const { json } = await invocation.call({ operation: getPayment, params: { id } })
    const payment = parseResponse(paymentSchema, json)
    if (payment === undefined) return []
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
