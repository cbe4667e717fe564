import type { Context } from '../../../cli/command/context.ts'
import { ACCOUNT_FLAGS } from '../../../cli/command/flag-words.ts'
import { textFlag } from '../../../cli/command/input.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import type { Tree } from '../../../cli/command/spec.ts'
import { parseFieldPath } from '../../../cli/parse/field-path.ts'
import { createBufferedContext } from '../../../cli/process/buffered-context.ts'
import { readSecret } from '../../../cli/request/read-secret.ts'
import { run as runCommand } from '../../../cli/run.ts'
import { refuseCardNumber } from '../../../client/calls/card-number.ts'
import { EXIT, UsageError } from '../../../errors.ts'
import type { Account } from '../../../client/config/resolve-account.ts'
import { jsonOrUndefined } from '../../../json/json.ts'
import { shellWord } from '../../../files/shell.ts'
import type { SmokeStep } from '../../../views/top/smoke.ts'
import { SECRET_FACTS } from './steps.ts'
import type { Facts, Step } from './steps.ts'
import { fieldAt, textAt } from '../../../json/fields.ts'

/** Refuses a live account, since both commands that run the steps move money. */
export function refuseLive({ mode }: Account, command: string, instead: string): void {
  if (mode.value === 'live')
    throw new UsageError(`${command} moves money, so it refuses a live profile`, {
      code: 'live_refused',
      hint: `Use a test profile, or ${instead}.`,
    })
}

/** The values that a run of the steps begins with: its own IDs, and the token to pay with, if it is known by then. */
export function firstFacts({ newId, now }: Context, token?: string): Facts {
  const suffix = newId().slice(-8)
  return {
    order: `smoke-${suffix}`,
    customer: `smoke-customer-${suffix}`,
    external: `smoke-external-${suffix}`,
    ...(token === undefined ? {} : { token }),
    now: `${now().toISOString().slice(0, 19)}Z`,
  }
}

/** A published token that works in every sandbox. */
export const PUBLISHED_TOKEN = 'tok_visa'

export async function tokenOf(invocation: Invocation, input: CommandInput): Promise<string | undefined> {
  const typed = textFlag(input, 'token')
  if (typed === undefined) return undefined
  const token =
    typed === '-' ? await readSecret(invocation, { what: '--token', label: 'Payment method token' }) : typed
  if (token === '') throw new UsageError('--token is empty', { code: 'bad_value' })
  invocation.keepSecret(token)
  refuseCardNumber({ paymentMethodToken: token })
  return token
}

/** Who runs the steps. */
export interface StepRunner {
  readonly context: Context
  readonly tree: Tree
  /** The flags that choose the account. */
  readonly accountArgs: readonly string[]
}

export interface RanStep {
  readonly shown: SmokeStep
  readonly found: Facts
  /** The code of a step that failed with an error of its own. */
  readonly errorCode?: string
}

export async function runStep(
  { context, tree, accountArgs }: StepRunner,
  step: Step,
  facts: Facts,
): Promise<RanStep> {
  const words = step.words.map((word) => fill(word, facts))
  const line = [
    'pay',
    ...accountArgs,
    ...step.words.map((word) => quote(fill(word, { ...facts, ...secretsOf(facts) }) ?? word)),
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
  if (exitCode !== 0) {
    const { errorCode, says } = errorIn(buffered.stderr())
    return { ...failed(says), errorCode }
  }
  const answer = jsonOrUndefined(buffered.stdout())
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

/** The flags that each step gets too. */
export const STEP_FLAGS = [...ACCOUNT_FLAGS, 'timeout', 'max-retries'] as const

/** Puts arguments last, after `--`, because IDs and tokens from the service may start with a hyphen. */
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
function secretsOf(facts: Facts): Facts {
  const hidden = SECRET_FACTS.flatMap((name) =>
    facts[name] === undefined ? [] : [[name, variableOf(name)] as const],
  )
  const isPublishedToken = facts['token'] === PUBLISHED_TOKEN
  return { ...Object.fromEntries(hidden), ...(isPublishedToken ? {} : { token: '$TOKEN' }) }
}

const variableOf = (name: string): string =>
  `$${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

const quote = (word: string): string => (/^\$[A-Z_]+$/.test(word) ? `"${word}"` : shellWord(word))

function errorIn(stderr: string): { readonly errorCode: string; readonly says: string } {
  const last = stderr.trim().split('\n').at(-1) ?? ''
  const error = fieldAt(jsonOrUndefined(last), ['error'])
  const texts = [textAt(error, 'message'), textAt(error, 'description')].filter((text) => text !== undefined)
  return {
    errorCode: textAt(error, 'code') ?? 'internal',
    says: texts.length === 0 ? last : texts.join(': '),
  }
}
