import { shellWord } from '../../files/shell.ts'
import { textFlag, switchFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { parseCount } from '../../cli/parse/count.ts'
import { EXIT, UsageError } from '../../errors.ts'
import { seedHistory } from '../../sandbox/seed/seed.ts'
import { FOLDER_FLAG, sandboxFolder, withSandbox } from './local-sandbox.ts'
import { emptySandbox } from './reset.ts'
import { pluralize } from '../../text/words.ts'

export const command: CommandSpec = {
  path: ['sandbox', 'seed'],
  summary: 'Fill the sandbox with the payments of a made-up shop',
  details: [
    'The payments are made by the rules of the sandbox in the days before its clock: some are declined, wait for the customer, are refunded or cancelled. The same seed and clock give the same payments.',
    'A sandbox that has payments is refused, unless --reset empties it first.',
  ].join('\n\n'),
  examples: [
    { purpose: 'have something to try commands on', line: 'pay sandbox seed' },
    { purpose: 'start over with another shop', line: 'pay sandbox seed --seed 8 --reset' },
  ],
  flags: {
    payments: { kind: 'count', value: 'N', help: 'How many payments (default 200)' },
    days: { kind: 'count', value: 'N', help: 'Over how many days until the sandbox clock (default 30)' },
    seed: { kind: 'count', value: 'N', help: 'Another number makes up another shop (default 7)' },
    reset: { kind: 'switch', help: 'Empty the sandbox and reset its clock first' },
    ...FOLDER_FLAG,
  },
  run,
  exitCodes: [EXIT.conflict],
  risk: 'write',
  effect: 'Adds payments to the sandbox; --reset deletes everything in it first: no real money.',
  related: ['sandbox reset', 'sandbox open', 'payment list'],
}

async function run(invocation: Invocation, input: CommandInput) {
  const numbers = {
    payments: readNumber(input, 'payments', { least: 1, most: 1_000_000, otherwise: 200 }),
    days: readNumber(input, 'days', { least: 1, most: 3650, otherwise: 30 }),
    seed: readNumber(input, 'seed', { least: 0, most: 2 ** 31 - 1, otherwise: 7 }),
  }
  const { stop } = invocation.context.interruption
  const period = await withSandbox(invocation, async (sandbox) => {
    const isReset = switchFlag(input, 'reset')
    if (isReset) await emptySandbox(invocation, sandbox)
    return seedHistory(sandbox.write, { ...numbers, isReset, stop })
  })
  return resultOf(
    { folder: sandboxFolder(invocation), ...numbers, ...period },
    textView(({ payments, from, to, folder }) =>
      [
        `${pluralize(payments, 'payment')} from ${from.slice(0, 10)} to ${to.slice(0, 10)} in ${folder}`,
        // pay --sandbox has a folder of its own.
        ...(textFlag(input, 'data') === undefined
          ? ['Try: pay --sandbox payment list', '     pay --sandbox insights']
          : [`Try: pay sandbox start --data ${shellWord(folder)}`]),
      ].join('\n'),
    ),
  )
}

interface Range {
  readonly least: number
  readonly most: number
  readonly otherwise: number
}

function readNumber(input: CommandInput, flag: string, { least, most, otherwise }: Range): number {
  const text = textFlag(input, flag)
  if (text === undefined) return otherwise
  const number = parseCount(text, `--${flag}`)
  if (number >= least && number <= most) return number
  throw new UsageError(`--${flag} takes a number from ${least} to ${most}, not "${text}"`, {
    code: 'bad_value',
  })
}
