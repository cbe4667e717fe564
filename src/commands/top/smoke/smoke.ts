import { bufferedContext } from '../../../cli/process/buffered-context.ts'
import { readSecret } from '../../../cli/request/read-secret.ts'
import { fieldAt, parseFieldPath } from '../../../cli/parse/field-path.ts'
import { textFlag } from '../../../cli/command/input.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { resultOf } from '../../../cli/command/result.ts'
import { run as runCommand } from '../../../cli/run.ts'
import type { CommandSpec, Tree } from '../../../cli/command/spec.ts'
import { shellWord } from '../../../shell-word.ts'
import { EXIT, UsageError, interruptedBy } from '../../../errors.ts'
import { parseJson } from '../../../json/json.ts'
import { smokeView } from '../../../views/top/smoke.ts'
import type { SmokeStep } from '../../../views/top/smoke.ts'
import { junitReport } from './junit.ts'
import { SECRET_FACTS, stepsOf } from './steps.ts'
import type { Facts, Step } from './steps.ts'

export const command: CommandSpec = {
  path: ['smoke'],
  summary: 'Run the whole life of a payment, step by step, against a test profile',
  details:
    'Session, payment, partial capture, refund, external record, loyalty points, saved method: each step is shown as the pay command that does it, with its outcome, its time and its request id; with --quiet only those that failed. A live profile is refused. The exit code is that of the first step that failed.',
  examples: [
    { says: 'on the embedded sandbox: no account, no network', line: 'pay smoke --sandbox' },
    { says: 'in CI, with a report', line: 'pay smoke --sandbox --junit smoke.xml' },
  ],
  flags: {
    junit: { kind: 'text', value: 'FILE', from: 'file', help: 'Write a JUnit report as well' },
    token: {
      kind: 'text',
      value: 'TOKEN',
      secret: true,
      help: 'Payment method token to pay with, or - to read it from stdin; left out, the embedded sandbox makes one in the session, and tok_visa is used elsewhere',
    },
  },
  run,
  risk: 'money',
  effect: 'Moves test money alone: a live profile is refused.',
  exitCodes: [EXIT.rejected, EXIT.auth, EXIT.conflict, EXIT.notConnected, EXIT.outcomeUnknown, EXIT.declined],
  related: ['whoami', 'sandbox scenarios'],
}

async function run(invocation: Invocation, input: CommandInput, tree: Tree) {
  const account = await invocation.account()
  if (account.mode.value === 'live') {
    throw new UsageError('pay smoke moves money, and this is a live profile', {
      code: 'live_refused',
      outcome: 'none',
      hint: 'Use a test profile, or --sandbox',
    })
  }
  const { context } = invocation
  const token = await tokenOf(invocation, input)
  // Elsewhere no command makes a token in the place of a checkout.
  const paidBy = account.kind === 'sandbox' && token === undefined ? 'session' : 'token'
  const planned = stepsOf(paidBy)
  const suffix = context.newId().slice(-8)
  let facts: Facts = {
    order: `smoke-${suffix}`,
    customer: `smoke-customer-${suffix}`,
    external: `smoke-external-${suffix}`,
    ...(paidBy === 'token' ? { token: token ?? FIXED_TOKEN } : {}),
    now: `${context.now().toISOString().slice(0, 19)}Z`,
  }
  const junit = textFlag(input, 'junit')
  // A report that cannot be written is found out before anything is sent; whatever ends the run early leaves a failure.
  if (junit !== undefined) context.writeFile(junit, junitReport([NOT_ENDED]))
  const steps: SmokeStep[] = []
  for (const step of planned) {
    if (context.interruption.stop.aborted) break
    const { shown, found } = await runStep(invocation, tree, step, facts)
    steps.push(shown)
    facts = { ...facts, ...found }
  }
  const failed = steps.find((step) => step.exitCode !== 0)?.exitCode
  // Cut short, it has passed nothing.
  const exitCode =
    failed ?? (steps.length < planned.length ? interruptedBy(context.interruption.stop).exitCode : EXIT.done)
  const result = {
    passed: steps.filter((step) => step.outcome === 'passed').length,
    total: planned.length,
    steps,
  }
  if (junit !== undefined)
    context.writeFile(junit, junitReport(steps.length < planned.length ? [...steps, NOT_ENDED] : steps))
  return resultOf(result, smokeView({ isQuiet: invocation.settings.isQuiet }), exitCode)
}

