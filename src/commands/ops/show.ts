import { earlierSandboxTest } from '../../cli/command/sandbox-identity.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { EXIT } from '../../errors.ts'
import { recordView } from '../../views/ops/record.ts'
import { recordDetails } from './record-details.ts'
import { ID_ARGUMENT, findReadableRecord, openLedger } from './record-arguments.ts'

export const command: CommandSpec = {
  path: ['ops', 'show'],
  summary: 'Show everything recorded about one write, and what to do next',
  details:
    'Needs no account and no network. For an open write, also shows the request that may be sent again.',
  examples: [
    { purpose: 'show one write', line: 'pay ops show "$OPERATION"' },
    { purpose: 'print its state, for a script', line: 'pay ops show "$OPERATION" --query state -o id' },
  ],
  args: [ID_ARGUMENT],
  run: async (invocation, { args }) => {
    const found = await findReadableRecord(await openLedger(invocation), (args['ID'] ?? '').trim())
    const isEarlier = await earlierSandboxTest(invocation.context)
    const details = await recordDetails(found)
    return resultOf(
      isEarlier(found.record) ? { ...details, earlierSandbox: true as const } : details,
      recordView,
    )
  },
  exitCodes: [EXIT.notFound],
  related: ['ops list', 'ops resolve', 'ops abandon'],
}
