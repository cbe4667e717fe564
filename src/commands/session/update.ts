import { orderTotal } from '../../api/models/order-total.ts'
import { readAs } from '../../api/read-as.ts'
import { fieldAt } from '../../cli/request/field-path.ts'
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
    'Only what is given changes. customer, order, metadata and paymentMethod are each replaced as a whole: fields of them that are not given are gone afterwards. On a terminal they are shown before; --merge keeps them. --unset clears a field. An amount that was given stays as it is when the order changes; without one it is calculated.',
  examples: [
    {
      says: 'another amount',
      line: "pay session create --order-id A-1 --amount '10.00 EUR' -o id | pay session update --client-token - --amount '12.50 EUR'",
    },
    {
      says: 'another e-mail address, and the rest of the customer as it is',
      line: 'pay session create --email a@example.com -o id | pay session update --client-token - --email b@example.com --merge',
    },
    {
      says: 'clear the customer id',
      line: 'pay session create --customer-id c-1 -o id | pay session update --client-token - --unset customerId',
    },
  ],
  flags: {
    'client-token': { ...CLIENT_TOKEN_FLAG, field: 'clientToken' },
    ...SESSION_FLAGS,
    merge: {
      kind: 'switch',
      help: 'Read the session first, and send customer, order, metadata and paymentMethod with what is there now',
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
  // Read only where it is looked at: by a person, or to merge.
  look: async (invocation, draft) => {
    const { prepareUpdate } = await import('./prepare-update.ts')
    return prepareUpdate(invocation, draft)
  },
  present: show(session, sessionView),
  effect: 'Changes the session; moves no money. What it drops of a replaced object is gone.',
  related: ['session get', 'session create'],
}

/** What a session's amount is calculated from (spec 2.2), in either form of an order. */
const ORDER_FIELDS = ['order', 'orderDetails', 'lineItems'] as const

/**
 * Says so when an update has changed what is bought and the amount is not what that comes to: a top-level amount overrides
 * the calculated one (spec 2.2), and whoever sends new lines may expect another amount to be charged.
 */
function amountMismatch(body: unknown, answer: unknown): string | undefined {
  const changesOrder = ORDER_FIELDS.some((name) => fieldAt(body, [name]) !== undefined)
  if (!changesOrder || fieldAt(body, ['amount']) !== undefined) return undefined
  const { amount, currencyCode, order } = readAs(session, answer) ?? {}
  const total = orderTotal(order)
  if (amount === undefined || total === undefined || total === BigInt(amount)) return undefined
  const [stays, comesTo] = [formatMoney(amount, currencyCode), formatMoney(Number(total), currencyCode)]
  return (
    `The amount was not recalculated: it stays ${stays}, and the order comes to ${comesTo}. ` +
    'Set it with --amount, or have it calculated with --unset amount.'
  )
}