/** In the report of a run that was cut short: without it no failure would be counted. */
const NOT_ENDED: SmokeStep = {
  title: 'The run comes to its end',
  command: 'pay smoke',
  outcome: 'failed',
  says: 'the run did not end',
  exitCode: EXIT.internal,
  durationMs: 0,
}

/** It works on every sandbox, and is published. */
const FIXED_TOKEN = 'tok_visa'

async function tokenOf(invocation: Invocation, input: CommandInput): Promise<string | undefined> {
  const typed = textFlag(input, 'token')
  if (typed === undefined) return undefined
  const token =
    typed === '-' ? await readSecret(invocation, { what: '--token', label: 'Payment method token' }) : typed
  invocation.keepSecret(token)
  return token
}

async function runStep(
  { context, input }: Invocation,
  tree: Tree,
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
  const captured = bufferedContext(context)
  const started = context.now().getTime()
  const argv = [...selector, '--json', '--no-input', '--quiet', ...safeOrder(step.words, words)]
  const exitCode = await runCommand(tree, argv, captured.context)
  const ended = { durationMs: context.now().getTime() - started, requestId: captured.requestId(), exitCode }
  const failed = (says: string, code = exitCode) => ({
    shown: { ...base, ...ended, exitCode: code, outcome: 'failed' as const, says },
    found: {},
  })
  if (exitCode !== 0) return failed(errorWords(captured.stderr()))
  const answer = answerOf(captured.stdout())
  if (answer === undefined)
    return failed(
      'the service answered with success, but not in JSON',
      captured.hasWritten() ? EXIT.outcomeUnknown : EXIT.serverFault,
    )
  const found = Object.entries(step.facts ?? {}).flatMap(([name, path]) => {
    const value = fieldAt(answer, parseFieldPath(path, name))
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return {
    shown: { ...base, ...ended, outcome: 'passed', says: step.says(answer) },
    found: Object.fromEntries(found),
  }
}

/** Undefined for what is no JSON. */
function answerOf(text: string): unknown {
  try {
    return parseJson(text, { duplicateKeys: 'last' })
  } catch {
    return undefined
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

/** Ids and tokens of the service may begin with a hyphen: as arguments they go last, behind `--`. */
function safeOrder(templates: readonly string[], words: readonly (string | undefined)[]): readonly string[] {
  const isArgument = (at: number) =>
    templates[at]?.startsWith('{') === true && templates[at - 1]?.startsWith('--') !== true
  const filled = words.map((word) => word ?? '')
  return [...filled.filter((_, at) => !isArgument(at)), '--', ...filled.filter((_, at) => isArgument(at))]
}

function fill(word: string, facts: Facts): string | undefined {
  const name = /^\{(\w+)\}$/.exec(word)?.[1]
  return name === undefined ? word : facts[name]
}

/** Tokens are shown as a variable; the sandbox's own fixed one is no secret. */
function secretsOf(input: CommandInput, facts: Facts): Facts {
  const hidden = SECRET_FACTS.flatMap((name) =>
    facts[name] === undefined ? [] : [[name, variableOf(name)] as const],
  )
  const isFixedToken = textFlag(input, 'token') === undefined && facts['token'] === FIXED_TOKEN
  return { ...Object.fromEntries(hidden), ...(isFixedToken ? {} : { token: '$TOKEN' }) }
}

const variableOf = (name: string): string =>
  `$${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

const quote = (word: string): string => (/^\$[A-Z_]+$/.test(word) ? `"${word}"` : shellWord(word))

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
