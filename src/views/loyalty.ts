import type { LoyaltyTransaction } from '../api/models/loyalty.ts'
import { renderDetails } from '../output/details.ts'
import type { View } from '../output/view.ts'
import { formatField, addNote } from './format-fields.ts'
import { formatTime } from './format-time.ts'

export const loyaltyView: View<LoyaltyTransaction> = {
  ids: ({ id }) => (id === undefined ? [] : [id]),
  csvColumns: ['id', 'type', 'value', 'customerId', 'orderId', 'connectionId', 'date'],
  render: (transaction, { paint, width, timeZone }) =>
    renderDetails(
      { paint, width },
      [
        ['Loyalty transaction', formatField(transaction.id)],
        ['Type', formatField(transaction.type)],
        ['Points', transaction.value === undefined ? undefined : String(transaction.value)],
        ['Customer', formatField(transaction.customerId)],
        ['Order', formatField(transaction.orderId)],
        ['Created', formatTime(transaction.date, timeZone)],
      ],
      [
        ['Provider', addNote(formatField(transaction.connectionName), formatField(transaction.connectionId))],
        ['Provider ID', formatField(transaction.connectionTransactionId)],
      ],
    ),
}
