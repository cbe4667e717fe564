import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { EXIT } from '../../errors.ts'
import { recordView } from '../../views/ops/record.ts'
import { foundRecord } from './found-record.ts'
import { ID_ARGUMENT, idArgument } from './id-argument.ts'
import { shownRecord } from './shown-record.ts'

export const command: CommandSpec = {
  path: ['ops', 'show'],
  summary: 'Show all that is recorded of one write, and what to do next',
  details:
    'Needs no account and asks no service. While a write is open, the request that may be sent again is shown too.',
  examples: [
    { says: 'one of the list', line: 'pay ops show "$OPERATION"' },
    { says: 'how it ended, for a script', line: 'pay ops show "$OPERATION" --query state -o id' },
  ],
  args: [ID_ARGUMENT],
  run: async (invocation: Invocation) => {
    const id = await idArgument(invocation)
    const found = await foundRecord(await invocation.context.ledger(), id)
    return resultOf(await shownRecord(found), recordView)
  },
  exitCodes: [EXIT.notFound],
  related: ['ops list', 'ops resolve', 'ops abandon'],
}
