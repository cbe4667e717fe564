import { updateSession } from '../../api/operations/session.ts'
import { session } from '../../api/models/session.ts'
import { runOperation } from '../../cli/operate.ts'
import { show } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { sessionView } from '../../views/session/session.ts'
import { SESSION_FLAGS } from '../body-flags.ts'
import { CLIENT_TOKEN } from './client-token.ts'

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
    'client-token': { ...CLIENT_TOKEN, field: 'clientToken' },
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
      const { amountStays } = await import('./amount-stays.ts')
      const warning = amountStays(body, answer.json)
      if (warning !== undefined) await invocation.warn(`Warning: ${warning}`)
      return { answer, problem: undefined }
    }),
  // Read only where it is looked at: by a person, or to merge.
  reviewTarget: async (invocation, draft) => {
    const { lookAtSession } = await import('./look-at-session.ts')
    return lookAtSession(invocation, draft)
  },
  present: show(session, sessionView),
  effect: 'Changes the session; moves no money. What it drops of a replaced object is gone.',
  related: ['session get', 'session create'],
}
