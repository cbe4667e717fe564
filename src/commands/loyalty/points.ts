import { loyaltyTransaction } from '../../api/models/loyalty.ts'
import { createLoyaltyTransaction } from '../../api/operations/loyalty.ts'
import { published } from '../../client/ledger/record.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { fieldAt, textAt } from '../../json/fields.ts'
import { show } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import type { LoyaltyTransaction } from '../../api/models/loyalty.ts'
import { renderDetails } from '../../output/details.ts'
import type { View } from '../../output/view.ts'
import { wrapWords } from '../../output/wrap.ts'
import { formatField, addNote, joinParts } from '../../views/format-fields.ts'
import { formatAge, formatTime } from '../../views/format-time.ts'
import { formatOperationAmount, isOpen } from '../../views/ops/state.ts'

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
  warnMore: warnAboutEarlierPoints,
  present: show(loyaltyTransaction, loyaltyView),
} as const satisfies Partial<CommandSpec>

/** "250 points of customer c-1", for the confirmation. */
export function describePoints(body: unknown, preposition: 'of' | 'to'): string {
  const [value, customerId] = [fieldAt(body, ['value']), fieldAt(body, ['customerId'])]
  return `${String(value)} points ${preposition} customer ${String(customerId)}`
}

/** Warns of points that the ledger already has for the order. The API can't list points, so nothing else shows that they were returned. */
async function warnAboutEarlierPoints(run: Invocation, body: unknown): Promise<void> {
  const orderId = textAt(body, 'orderId')
  if (orderId === undefined) return
  const { context } = run
  const account = await run.account()
  const ledger = await context.ledger(account)
  const { records } = await ledger.list({ holding: orderId })
  const earlier = records.filter(
    (record) =>
      record.operation === createLoyaltyTransaction.id &&
      record.orderId === orderId &&
      record.baseUrl === account.baseUrl.value &&
      record.state !== 'rejected',
  )
  if (earlier.length === 0) return
  const paint = await run.paint('stderr')
  const words = earlier.map((record) =>
    addNote(
      formatOperationAmount(published(record)) ?? 'unknown points',
      joinParts([formatAge(record.createdAt, context.now()), isOpen(record) ? 'in doubt' : undefined]),
    ),
  )
  const line = `! Earlier for order ${run.cleanText(orderId)}: ${words.join('; ')}`
  await run.warn(`${paint(wrapWords(line, context.stderr.columns).join('\n'), 'warn')}\n`, 'ids')
}
