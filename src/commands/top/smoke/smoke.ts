import { createBufferedContext } from '../../../cli/process/buffered-context.ts'
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
import { refuseCardNumber } from '../../../calls/card-number.ts'
import { parseJson } from '../../../json/json.ts'
import { smokeView } from '../../../views/top/smoke.ts'
import type { SmokeStep } from '../../../views/top/smoke.ts'
import { junitReport } from './junit.ts'
import { SECRET_FACTS, stepsOf } from './steps.ts'
import type { Facts, Step } from './steps.ts'

export const command: CommandSpec = {
  path: ['smoke'],
  summary: 'Run a payment through its whole life cycle on a test profile',
  details:
    'Runs these steps: session, payment, partial capture, refund, external record, loyalty points, saved method. Shows each step as a pay command, with its outcome, time and request ID; with --quiet, shows only failed steps. Refuses a live profile. The exit code is that of the first failed step.',
  examples: [
    { purpose: 'run on the embedded sandbox: no account, no network', line: 'pay smoke --sandbox' },
    { purpose: 'write a report in CI', line: 'pay smoke --sandbox --junit smoke.xml' },
  ],
  flags: {
    junit: { kind: 'text', value: 'FILE', from: 'file', help: 'Also write a JUnit report' },
    token: {
      kind: 'text',
      value: 'TOKEN',
      secret: true,
      help: 'Payment method token to pay with; - reads it from stdin. Default: the embedded sandbox creates one in the session; elsewhere, tok_visa',
    },
  },
  run,
  risk: 'money',
  effect: 'Moves only test money; refuses a live profile.',
  exitCodes: [EXIT.rejected, EXIT.auth, EXIT.conflict, EXIT.notConnected, EXIT.outcomeUnknown, EXIT.declined],
  related: ['whoami', 'sandbox scenarios'],
}

async function run(invocation: Invocation, input: CommandInput, tree: Tree) {
  const account = await invocation.account()
  if (account.mode.value === 'live') {
    throw new UsageError('pay smoke moves money, so it refuses a live profile', {
      code: 'live_refused',
      outcome: 'none',
      hint: 'Use a test profile, or --sandbox.',
    })
  }
  const { context } = invocation
  const token = await tokenOf(invocation, input)
  // Only the embedded sandbox has a command that creates a token as a checkout does.
  const paidBy = account.kind === 'sandbox' && token === undefined ? 'session' : 'token'
  const planned = stepsOf(paidBy)
  const suffix = context.newId().slice(-8)
  let facts: Facts = {
    order: `smoke-${suffix}`,
    customer: `smoke-customer-${suffix}`,
    external: `smoke-external-${suffix}`,
    ...(paidBy === 'token' ? { token: token ?? PUBLISHED_TOKEN } : {}),
    now: `${context.now().toISOString().slice(0, 19)}Z`,
  }
  const junit = textFlag(input, 'junit')
  // Write the report first, so that an unwritable file fails before anything is sent. A run that is killed leaves this failure in it.
  if (junit !== undefined) context.writeFile(junit, junitReport([INCOMPLETE_RUN]))
  const steps: SmokeStep[] = []
  for (const step of planned) {
    if (context.interruption.stop.aborted) break
    const { shown, found } = await runStep(invocation, tree, step, facts)
    steps.push(shown)
    facts = { ...facts, ...found }
  }
  const failed = steps.find((step) => step.exitCode !== 0)?.exitCode
  // An interrupted run must not pass.
  const exitCode =
    failed ?? (steps.length < planned.length ? interruptedBy(context.interruption.stop).exitCode : EXIT.done)
  const result = {
    passed: steps.filter((step) => step.outcome === 'passed').length,
    total: planned.length,
    steps,
  }
  if (junit !== undefined)
    context.writeFile(junit, junitReport(steps.length < planned.length ? [...steps, INCOMPLETE_RUN] : steps))
  return resultOf(result, smokeView({ isQuiet: invocation.settings.isQuiet }), exitCode)
}

/** Makes the report of an interrupted run count as failed. */
const INCOMPLETE_RUN: SmokeStep = {
  title: 'Complete the run',
  command: 'pay smoke',
  outcome: 'failed',
  says: 'the run did not complete',
  exitCode: EXIT.internal,
  durationMs: 0,
}

/** A published token that works in every sandbox. */
const PUBLISHED_TOKEN = 'tok_visa'

