import type { Context } from '../../cli/context.ts'
import { fieldAt, parseFieldPath } from '../../cli/field-path.ts'
import { textFlag } from '../../cli/input.ts'
import type { CommandInput } from '../../cli/input.ts'
import type { Invocation } from '../../cli/invocation.ts'
import { resultOf } from '../../cli/result.ts'
import { run as runCommand } from '../../cli/run.ts'
import type { CommandSpec } from '../../cli/spec.ts'
import { EXIT, UsageError, interruptedBy } from '../../errors.ts'
import { parseJson } from '../../json/json.ts'
import { smokeView } from '../../views/smoke.ts'
import type { SmokeStep } from '../../views/smoke.ts'
import { junitReport } from './junit.ts'
import { SECRET_FACTS, STEPS } from './smoke-steps.ts'
import type { Facts, Step } from './smoke-steps.ts'

export const command: CommandSpec = {
  path: ['smoke'],
  summary: 'Run the whole life of a payment, step by step, against a test profile',
  details:
    'Session, payment, partial capture, refund, external record, loyalty points, saved method: each step is shown as the pay command that does it, with its outcome, its time and its request id. A live profile is refused. The exit code is that of the first step that failed.',
  examples: [
    { says: 'on the embedded sandbox: no account, no network', line: 'pay smoke --sandbox' },
    { says: 'in CI, with a report', line: 'pay smoke --sandbox --junit smoke.xml' },
  ],
  flags: {
    junit: { kind: 'text', value: 'FILE', help: 'Write a JUnit report as well' },
    token: {
      kind: 'text',
      value: 'TOKEN',
      secret: true,
      help: 'Payment method token to pay with (default tok_visa, of the sandbox)',
    },
  },
  run,
}

async function run(invocation: Invocation, input: CommandInput) {
  const account = await invocation.account()
  if (account.mode.value === 'live') {
    throw new UsageError('pay smoke moves money, and this is a live profile', {
      code: 'live_refused',
      outcome: 'none',
      hint: 'Use a test profile, or --sandbox',
    })
  }
  const { context } = invocation
  const suffix = context.newId().slice(-8)
  let facts: Facts = {
    order: `smoke-${suffix}`,
    customer: `smoke-customer-${suffix}`,
    external: `smoke-external-${suffix}`,
    token: textFlag(input, 'token') ?? 'tok_visa',
    now: `${context.now().toISOString().slice(0, 19)}Z`,
  }
  const junit = textFlag(input, 'junit')
  // A report that cannot be written is found out before anything is sent.
  if (junit !== undefined)
    context.writeFile(junit, junitReport({ passed: 0, total: STEPS.length, steps: [] }))
  const steps: SmokeStep[] = []
  for (const step of STEPS) {
    if (context.interruption.stop.aborted) break
    const { shown, found } = await runStep(invocation, step, facts)
    steps.push(shown)
    facts = { ...facts, ...found }
  }
  const failed = steps.find((step) => step.exitCode !== 0)?.exitCode
  // Cut short, it has passed nothing.
  const exitCode =
    failed ?? (steps.length < STEPS.length ? interruptedBy(context.interruption.stop).exitCode : EXIT.done)
  const result = {
    passed: steps.filter((step) => step.outcome === 'passed').length,
    total: STEPS.length,
    steps,
  }
  if (junit !== undefined) context.writeFile(junit, junitReport(result))
  return resultOf(result, smokeView, exitCode)
}

async function runStep(
  { context, tree, input }: Invocation,
  step: Step,
  facts: Facts,
): Promise<{ readonly shown: SmokeStep; readonly found: Facts }> {
  const selector = selectorOf(input)
  const words = step.words.map((word) => fill(word, facts))
  const line = [
    'pay',
    ...selector,
    ...step.words.map((word) => quote(fill(word, { ...facts, ...secretsOf(input, facts) }) ?? word)),
  ].join(' ')
  const base = { title: step.title, command: line }
  if (words.includes(undefined)) {
    return {
      shown: {
        ...base,
        outcome: 'skipped',
        says: 'an earlier step did not bring what it needs',
        exitCode: 0,
        durationMs: 0,
      },
      found: {},
    }
  }
  const captured = captureContext(context)
  const started = context.now().getTime()
  const argv = [...selector, ...words.filter((word) => word !== undefined), '--json', '--no-input', '--quiet']
  const exitCode = await runCommand(tree, argv, captured.context)
  const ended = { durationMs: context.now().getTime() - started, requestId: captured.requestId(), exitCode }
  if (exitCode !== 0)
    return { shown: { ...base, ...ended, outcome: 'failed', says: errorWords(captured.stderr()) }, found: {} }
  const answer = parseJson(captured.stdout(), { duplicateKeys: 'last' })
  const found = Object.entries(step.facts ?? {}).flatMap(([name, path]) => {
    const value = fieldAt(answer, parseFieldPath(path, name))
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return {
    shown: { ...base, ...ended, outcome: 'passed', says: step.says(answer) },
    found: Object.fromEntries(found),
  }
}

/** The same world, with streams that are kept, and the last request id. */
function captureContext(context: Context) {
  const kept = { stdout: '', stderr: '' }
  let requestId: string | undefined
  const output = (name: 'stdout' | 'stderr') => ({
    isTTY: false,
    columns: undefined,
    write: async (text: string) => {
      kept[name] += text
    },
  })
  return {
    context: {
      ...context,
      stdout: output('stdout'),
      stderr: output('stderr'),
      stdin: { isTTY: false, read: async () => new Uint8Array() },
      connect: async (account: Parameters<Context['connect']>[0]) => {
        const transport = await context.connect(account)
        return {
          close: () => transport.close(),
          send: async (...sent: Parameters<typeof transport.send>) => {
            const answer = await transport.send(...sent)
            requestId = answer.headers['x-request-id']
            return answer
          },
        }
      },
    },
    stdout: () => kept.stdout,
    stderr: () => kept.stderr,
    requestId: () => requestId,
  }
}

/** How the account was chosen, handed on to each step. */
function selectorOf(input: CommandInput): readonly string[] {
  const pairs = (['profile', 'base-url', 'api-version', 'timeout', 'max-retries'] as const).flatMap(
    (name) => {
      const value = textFlag(input, name)
      return value === undefined ? [] : [`--${name}`, value]
    },
  )
  return input.flags['sandbox'] === true ? ['--sandbox', ...pairs] : pairs
}

function fill(word: string, facts: Facts): string | undefined {
  const name = /^\{(\w+)\}$/.exec(word)?.[1]
  return name === undefined ? word : facts[name]
}

/** Tokens are shown as a variable; the sandbox's own fixed one is no secret. */
function secretsOf(input: CommandInput, facts: Facts): Facts {
  const hidden = SECRET_FACTS.flatMap((name) =>
    facts[name] === undefined ? [] : [[name, '$SAVED'] as const],
  )
  return {
    ...Object.fromEntries(hidden),
    ...(textFlag(input, 'token') === undefined ? {} : { token: '$TOKEN' }),
  }
}

const quote = (word: string): string =>
  /^\$[A-Z]+$/.test(word)
    ? `"${word}"`
    : /^[\w.:@/-]+$/.test(word)
      ? word
      : `'${word.replaceAll("'", "'\\''")}'`

function errorWords(stderr: string): string {
  const last = stderr.trim().split('\n').at(-1) ?? ''
  try {
    const error = fieldAt(parseJson(last), ['error'])
    const [message, description] = ['message', 'description'].map((key) => fieldAt(error, [key]))
    return [message, description].filter((text) => typeof text === 'string').join(': ')
  } catch {
    return last
  }
}
