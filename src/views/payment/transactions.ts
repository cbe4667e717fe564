import type { Payment, Transaction } from '../../api/models/payment.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions } from '../../output/view.ts'
import { joined, shown, shownMoney, shownWords, withNote } from '../format-fields.ts'
import { reasonText, statusText, statusTone } from '../status.ts'
import { isRefund, kindOf } from './refunds.ts'
import { shownTimeIn } from '../format-time.ts'

/** What happened at the processor, a line for each step; nothing when there is none. */
export function transactionsTable(payment: Payment, options: RenderOptions): string {
  const { transactions = [], currencyCode } = payment
  return transactions.length === 0
    ? ''
    : renderTable(columnsFor(currencyCode, options), transactions, options)
}

const columnsFor = (
  currencyCode: string | undefined,
  options: RenderOptions,
): readonly Column<Transaction>[] => [
  { title: 'TRANSACTION', text: (entry) => shown(kindOf(entry)) ?? '' },
  {
    title: 'STATUS',
    text: ({ processorStatus }) => statusText(processorStatus),
    tone: ({ processorStatus }) => statusTone(processorStatus),
  },
  { title: 'AMOUNT', text: (entry) => amountOf(entry, currencyCode) ?? '', align: 'right' },
  { title: 'TIME', text: ({ date }) => shownTimeIn(date, options) ?? '', drop: 1 },
  { title: 'PROCESSOR', text: ({ processorName }) => shown(processorName) ?? '', drop: 3 },
  {
    title: 'PROCESSOR ID',
    text: ({ processorTransactionId }) => shown(processorTransactionId) ?? '',
    drop: 4,
  },
  { title: 'ORDER', text: ({ orderId }) => shown(orderId) ?? '', drop: 5 },
  { title: 'REASON', text: (entry) => whyOf(entry) ?? '', drop: 2, wraps: true },
]

/** `5.00 EUR, … PENDING (damaged in transit)`: the newest refund, which is the one just made after a refund. */
export function lastRefundText({ transactions = [], currencyCode }: Payment): string | undefined {
  const refund = newest(transactions.filter(isRefund))
  if (refund === undefined) return undefined
  const parts = [amountOf(refund, currencyCode), statusText(refund.processorStatus)]
  return withNote(joined(parts), whyOf(refund))
}

/** Wire datetimes of one service compare as text; without them the later entry is the newer one. */
function newest(entries: readonly Transaction[]): Transaction | undefined {
  return entries.reduce<Transaction | undefined>(
    (best, entry) =>
      best !== undefined && (entry.date ?? best.date ?? '') < (best.date ?? '') ? best : entry,
    undefined,
  )
}

const amountOf = (entry: Transaction, currencyCode: string | undefined) =>
  shownMoney(entry.amount, entry.currencyCode ?? currencyCode)

const FAILED: readonly (string | undefined)[] = ['FAILED', 'DECLINED']

/** Why a refund was asked for; of one that failed first why it failed, so that the two aren't confused. */
export function whyOf({ reason, processorStatus, processorStatusReason }: Transaction): string | undefined {
  const [asked, cause] = [shownWords(reason), reasonText(processorStatusReason)]
  if (!FAILED.includes(processorStatus) || asked === undefined) return withNote(asked, cause)
  return `${cause ?? 'no cause given'}; requested for: ${asked}`
}
