import { getSession } from '../../api/operations/session.ts'
import { session } from '../../api/session.ts'
import { show } from '../../cli/result.ts'
import type { CommandSpec } from '../../cli/spec.ts'
import { sessionView } from '../../views/session.ts'

export const command: CommandSpec = {
  path: ['session', 'get'],
  summary: 'Read a client session',
  examples: [
    {
      says: 'what a client token stands for',
      line: "pay session create --order-id A-1 --amount '10.00 EUR' -o id | pay session get --client-token -",
    },
  ],
  flags: {
    'client-token': {
      kind: 'text',
      value: 'TOKEN',
      query: 'clientToken',
      required: true,
      secret: true,
      ask: 'Client token',
      hint: 'The session: its client token',
      help: 'The session: its client token, or - to read it from stdin',
    },
  },
  operation: getSession,
  present: show(session, sessionView),
  related: ['session update', 'payment create'],
}
