import type { Payment, Transaction } from '../../../../api/models/payment.ts'
import { formatField } from '../../../../views/format-fields.ts'
import { describeRefundReason, transactionTypeOf } from '../../../../views/payment/refunds.ts'
import { formatAmount, formatTime } from '../../page/format.ts'
import { Status } from '../parts/status.tsx'
import { Table } from '../parts/table.tsx'
import type { Column } from '../parts/table.tsx'

/** Transactions at the processor; each refund has its own. */
export function Transactions({ payment }: { readonly payment: Payment }) {
  const { transactions = [], currencyCode } = payment
  if (transactions.length === 0) return null
  const columns: readonly Column<Transaction>[] = [
    { name: 'Transaction', cell: (entry) => formatField(transactionTypeOf(entry)) },
    { name: 'Status', cell: ({ processorStatus }) => <Status status={processorStatus} /> },
    {
      name: 'Amount',
      isFigure: true,
      cell: (entry) => formatAmount(entry.amount, entry.currencyCode ?? currencyCode),
    },
    { name: 'Time', cell: ({ date }) => formatTime(date) },
    { name: 'Processor', cell: ({ processorName }) => formatField(processorName) },
    { name: 'Order', cell: ({ orderId }) => formatField(orderId) },
    { name: 'Reason', cell: (entry) => describeRefundReason(entry) },
    { name: 'Processor ID', cell: ({ processorTransactionId }) => formatField(processorTransactionId) },
  ]
  return (
    <section>
      <h2>Transactions</h2>
      <Table
        label="Transactions"
        columns={columns}
        rows={transactions}
        keyOf={(entry) => `${entry.processorTransactionId ?? ''} ${entry.date ?? ''}`}
      />
    </section>
  )
}
