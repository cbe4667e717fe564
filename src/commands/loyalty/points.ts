import { loyaltyTransaction } from '../../api/models/loyalty.ts'
import { createLoyaltyTransaction } from '../../api/operations/loyalty.ts'
import { fieldAt } from '../../cli/parse/field-path.ts'
import { show } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { loyaltyView } from '../../views/loyalty.ts'

/** What both commands have in common: one operation, in two directions. */
export const POINTS = {
  details:
    'The service offers no way to look a transaction up: when the answer is lost, the provider has to be asked before it is sent again.',
  flags: {
    'connection-id': {
      kind: 'text',
      value: 'ID',
      field: 'connectionId',
      help: 'The connection to the loyalty provider',
    },
    'customer-id': {
      kind: 'text',
      value: 'ID',
      field: 'customerId',
      help: 'The customer, as the provider knows them',
    },
    'order-id': { kind: 'text', value: 'ID', field: 'orderId', help: 'Your unique reference for the order' },
    value: { kind: 'count', value: 'POINTS', field: 'value', ask: 'Points', help: 'How many points' },
  },
  operation: createLoyaltyTransaction,
  present: show(loyaltyTransaction, loyaltyView),
} as const satisfies Partial<CommandSpec>

/** "250 points of customer c-1", for the sentence to confirm. */
export function pointsOf(body: unknown): string {
  const [value, customerId] = [fieldAt(body, ['value']), fieldAt(body, ['customerId'])]
  return `${String(value)} points of customer ${String(customerId)}`
}
