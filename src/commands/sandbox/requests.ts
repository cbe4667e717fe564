import { readArgument } from '../../cli/parse/choices.ts'
import { textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { UsageError } from '../../errors.ts'
import { readLogView, viewLog } from '../../sandbox/log/log-view.ts'
import type { LogView } from '../../sandbox/log/log-view.ts'
import { requestListView } from '../../views/sandbox/requests.ts'
import { FOLDER_FLAG, withSandbox } from './local-sandbox.ts'
import { wrongFlags } from './wrong-flags.ts'

const ACTIONS = ['list', 'clear'] as const
const DEFAULT_LIMIT = 20

export const command: CommandSpec = {
  path: ['sandbox', 'requests'],
  summary: 'Tell what requests have arrived, and what became of them',
  details:
    'Newest first: where it went, its keys, how it was answered, the fault that it met, and whether it was applied, that is, changed anything. Requests of pay --sandbox and of every client of a server are in one log; the last 10,000 are kept. No bodies, no tokens.',
  examples: [
    { says: 'the last twenty', line: 'pay sandbox requests' },
    {
      says: 'how many refunds were applied',
      line: "pay sandbox requests --on 'POST /payments/*/refund' --limit 10000 --query 'length([?applied])'",
    },
    { says: 'begin anew', line: 'pay sandbox requests clear' },
  ],
  args: [{ name: 'ACTION', optional: true, choices: ACTIONS, help: 'list (when left out) or clear' }],
  flags: {
    limit: { kind: 'text', value: 'N', help: `How many, up to 10000 (default ${DEFAULT_LIMIT})` },
    on: {
      kind: 'text',
      value: 'PATTERN',
      help: "Only those at a method and a path, as for faults: 'POST /payments/**'",
    },
    ...FOLDER_FLAG,
  },
  run: async (invocation: Invocation, input: CommandInput) => {
    const isList =
      input.args['ACTION'] === undefined ||
      readArgument(input, 'ACTION', ACTIONS, 'pay sandbox requests --help') === 'list'
    if (isList) {
      const view = readView(input)
      return resultOf(
        await withSandbox(invocation, ({ requests }) => viewLog(requests, view)),
        requestListView,
      )
    }
    if (input.flags['on'] !== undefined || input.flags['limit'] !== undefined)
      throw new UsageError('clear takes no --on and no --limit: it empties the whole log', {
        code: 'bad_value',
      })
    await withSandbox(invocation, ({ requests }) => requests.clear())
    return resultOf([], requestListView)
  },
  risk: 'write',
  effect: 'Reads; clear empties the log of requests for good.',
  related: ['sandbox faults'],
}

function readView(input: CommandInput): LogView {
  const given = { limit: textFlag(input, 'limit'), on: textFlag(input, 'on') }
  const read = readLogView(given, DEFAULT_LIMIT)
  if ('view' in read) return read.view
  throw wrongFlags(read.problems, {
    code: 'bad_value',
    words: 'The flags are not valid',
    help: 'pay sandbox requests --help',
  })
}
