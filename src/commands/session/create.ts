import { createSession } from '../../api/operations/session.ts'
import { session } from '../../api/models/session.ts'
import { show } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { sessionView } from '../../views/session/session.ts'
import { SESSION_FLAGS } from '../body-flags.ts'

export const command: CommandSpec = {
  path: ['session', 'create'],
  summary: 'Create a client session and get its client token',
  details:
    'The client token starts the checkout on the client and is valid for 24 hours. The amount is calculated from the line items unless you give --amount.',
  examples: [
    {
      purpose: 'create a session for an order of 10.00 EUR',
      line: 'pay session create --order-id A-1 --amount "10.00 EUR"',
    },
    {
      purpose: 'calculate the amount from line items',
      line: 'pay session create --order-id A-1 --currency EUR --line-item "name=Blue shoe,itemId=shoe-1,amount=1000,quantity=2"',
    },
    {
      purpose: 'add fees, shipping and an address',
      line: 'pay session create --order-id A-1 --line-item "name=Blue shoe,amount=10.00 EUR" --fee "amount=2.50 EUR,type=HANDLING" --shipping "4.90 EUR" --billing-address "firstName=Ada,city=Berlin,countryCode=DE"',
    },
    {
      purpose: 'print only the client token, for a script',
      line: 'pay session create --order-id A-1 --amount "10.00 EUR" -o id',
    },
  ],
  flags: SESSION_FLAGS,
  operation: createSession,
  present: show(session, sessionView),
  effect: 'Creates a session for a checkout; moves no money. The session expires after 24 hours.',
  related: ['session get', 'session update', 'payment create'],
}
