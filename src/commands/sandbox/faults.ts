import { OPERATIONS } from '../../api/table.ts'
import { readArgument } from '../../cli/parse/choices.ts'
import { textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { UsageError } from '../../errors.ts'
import { PLAIN_FAULT_KINDS } from '../../sandbox/faults/fault.ts'
import type { NewFault } from '../../sandbox/faults/fault.ts'
import { reach } from '../../sandbox/faults/reach.ts'
import { readFault } from '../../sandbox/faults/read-fault.ts'
import { faultListView, faultView } from '../../views/sandbox/faults.ts'
import { FOLDER_FLAG, withSandbox } from './local-sandbox.ts'
import { wrongFlags } from './wrong-flags.ts'

const ACTIONS = ['add', 'list', 'clear'] as const

export const command: CommandSpec = {
  path: ['sandbox', 'faults'],
  summary: 'Make the sandbox fail as networks and services do',
  details: [
    'refuse       as if nobody listened: nothing is applied',
    'hang         taken and never answered: nothing is applied',
    'drop-before  the connection is cut: nothing is applied',
    'status=503   answered so, from 300 to 599: nothing is applied',
    '429=30       the same, with Retry-After (seconds or an HTTP date; 429 alone: 1)',
    'drop-after   applied, then the connection is cut',
    'delay=2s     applied, answered late',
    'truncate     applied; the connection is cut in the middle of the answer',
    'malformed    applied; the answer is no JSON',
    'html         applied; a page of a proxy comes in its place (502)',
    'partial      applied; the answer has no fields but ids',
    '',
    'A request meets the first fault that is on it and due. pay sandbox requests tells which one each request met, and whether it was applied. Faults stay until they are cleared.',
  ].join('\n'),
  examples: [
    {
      says: 'refunds are done, and their answers lost',
      line: "pay sandbox faults add --on 'POST /payments/*/refund' --do drop-after",
    },
    {
      says: 'one call in five fails, the same ones each time',
      line: "pay sandbox faults add --on '/**' --do status=503 --rate 0.2 --seed 7",
    },
    { says: 'which there are, and what they have met', line: 'pay sandbox faults list' },
    { says: 'no more of it', line: 'pay sandbox faults clear' },
  ],
  args: [{ name: 'ACTION', choices: ACTIONS, help: 'add, list or clear' }],
  flags: {
    on: {
      kind: 'text',
      value: 'PATTERN',
      known: OPERATIONS.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '*')}`),
      help: 'Which requests: a method or * (any when left out), and a path; * in it is anything but /, ** anything',
    },
    do: {
      kind: 'text',
      value: 'KIND',
      known: [...PLAIN_FAULT_KINDS, 'delay=2s', 'status=503', '429=30'],
      help: 'What happens to them: one of the above',
    },
    rate: { kind: 'text', value: 'SHARE', help: 'To this share of them, such as 0.2 (default 1)' },
    seed: { kind: 'text', value: 'N', help: 'Which ones: the same seed, the same requests (default random)' },
    times: { kind: 'text', value: 'N', help: 'To this many at most' },
    skip: { kind: 'text', value: 'N', help: 'Not to the first N' },
    ...FOLDER_FLAG,
  },
  run,
  risk: 'write',
  effect: 'Makes the sandbox fail: no real money. Undone by pay sandbox faults clear.',
  related: ['sandbox requests', 'ops resolve'],
}

const FAULT_FLAGS = ['on', 'do', 'rate', 'seed', 'times', 'skip'] as const

async function run(invocation: Invocation, input: CommandInput) {
  const action = readArgument(input, 'ACTION', ACTIONS, 'pay sandbox faults --help')
  if (action === 'add') return add(invocation, readNewFault(invocation, input))
  refuseFaultFlags(input, action)
  if (action === 'list') {
    const list = await withSandbox(invocation, ({ faults }) => faults.list())
    return resultOf(list, faultListView)
  }
  const cleared = await withSandbox(invocation, ({ faults }) => faults.clear())
  return resultOf(
    { cleared },
    textView(() =>
      cleared === 0
        ? 'There were no faults.'
        : `${cleared} ${cleared === 1 ? 'fault is' : 'faults are'} gone.`,
    ),
  )
}

async function add(invocation: Invocation, fault: NewFault) {
  const { isServed, suggestion } = reach(fault.on)
  if (!isServed)
    await invocation.warn(
      `Warning: no operation of the service is at ${fault.on}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`,
    )
  const added = await withSandbox(invocation, ({ faults }) => faults.add(fault))
  return resultOf(added, faultView)
}

function readNewFault({ context }: Invocation, input: CommandInput): NewFault {
  const given = FAULT_FLAGS.flatMap((name) => {
    const text = textFlag(input, name)
    return text === undefined ? [] : [[name, name === 'on' || name === 'do' ? text : asNumber(text)] as const]
  })
  const read = readFault(Object.fromEntries(given), context.random)
  if ('fault' in read) return read.fault
  throw wrongFlags(read.problems, {
    code: 'bad_fault',
    words: 'That is no fault',
    help: 'pay sandbox faults --help',
  })
}

/** A number where one is written in digits; anything else stays what it is, and is refused as such. */
const asNumber = (text: string): number | string => (/^-?\d*\.?\d+$/.test(text) ? Number(text) : text)

function refuseFaultFlags({ flags }: CommandInput, action: string): void {
  const foreign = FAULT_FLAGS.filter((name) => flags[name] !== undefined)
  if (foreign.length === 0) return
  const names = foreign.map((name) => `--${name}`).join(', ')
  throw new UsageError(`${names} ${foreign.length === 1 ? 'belongs' : 'belong'} to add, not to ${action}`, {
    code: 'bad_value',
    hint: action === 'clear' ? 'clear takes all faults away' : undefined,
  })
}
