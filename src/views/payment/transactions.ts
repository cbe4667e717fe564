import type { Payment, Transaction } from '../../api/models/payment.ts'
import { renderTable } from '../../output/table.ts'
import type { Column } from '../../output/table.ts'
import type { RenderOptions } from '../../output/view.ts'
import { joinParts, formatField, formatAmount, addNote } from '../format-fields.ts'
import { formatStatus, statusTone } from '../status.ts'
import { describeRefundReason, isRefund, transactionTypeOf } from './refunds.ts'
import { formatTimeForTable } from '../format-time.ts'

/** One line per transaction at the processor; empty if there are none. */
export function renderTransactions(payment: Payment, options: RenderOptions): string {
  const { transactions = [], currencyCode } = payment
  return transactions.length === 0
    ? ''
    : renderTable(columnsFor(currencyCode, options), transactions, options)
}

const columnsFor = (
  currencyCode: string | undefined,
  options: RenderOptions,
): readonly Column<Transaction>[] => [
  { title: 'TRANSACTION', text: (entry) => formatField(transactionTypeOf(entry)) ?? '' },
  {
    title: 'STATUS',
    text: ({ processorStatus }) => formatStatus(processorStatus),
    tone: ({ processorStatus }) => statusTone(processorStatus),
  },
  { title: 'AMOUNT', text: (entry) => amountOf(entry, currencyCode) ?? '', align: 'right' },
  { title: 'TIME', text: ({ date }) => formatTimeForTable(date, options) ?? '', drop: 1 },
  { title: 'PROCESSOR', text: ({ processorName }) => formatField(processorName) ?? '', drop: 3 },
  {
    title: 'PROCESSOR ID',
    text: ({ processorTransactionId }) => formatField(processorTransactionId) ?? '',
    drop: 4,
  },
  { title: 'ORDER', text: ({ orderId }) => formatField(orderId) ?? '', drop: 5 },
  { title: 'REASON', text: (entry) => describeRefundReason(entry) ?? '', drop: 2, wraps: true },
]

/** `5.00 EUR, … PENDING (damaged in transit)`: the newest refund. */
export function formatLastRefund({ transactions = [], currencyCode }: Payment): string | undefined {
  const refund = newest(transactions.filter(isRefund))
  if (refund === undefined) return undefined
  const parts = [amountOf(refund, currencyCode), formatStatus(refund.processorStatus)]
  return addNote(joinParts(parts), describeRefundReason(refund))
}

/** Dates of one service compare as text; without dates the later entry is newer. */
function newest(entries: readonly Transaction[]): Transaction | undefined {
  return entries.reduce<Transaction | undefined>(
    (best, entry) =>
      best !== undefined && (entry.date ?? best.date ?? '') < (best.date ?? '') ? best : entry,
    undefined,
  )
}

const amountOf = (entry: Transaction, currencyCode: string | undefined) =>
  formatAmount(entry.amount, entry.currencyCode ?? currencyCode)
