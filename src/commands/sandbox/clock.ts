import { parseDuration } from '../../duration.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { UsageError } from '../../errors.ts'
import { FOLDER_FLAG, withSandbox } from './local-sandbox.ts'

export const command: CommandSpec = {
  path: ['sandbox', 'clock'],
  summary: "Show the sandbox's clock, or move it forward",
  details:
    'Moving it expires client tokens (24 hours), and settles payments that are SETTLING and refunds that are PENDING (one hour).',
  examples: [
    { says: 'what time it is there', line: 'pay sandbox clock show' },
    { says: 'settle what is settling', line: 'pay sandbox clock advance 2h' },
  ],
  args: [
    { name: 'ACTION', choices: ['show', 'advance'], help: 'show or advance' },
    { name: 'DURATION', optional: true, help: 'How far to advance: 90m, 25h, 1d' },
  ],
  flags: FOLDER_FLAG,
  run: async (invocation: Invocation, input: CommandInput) => {
    const ms = readAdvance(input)
    const time = await withSandbox(invocation, ({ clock }) =>
      ms === undefined ? clock.show() : clock.advance(ms),
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
    "Moves the sandbox's clock, which settles and expires things in it: no real money. It never goes back, but for pay sandbox reset.",
  related: ['sandbox reset'],
}

/** Milliseconds to advance by; undefined to show the time only. */
function readAdvance({ args }: CommandInput): number | undefined {
  const { ACTION: action, DURATION: duration } = args
  if (action === 'show' && duration === undefined) return undefined
  if (action === 'advance' && duration !== undefined) return parseDuration(duration, 'clock advance')
  throw new UsageError(
    action === 'advance' ? 'Missing: DURATION' : 'clock takes "show", or "advance DURATION"',
    {
      code: 'missing_input',
      hint: 'Write it like pay sandbox clock advance 2h',
    },
  )
}
