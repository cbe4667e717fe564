import type { Payment, Transaction } from '../../../api/models/payment.ts'
import { formatField, formatFreeText, joinParts } from '../../../views/format-fields.ts'
import { transactionTypeOf } from '../../../views/payment/refunds.ts'
import { formatAmount, formatTime, withoutZone } from '../../page/format.ts'
import { processorName, wordsOf } from '../../page/words.ts'
import { reasonOf } from './payment-details.tsx'
import { Status } from '../parts/status.tsx'
import { Table } from '../parts/table.tsx'
import type { Column } from '../parts/table.tsx'

/** Transactions at the processor; each refund has its own. */
export function Transactions({ payment }: { readonly payment: Payment }) {
  const { transactions = [], currencyCode, orderId: ordered } = payment
  if (transactions.length === 0) return null
  const columns: readonly Column<Transaction>[] = [
    { name: 'Transaction', cell: (entry) => wordsOf(transactionTypeOf(entry) ?? '') },
    { name: 'Status', cell: ({ processorStatus }) => <Status status={processorStatus} /> },
    {
      name: 'Amount',
      isFigure: true,
      cell: (entry) => formatAmount(entry.amount, entry.currencyCode ?? currencyCode),
    },
    { name: 'Time', cell: ({ date }) => withoutZone(formatTime(date)) },
    { name: 'Processor', from: 'medium', cell: ({ processorName: name }) => processorName(name ?? '') },
    { name: 'Order', cell: ({ orderId }) => wrapped(orderId === ordered ? undefined : formatField(orderId)) },
    {
      name: 'Reason',
      cell: ({ reason, processorStatusReason: cause }) =>
        wrapped(joinParts([reasonOf(cause), formatFreeText(reason)], '; ')),
    },
    {
      name: 'Processor ID',
      cell: ({ processorTransactionId }) => wrapped(formatField(processorTransactionId)),
    },
  ]
  return (
    <section>
      <h2>Transactions</h2>
      <Table
        label="Transactions"
        columns={columns.filter(({ cell }) => transactions.some((entry) => cell(entry) !== null))}
        rows={transactions}
        keyOf={(entry) => `${entry.processorTransactionId ?? ''} ${entry.date ?? ''}`}
      />
    </section>
  )
}

const wrapped = (text: string | undefined) =>
  text === undefined || text === '' ? null : <span class="wrapped">{text}</span>
