import { fieldAt } from '../../cli/field-path.ts'
import type { FlagSpec } from '../../cli/spec.ts'

export const POINTS_FLAGS = {
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
} as const satisfies Record<string, FlagSpec>

/** "250 points of customer c-1", for the sentence to confirm. */
export function pointsOf(body: unknown): string {
  const [value, customerId] = [fieldAt(body, ['value']), fieldAt(body, ['customerId'])]
  return `${String(value)} points of customer ${String(customerId)}`
}