async function tokenOf(invocation: Invocation, input: CommandInput): Promise<string | undefined> {
  const typed = textFlag(input, 'token')
  if (typed === undefined) return undefined
  const token =
    typed === '-' ? await readSecret(invocation, { what: '--token', label: 'Payment method token' }) : typed
  invocation.keepSecret(token)
  refuseCardNumber({ paymentMethodToken: token })
  return token
}

async function runStep(
  { context, input }: Invocation,
  tree: Tree,
  step: Step,
  facts: Facts,
): Promise<{ readonly shown: SmokeStep; readonly found: Facts }> {
  const accountArgs = accountArguments(input)
  const words = step.words.map((word) => fill(word, facts))
  const line = [
    'pay',
    ...accountArgs,
    ...step.words.map((word) => quote(fill(word, { ...facts, ...secretsOf(input, facts) }) ?? word)),
  ].join(' ')
  const base = { title: step.title, command: line }
  if (words.includes(undefined)) {
    return {
      shown: {
        ...base,
        outcome: 'skipped',
        says: 'an earlier step did not return a value it needs',
        exitCode: 0,
        durationMs: 0,
      },
      found: {},
    }
  }
  const buffered = createBufferedContext(context)
  const started = context.now().getTime()
  const argv = [...accountArgs, '--json', '--no-input', '--quiet', ...argumentsLast(step.words, words)]
  const exitCode = await runCommand(tree, argv, buffered.context)
  const measured = {
    durationMs: context.now().getTime() - started,
    requestId: buffered.requestId(),
    exitCode,
  }
  const failed = (reason: string, code = exitCode) => ({
    shown: { ...base, ...measured, exitCode: code, outcome: 'failed' as const, says: reason },
    found: {},
  })
  if (exitCode !== 0) return failed(errorMessage(buffered.stderr()))
  const answer = answerOf(buffered.stdout())
  if (answer === undefined)
    return failed(
      'the service responded with success, but not with JSON',
      buffered.hasWritten() ? EXIT.outcomeUnknown : EXIT.serverFault,
    )
  const found = Object.entries(step.facts ?? {}).flatMap(([name, path]) => {
    const value = fieldAt(answer, parseFieldPath(path, name))
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return {
    shown: { ...base, ...measured, outcome: 'passed', says: step.describe(answer) },
    found: Object.fromEntries(found),
  }
}

/** Undefined if the text is not JSON. */
function answerOf(text: string): unknown {
  try {
    return parseJson(text, { duplicateKeys: 'last' })
  } catch {
    return undefined
  }
}

/** The flags that choose the account, passed on to each step. */
function accountArguments(input: CommandInput): readonly string[] {
  const pairs = (['profile', 'base-url', 'api-version', 'timeout', 'max-retries'] as const).flatMap(
    (name) => {
      const value = textFlag(input, name)
      return value === undefined ? [] : [`--${name}`, value]
    },
  )
  return input.flags['sandbox'] === true ? ['--sandbox', ...pairs] : pairs
}

/** IDs and tokens from the service may start with a hyphen: arguments go last, after `--`. */
function argumentsLast(
  templates: readonly string[],
  words: readonly (string | undefined)[],
): readonly string[] {
  const isArgument = (at: number) =>
    templates[at]?.startsWith('{') === true && templates[at - 1]?.startsWith('--') !== true
  const filled = words.map((word) => word ?? '')
  return [...filled.filter((_, at) => !isArgument(at)), '--', ...filled.filter((_, at) => isArgument(at))]
}

function fill(word: string, facts: Facts): string | undefined {
  const name = /^\{(\w+)\}$/.exec(word)?.[1]
  return name === undefined ? word : facts[name]
}

/** Shows tokens as shell variables, except the published sandbox token, which is no secret. */
function secretsOf(input: CommandInput, facts: Facts): Facts {
  const hidden = SECRET_FACTS.flatMap((name) =>
    facts[name] === undefined ? [] : [[name, variableOf(name)] as const],
  )
  const isPublishedToken = textFlag(input, 'token') === undefined && facts['token'] === PUBLISHED_TOKEN
  return { ...Object.fromEntries(hidden), ...(isPublishedToken ? {} : { token: '$TOKEN' }) }
}

const variableOf = (name: string): string =>
  `$${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

const quote = (word: string): string => (/^\$[A-Z_]+$/.test(word) ? `"${word}"` : shellWord(word))

function errorMessage(stderr: string): string {
  const last = stderr.trim().split('\n').at(-1) ?? ''
  try {
    const error = fieldAt(parseJson(last), ['error'])
    const [message, description] = ['message', 'description'].map((key) => fieldAt(error, [key]))
    return [message, description].filter((text) => typeof text === 'string').join(': ')
  } catch {
    return last
  }
}
