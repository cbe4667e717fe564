import { refuseOwnFolders } from '../../../rows/keep/output-files.ts'
import { textFlag } from '../../../cli/command/input.ts'
import { flagWords } from '../../../cli/command/flag-words.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { resultOf } from '../../../cli/command/result.ts'
import type { CommandSpec, Tree } from '../../../cli/command/spec.ts'
import { EXIT, PayError, interruptedBy } from '../../../errors.ts'
import { smokeView } from '../../../views/top/smoke.ts'
import type { SmokeStep } from '../../../views/top/smoke.ts'
import { PUBLISHED_TOKEN, STEP_FLAGS, firstFacts, refuseLive, runStep, tokenOf } from './run-step.ts'
import { stepsOf } from './steps.ts'

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
  const { context } = invocation
  const token = await tokenOf(invocation, input)
  const junit = textFlag(input, 'junit')
  refuseOwnFolders({ '--junit': junit }, context)
  // Write the report first, so that an unwritable file fails before anything is sent. A run that is killed leaves this failure in it.
  if (junit !== undefined) context.writeFile(junit, junitReport([INCOMPLETE_RUN]))
  const account = await invocation.account()
  refuseLive(account, 'pay smoke', '--sandbox')
  // Only the embedded sandbox has a command that creates a token as a checkout does.
  const paidBy = account.kind === 'sandbox' && token === undefined ? 'session' : 'token'
  const planned = stepsOf(paidBy)
  let facts = firstFacts(context, paidBy === 'token' ? (token ?? PUBLISHED_TOKEN) : undefined)
  const runner = { context, tree, accountArgs: flagWords(input, STEP_FLAGS) }
  const steps: SmokeStep[] = []
  for (const step of planned) {
    if (context.interruption.stop.aborted) break
    const { shown, found } = await runStep(runner, step, facts)
    steps.push(shown)
    facts = { ...facts, ...found }
  }
  const failed = steps.find((step) => step.exitCode !== 0)
  const exitCode = Object.values(EXIT).find((code) => code === failed?.exitCode) ?? EXIT.internal
  // An interrupted run must not pass.
  const problem =
    failed === undefined
      ? steps.length < planned.length
        ? interruptedBy(context.interruption.stop, 'Interrupted: not every step was run')
        : undefined
      : new PayError('step_failed', exitCode, `A step failed: ${failed.title}: ${failed.says}`)
  const result = {
    passed: steps.filter((step) => step.outcome === 'passed').length,
    total: planned.length,
    steps,
  }
  if (junit !== undefined)
    context.writeFile(junit, junitReport(steps.length < planned.length ? [...steps, INCOMPLETE_RUN] : steps))
  const shown = resultOf(result, smokeView({ isQuiet: invocation.settings.isQuiet }), problem?.exitCode)
  return problem === undefined ? shown : { ...shown, problem }
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

/** The steps as a JUnit XML report. */
function junitReport(steps: readonly SmokeStep[]): string {
  const count = (outcome: string) => steps.filter((step) => step.outcome === outcome).length
  const total = steps.reduce((sum, step) => sum + step.durationMs, 0)
  const cases = steps.map((step) => {
    const head = `    <testcase classname="pay.smoke" name="${escape(step.title)}" time="${seconds(step.durationMs)}"`
    if (step.outcome === 'skipped') return `${head}><skipped message="${escape(step.says)}"/></testcase>`
    if (step.outcome === 'failed')
      return `${head}><failure message="${escape(step.says)}">${escape(step.command)} (exit ${step.exitCode})</failure></testcase>`
    return `${head}/>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="pay smoke" tests="${steps.length}" failures="${count('failed')}" skipped="${count('skipped')}" time="${seconds(total)}">`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

const seconds = (ms: number) => (ms / 1000).toFixed(3)

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

const escape = (text: string): string =>
  text
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD]/g, '?')
