import { orderTotal } from '../../api/models/order-total.ts'
import { parseResponse } from '../../api/parse-response.ts'
import { fieldAt } from '../../json/fields.ts'
import { formatMoney } from '../../money/format.ts'
import { updateSession } from '../../api/operations/session.ts'
import { session } from '../../api/models/session.ts'
import { runOperation } from '../../cli/operate.ts'
import { show } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { sessionView } from '../../views/session/session.ts'
import { SESSION_FLAGS } from '../body-flags.ts'
import { CLIENT_TOKEN_FLAG } from './client-token-flag.ts'

export const command: CommandSpec = {
  path: ['session', 'update'],
  summary: 'Change a client session',
  details:
    "Changes only the fields you give. It replaces customer, order, metadata and paymentMethod as a whole, which drops any of their fields that you leave out: a terminal shows them first, and --merge keeps them. --unset clears a field. If the session's amount was set explicitly, changing the order doesn't change it; otherwise it is recalculated.",
  examples: [
    {
      purpose: 'change the amount',
      line: 'pay session create --order-id A-1 --amount "10.00 EUR" -o id | pay session update --client-token - --amount "12.50 EUR"',
    },
    {
      purpose: 'change the email address and keep the other customer fields',
      line: 'pay session create --email a@example.com -o id | pay session update --client-token - --email b@example.com --merge',
    },
    {
      purpose: 'clear the customer ID',
      line: 'pay session create --customer-id c-1 -o id | pay session update --client-token - --unset customerId',
    },
  ],
  flags: {
    'client-token': { ...CLIENT_TOKEN_FLAG, field: 'clientToken' },
    ...SESSION_FLAGS,
    merge: {
      kind: 'switch',
      help: 'Read the session first, and keep the current fields of customer, order, metadata and paymentMethod',
    },
    unset: { kind: 'unset', value: 'PATH', help: 'Clear a field (sends null); repeatable' },
  },
  operation: updateSession,
  run: (invocation) =>
    runOperation(invocation, async (answer, { body }) => {
      const warning = amountMismatch(body, answer.json)
      if (warning !== undefined) await invocation.warn(`Warning: ${warning}`)
      return { answer, problem: undefined }
    }),
  // Imported lazily: most updates from scripts neither merge nor show changes.
  reviewTarget: async (invocation, draft) => {
    const { prepareUpdate } = await import('./prepare-update.ts')
    return prepareUpdate(invocation, draft)
  },
  present: show(session, sessionView),
  effect:
    "Changes the session; moves no money. You can't restore fields that it drops from a replaced object.",
  related: ['session get', 'session create'],
}

/** The fields that a session's amount is calculated from (spec 2.2), in either form of an order. */
const ORDER_FIELDS = ['order', 'orderDetails', 'lineItems'] as const

/**
 * A warning if the update changed the order but not the amount. A top-level amount overrides the calculated one (spec 2.2),
 * so the customer may be charged an amount that doesn't match the new order.
 */
function amountMismatch(body: unknown, answer: unknown): string | undefined {
  const changesOrder = ORDER_FIELDS.some((name) => fieldAt(body, [name]) !== undefined)
  if (!changesOrder || fieldAt(body, ['amount']) !== undefined) return undefined
  const { amount, currencyCode, order } = parseResponse(session, answer) ?? {}
  const total = orderTotal(order)
  if (amount === undefined || total === undefined || total === BigInt(amount)) return undefined
  const [actual, expected] = [formatMoney(amount, currencyCode), formatMoney(Number(total), currencyCode)]
  return (
    `The amount was not recalculated: it is still ${actual}, but the order adds up to ${expected}. ` +
    'Set it with --amount, or recalculate it with --unset amount.'
  )
}
