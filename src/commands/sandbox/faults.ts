import { OPERATIONS } from '../../api/table.ts'
import { textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { UsageError } from '../../errors.ts'
import { PLAIN_FAULT_KINDS } from '../../sandbox/faults/fault.ts'
import type { Fault, NewFault } from '../../sandbox/faults/fault.ts'
import { checkServed } from '../../sandbox/faults/check-served.ts'
import { readFault } from '../../sandbox/faults/read-fault.ts'
import { renderTable } from '../../output/table.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { oneOf } from '../../cli/parse/choices.ts'
import { FOLDER_FLAG, withSandbox } from './local-sandbox.ts'
import { readFlags } from './invalid-flags.ts'
import { agree, pluralize } from '../../text/words.ts'

const ACTIONS = ['add', 'list', 'clear'] as const

export const command: CommandSpec = {
  path: ['sandbox', 'faults'],
  summary: 'Make the sandbox fail the way networks and services do',
  details: [
    'refuse       not applied; refused as if no server were listening',
    'hang         not applied; accepted, but no response comes',
    'drop-before  not applied; the connection is closed',
    'status=503   not applied; the response has this status (300 to 599)',
    '429=30       not applied; the response is 429 with Retry-After (seconds or an HTTP date; default 1)',
    'drop-after   applied; the connection is closed without a response',
    'delay=2s     applied; the response comes after a delay',
    'truncate     applied; the connection is closed in the middle of the response',
    'malformed    applied; the response is not valid JSON',
    'html         applied; a proxy error page replaces the response (502)',
    'partial      applied; the response has no fields except IDs',
    '',
    'A request meets the first fault that matches it and is due. pay sandbox requests shows which fault each request met and whether it was applied. Faults stay until you clear them.',
  ].join('\n'),
  examples: [
    {
      purpose: 'apply refunds, but lose the responses',
      line: 'pay sandbox faults add --on "POST /payments/*/refund" --do drop-after',
    },
    {
      purpose: 'fail one call in five, the same ones each time',
      line: 'pay sandbox faults add --on "/**" --do status=503 --rate 0.2 --seed 7',
    },
    { purpose: 'list faults and how often they fired', line: 'pay sandbox faults list' },
    { purpose: 'remove all faults', line: 'pay sandbox faults clear' },
  ],
  args: [{ name: 'ACTION', choices: ACTIONS, help: 'add, list or clear' }],
  flags: {
    on: {
      kind: 'text',
      value: 'PATTERN',
      suggestions: OPERATIONS.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '*')}`),
      help: 'Which requests: an optional method and a path; * matches anything except /, ** anything',
    },
    do: {
      kind: 'text',
      value: 'KIND',
      suggestions: [...PLAIN_FAULT_KINDS, 'delay=2s', 'status=503', '429=30'],
      help: 'What happens to them: one of the kinds above',
    },
    rate: { kind: 'text', value: 'SHARE', help: 'Share of matching requests, such as 0.2 (default 1)' },
    seed: {
      kind: 'text',
      value: 'N',
      help: 'Picks the requests for --rate; the same seed picks the same ones (default random)',
    },
    times: { kind: 'text', value: 'N', help: 'Stop after N requests' },
    skip: { kind: 'text', value: 'N', help: 'Let the first N matching requests pass' },
    ...FOLDER_FLAG,
  },
  run,
  risk: 'write',
  effect: 'Makes the sandbox fail: no real money. To undo it, use pay sandbox faults clear.',
  related: ['sandbox requests', 'ops resolve'],
}

const FAULT_FLAGS = ['on', 'do', 'rate', 'seed', 'times', 'skip'] as const

async function run(invocation: Invocation, input: CommandInput) {
  const action = oneOf('ACTION', input.args['ACTION'] ?? '', ACTIONS)
  if (action === 'add') return add(invocation, readNewFault(invocation, input))
  refuseFaultFlags(input, action)
  if (action === 'list') {
    const list = await withSandbox(invocation, ({ read }) => read(({ store }) => store.faults.list()))
    return resultOf(list, faultListView)
  }
  const cleared = await withSandbox(invocation, ({ write }) => write(({ store }) => store.faults.clear()))
  return resultOf(
    { cleared },
    textView(() => (cleared === 0 ? 'There were no faults.' : `${pluralize(cleared, 'fault')} removed.`)),
  )
}

async function add(invocation: Invocation, fault: NewFault) {
  const { isServed, suggestion } = checkServed(fault.on)
  if (!isServed)
    await invocation.warn(
      `Warning: no operation matches ${fault.on}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`,
    )
  const added = await withSandbox(invocation, ({ write }) => write(({ store }) => store.faults.add(fault)))
  return resultOf(added, faultView)
}

function readNewFault({ context }: Invocation, input: CommandInput): NewFault {
  const given = FAULT_FLAGS.flatMap((name) => {
    const text = textFlag(input, name)
    return text === undefined ? [] : [[name, name === 'on' || name === 'do' ? text : asNumber(text)] as const]
  })
  return readFlags(() => readFault(Object.fromEntries(given), context.random), {
    code: 'bad_fault',
    summary: 'The fault is not valid',
    help: 'pay sandbox faults --help',
  })
}

/** Converts digits to a number; leaves anything else for the check to refuse. */
const asNumber = (text: string): number | string =>
  /^-?(?:\d+(?:\.\d+)?|\.\d+)$/.test(text) ? Number(text) : text

function refuseFaultFlags({ flags }: CommandInput, action: string): void {
  const misplaced = FAULT_FLAGS.filter((name) => flags[name] !== undefined)
  if (misplaced.length === 0) return
  const names = misplaced.map((name) => `--${name}`).join(', ')
  throw new UsageError(`${names} ${agree(misplaced.length, 'belongs', 'belong')} to add, not to ${action}`, {
    code: 'bad_value',
    hint: action === 'clear' ? 'clear removes every fault.' : undefined,
  })
}

const CSV_COLUMNS = ['id', 'on', 'do', 'rate', 'seed', 'times', 'skip', 'matched', 'fired'] as const

export const faultView: View<Fault> = {
  ids: ({ id }) => [String(id)],
  csvColumns: CSV_COLUMNS,
  render: (fault, options) => tableOf([fault], options),
}

export const faultListView: View<readonly Fault[]> = {
  ids: (faults) => faults.map(({ id }) => String(id)),
  csvColumns: CSV_COLUMNS,
  render: (faults, options) =>
    faults.length === 0 ? 'No faults: the sandbox works normally.' : tableOf(faults, options),
}

const tableOf = (faults: readonly Fault[], options: RenderOptions): string =>
  renderTable(
    [
      { title: 'ID', text: ({ id }) => String(id) },
      { title: 'ON', text: ({ on }) => on, tone: () => 'strong' },
      { title: 'DO', text: (fault) => fault.do, tone: () => 'bad' },
      { title: 'WHICH', text: whichOf, drop: 1 },
      { title: 'MET', text: ({ fired, matched }) => `${fired} of ${matched}`, align: 'right' },
    ],
    faults,
    options,
  )

/** Which matching requests meet the fault; empty if all do. */
function whichOf({ rate, seed, times, skip, fired }: Fault): string {
  return [
    ...(rate < 1 ? [`rate ${rate}, seed ${seed}`] : []),
    ...(skip > 0 ? [`after ${skip}`] : []),
    ...(times === undefined ? [] : [fired < times ? `at most ${times}` : `spent: ${times} of ${times}`]),
  ].join(', ')
}
