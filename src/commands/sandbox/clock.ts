import { parseDuration } from '../../text/duration.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { oneOf } from '../../cli/parse/choices.ts'
import { UsageError } from '../../errors.ts'
import { advanceTime, showTime } from '../../sandbox/controls/clock.ts'
import { FOLDER_FLAG, withSandbox } from './local-sandbox.ts'

const ACTIONS = ['show', 'advance'] as const

export const command: CommandSpec = {
  path: ['sandbox', 'clock'],
  summary: 'Show the sandbox clock, or move it forward',
  details:
    'Client tokens expire after 24 hours on this clock. SETTLING payments and PENDING refunds settle after one hour.',
  examples: [
    { purpose: 'show the sandbox time', line: 'pay sandbox clock show' },
    { purpose: 'settle pending payments and refunds', line: 'pay sandbox clock advance 2h' },
  ],
  args: [
    { name: 'ACTION', choices: ACTIONS, help: 'show or advance' },
    { name: 'DURATION', optional: true, help: 'How far to advance: 90m, 25h, 1d' },
  ],
  flags: FOLDER_FLAG,
  run: async (invocation, input) => {
    const ms = readAdvance(input)
    const time = await withSandbox(invocation, (sandbox) =>
      ms === undefined ? sandbox.read(showTime) : sandbox.write((at) => advanceTime(at, ms)),
    )
    return resultOf(
      time,
      textView(
        ({ now, offsetMs }) =>
          `${now}${offsetMs === 0 ? '' : ` (${Math.round(offsetMs / 1000)} s ahead of this machine)`}`,
      ),
    )
  },
  risk: 'write',
  effect:
    'Moves the sandbox clock forward, which settles payments and expires tokens: no real money. Only pay sandbox reset turns it back.',
  related: ['sandbox reset'],
}

/** Milliseconds to advance by; undefined to only show the time. */
function readAdvance({ args }: CommandInput): number | undefined {
  const { DURATION: duration } = args
  const action = oneOf('ACTION', args['ACTION'] ?? '', ACTIONS)
  if (action === 'show' && duration === undefined) return undefined
  if (action === 'advance' && duration !== undefined) return parseDuration(duration, 'clock advance')
  throw new UsageError(action === 'advance' ? 'Missing: DURATION' : 'clock show takes no DURATION', {
    code: action === 'advance' ? 'missing_input' : 'usage',
    hint: 'For example: pay sandbox clock advance 2h',
  })
}
