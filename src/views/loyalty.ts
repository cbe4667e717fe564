import type { LoyaltyTransaction } from '../api/models/loyalty.ts'
import { renderDetails } from '../output/details.ts'
import type { View } from '../output/view.ts'
import { shown, withNote } from './format-fields.ts'
import { shownTime } from './format-time.ts'

export const loyaltyView: View<LoyaltyTransaction> = {
  ids: ({ id }) => (id === undefined ? [] : [id]),
  csvColumns: ['id', 'type', 'value', 'customerId', 'orderId', 'connectionId', 'date'],
  render: (transaction, { paint, width, timeZone }) =>
    renderDetails(
      [
        [
          ['Loyalty transaction', shown(transaction.id)],
          ['Type', shown(transaction.type)],
          ['Points', transaction.value === undefined ? undefined : String(transaction.value)],
          ['Customer', shown(transaction.customerId)],
          ['Order', shown(transaction.orderId)],
          ['Created', shownTime(transaction.date, timeZone)],
        ],
        [
          ['Provider', withNote(shown(transaction.connectionName), shown(transaction.connectionId))],
          ['Provider id', shown(transaction.connectionTransactionId)],
        ],
      ],
      paint,
      width,
    ),
}
