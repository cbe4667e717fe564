import { loyaltyTransaction } from '../../api/models/loyalty.ts'
import { createLoyaltyTransaction } from '../../api/operations/loyalty.ts'
import { fieldAt } from '../../json/fields.ts'
import { show } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import type { LoyaltyTransaction } from '../../api/models/loyalty.ts'
import { renderDetails } from '../../output/details.ts'
import type { View } from '../../output/view.ts'
import { formatField, addNote } from '../../views/format-fields.ts'
import { formatTime } from '../../views/format-time.ts'

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

/** What both commands share: one operation, in two directions. */
export const POINTS_COMMAND = {
  details:
    'The API has no way to look up a transaction. If the response is lost, ask the loyalty provider before you send it again.',
  flags: {
    'connection-id': {
      kind: 'text',
      value: 'ID',
      field: 'connectionId',
      help: 'Your connection to the loyalty provider',
    },
    'customer-id': {
      kind: 'text',
      value: 'ID',
      field: 'customerId',
      help: 'Customer ID at the loyalty provider',
    },
    'order-id': { kind: 'text', value: 'ID', field: 'orderId', help: 'Your unique reference for the order' },
    value: { kind: 'count', value: 'POINTS', field: 'value', ask: 'Points', help: 'Number of points' },
  },
  operation: createLoyaltyTransaction,
  present: show(loyaltyTransaction, loyaltyView),
} as const satisfies Partial<CommandSpec>

/** "250 points of customer c-1", for the confirmation. */
export function describePoints(body: unknown, preposition: 'of' | 'to'): string {
  const [value, customerId] = [fieldAt(body, ['value']), fieldAt(body, ['customerId'])]
  return `${String(value)} points ${preposition} customer ${String(customerId)}`
}
