import { getSession } from '../../api/operations/session.ts'
import { session } from '../../api/models/session.ts'
import { show } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { sessionView } from '../../views/session/session.ts'
import { CLIENT_TOKEN_FLAG } from './client-token-flag.ts'

export const command: CommandSpec = {
  path: ['session', 'get'],
  summary: 'Show a client session',
  examples: [
    {
      purpose: 'show the session of a client token',
      line: 'pay session create --order-id A-1 --amount "10.00 EUR" -o id | pay session get --client-token -',
    },
  ],
  flags: {
    'client-token': { ...CLIENT_TOKEN_FLAG, query: 'clientToken' },
  },
  operation: getSession,
  present: show(session, sessionView),
  related: ['session update', 'payment create'],
}
