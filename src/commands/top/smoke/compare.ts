import { refuseOtherContent, refuseOwnFolders } from '../../../rows/keep/output-files.ts'
import { selectAccount } from '../../../cli/account/account.ts'
import { switchFlag, textFlag } from '../../../cli/command/input.ts'
import { flagWords } from '../../../cli/command/flag-words.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { resultOf } from '../../../cli/command/result.ts'
import type { CommandSpec, Tree } from '../../../cli/command/spec.ts'
import { EXIT, PayError, UsageError, interruptedBy } from '../../../errors.ts'
import { isRecord } from '../../../json/is-record.ts'
import { stringifyJson } from '../../../json/json.ts'
import { pluralize } from '../../../text/words.ts'
import { PUBLISHED_TOKEN, STEP_FLAGS, refuseLive, tokenOf, firstFacts, runStep } from './run-step.ts'
import { findRoute } from '../../../api/table.ts'
import type { Context } from '../../../cli/command/context.ts'
import type { Account } from '../../../client/config/resolve-account.ts'
import type { HttpRequest, HttpResponse } from '../../../client/http/transport-port.ts'
import type { RanStep } from './run-step.ts'
import { stepsOf } from './steps.ts'
import { safeText } from '../../../output/safe-text.ts'
import { renderTable } from '../../../output/table.ts'
import type { Column } from '../../../output/table.ts'
import type { View } from '../../../output/view.ts'

export const command: CommandSpec = {
  path: ['sandbox', 'compare'],
  summary: 'Compare the sandbox with a test account: does it answer alike?',
  details:
    'Makes the calls of pay smoke on the account and on a new, empty sandbox, and reports where status, error ID or the shape of a response differ: paths and types, never values. Refuses a live profile. --out keeps what the account answered; --against compares the sandbox with such a file, without a network.',
  examples: [
    { purpose: 'compare with a test account', line: 'pay sandbox compare --profile shop --out shop.json' },
    { purpose: 'check again in CI, without the account', line: 'pay sandbox compare --against shop.json' },
  ],
  flags: {
    out: {
      kind: 'text',
      value: 'FILE',
      from: 'file',
      help: 'Keep what the account answered, without values',
    },
    against: {
      kind: 'text',
      value: 'FILE',
      from: 'file',
      help: 'Compare with a file that --out wrote, instead of an account',
    },
    token: {
      kind: 'text',
      value: 'TOKEN',
      secret: true,
      help: 'Payment method token of the account to pay with; - reads it from stdin. Default: tok_visa',
    },
  },
  run,
  risk: 'money',
  effect: 'Moves only test money; refuses a live profile.',
  exitCodes: [EXIT.auth, EXIT.notConnected, EXIT.outcomeUnknown, EXIT.bulk],
  related: ['smoke', 'sandbox start'],
}

async function run(invocation: Invocation, input: CommandInput, tree: Tree) {
  const { context } = invocation
  const out = textFlag(input, 'out')
  refuseOwnFolders({ '--out': out }, context)
  if (out !== undefined)
    refuseOtherContent([{ flag: '--out', path: out, header: '{\n  "apiVersion":' }], context.cwd)
  const { apiVersion, account } = await answersOf(invocation, input, tree)
  const sandbox = await observe({
    context,
    tree,
    account: selectAccount(context, { ...input, flags: { sandbox: true } }).account,
    accountArgs: ['--sandbox', '--api-version', apiVersion],
    token: PUBLISHED_TOKEN,
  })
  const comparison: Comparison = {
    apiVersion,
    calls: Math.max(account.length, sandbox.length),
    differences: differencesBetween(account, sandbox),
  }
  if (out !== undefined) context.writeFile(out, `${stringifyJson({ ...comparison, account, sandbox }, 2)}\n`)
  const { length } = comparison.differences
  if (length === 0) return resultOf(comparison, comparisonView)
  const problem = new PayError('differences_found', EXIT.bulk, `Found ${pluralize(length, 'difference')}`)
  return { ...resultOf(comparison, comparisonView, problem.exitCode), problem }
}

interface Answers {
  readonly apiVersion: string
  readonly account: readonly ObservedCall[]
}

/** What the account answers, or has answered. */
async function answersOf(invocation: Invocation, input: CommandInput, tree: Tree): Promise<Answers> {
  const { context } = invocation
  const file = textFlag(input, 'against')
  const isNamed = textFlag(input, 'profile') !== undefined || switchFlag(input, 'sandbox')
  if (file !== undefined && !isNamed) return readAnswers(file, context.readFile(file, MAX_FILE_BYTES))
  const account = await invocation.account()
  refuseLive(account, 'pay sandbox compare', 'a file with --against')
  if (file !== undefined) return readAnswers(file, context.readFile(file, MAX_FILE_BYTES))
  if (account.kind === 'sandbox')
    throw new UsageError('sandbox compare needs a test account to compare the sandbox with', {
      code: 'missing_input',
      hint: 'Name its profile with --profile, or a file with --against.',
    })
  const token = (await tokenOf(invocation, input)) ?? PUBLISHED_TOKEN
  const accountArgs = flagWords(input, STEP_FLAGS)
  return {
    apiVersion: account.apiVersion.value,
    account: await observe({ context, tree, account, accountArgs, token }),
  }
}

const MAX_FILE_BYTES = 10 * 1024 * 1024

function readAnswers(file: string, bytes: Uint8Array): Answers {
  const answers = answersIn(new TextDecoder().decode(bytes))
  if (answers !== undefined) return answers
  throw new UsageError(`${file} is not a file that pay sandbox compare --out has written`, {
    code: 'not_a_comparison',
  })
}

function answersIn(text: string): Answers | undefined {
  try {
    const file: unknown = JSON.parse(text)
    const { apiVersion, account } = isRecord(file) ? file : {}
    return typeof apiVersion === 'string' && Array.isArray(account) && account.every(isObservedCall)
      ? { apiVersion, account }
      : undefined
  } catch {
    return undefined
  }
}

const isObservedCall = (call: unknown): call is ObservedCall =>
  isRecord(call) &&
  typeof call['step'] === 'string' &&
  typeof call['operation'] === 'string' &&
  typeof call['status'] === 'number' &&
  isRecord(call['shape'])

/** Compares the calls of the same step and operation. */
function differencesBetween(
  account: readonly ObservedCall[],
  sandbox: readonly ObservedCall[],
): readonly Difference[] {
  const pairs = new Map<string, { account?: ObservedCall; sandbox?: ObservedCall }>()
  for (const call of account) pairs.set(nameOf(call), { account: call })
  for (const call of sandbox) pairs.set(nameOf(call), { ...pairs.get(nameOf(call)), sandbox: call })
  return [...pairs.values()].flatMap(({ account: theirs, sandbox: ours }) => {
    const { step = '', operation = '' } = theirs ?? ours ?? {}
    if (theirs === undefined || ours === undefined) {
      return [{ step, operation, what: 'call', account: wasCalled(theirs), sandbox: wasCalled(ours) }]
    }
    return answerDifferences(theirs, ours).map((difference) => ({ step, operation, ...difference }))
  })
}

const nameOf = ({ step, operation }: ObservedCall): string => `${step} ${operation}`
const wasCalled = (call: ObservedCall | undefined): string => (call === undefined ? 'not called' : 'called')

type AnswerDifference = Omit<Difference, 'step' | 'operation'>

function answerDifferences(account: ObservedCall, sandbox: ObservedCall): readonly AnswerDifference[] {
  const found: AnswerDifference[] = []
  if (account.status !== sandbox.status)
    found.push({ what: 'status', account: String(account.status), sandbox: String(sandbox.status) })
  if (account.errorId !== sandbox.errorId)
    found.push({
      what: 'errorId',
      account: account.errorId ?? MISSING,
      sandbox: sandbox.errorId ?? MISSING,
    })
  // An error and a success have nothing in common.
  return isSuccess(account) === isSuccess(sandbox) ? [...found, ...shapeDifferences(account, sandbox)] : found
}

const MISSING = 'missing'
const isSuccess = ({ status }: ObservedCall): boolean => status < 400

/** What is missing or of another type; not what is inside that. */
function shapeDifferences(account: ObservedCall, sandbox: ObservedCall): readonly AnswerDifference[] {
  const paths = [...new Set([...Object.keys(account.shape), ...Object.keys(sandbox.shape)])]
  const differ = paths.filter((path) => account.shape[path] !== sandbox.shape[path])
  return differ
    .filter((path) => !differ.some((outer) => isInside(path, outer)))
    .map((path) => ({
      what: 'shape',
      path,
      account: account.shape[path] ?? MISSING,
      sandbox: sandbox.shape[path] ?? MISSING,
    }))
}

const isInside = (path: string, outer: string): boolean =>
  path.startsWith(outer) && /^[.[]/.test(path.slice(outer.length))

/** The type of each value in a body, by its path; all entries of a list share one. Values aren't kept. */
type Shape = Readonly<Record<string, string>>

/** One call of the smoke test, and how a service answered it. */
interface ObservedCall {
  readonly step: string
  readonly operation: string
  readonly status: number
  readonly errorId?: string | undefined
  readonly shape: Shape
}

interface Side {
  readonly context: Context
  readonly tree: Tree
  readonly account: Account
  readonly accountArgs: readonly string[]
  readonly token: string
}

/**
 * Runs the steps of the smoke test, and keeps how each call was answered. The sandbox is a new, empty one.
 * @throws {PayError} if the account refuses the key or can't be reached
 */
async function observe({ context, tree, account, accountArgs, token }: Side): Promise<ObservedCall[]> {
  const transport = await context.connect(account, { isFresh: true })
  const calls = new Map<string, ObservedCall>()
  let step = ''
  const recording: Context = {
    ...context,
    connect: async () => ({
      close: async () => undefined,
      send: async (...sent) => {
        const answer = await transport.send(...sent)
        const call = observed(step, sent[0], answer)
        // After a retry, the last answer counts.
        calls.set(`${call.step} ${call.operation}`, call)
        return answer
      },
    }),
  }
  try {
    let facts = firstFacts(context, token)
    for (const planned of stepsOf('token')) {
      if (context.interruption.stop.aborted) throw interruptedBy(context.interruption.stop)
      step = planned.title
      const ran = await runStep({ context: recording, tree, accountArgs }, planned, facts)
      const answers = [...calls.values()].filter((call) => call.step === step)
      if (ran.shown.exitCode !== 0 && answers.every(({ status }) => status === 401)) throw notCompared(ran)
      facts = { ...facts, ...ran.found }
    }
  } finally {
    await transport.close()
  }
  return [...calls.values()]
}

/** The error for a run with nothing to compare: without an answer, or with a key that is refused. */
const notCompared = ({ shown: { exitCode, says }, errorCode = 'internal' }: RanStep): PayError =>
  new PayError(
    errorCode,
    Object.values(EXIT).find((code) => code === exitCode) ?? EXIT.internal,
    `The account can't be compared: ${says}`,
    { hint: 'Run pay smoke on this account first.' },
  )

function observed(step: string, { method, url }: HttpRequest, { status, body }: HttpResponse): ObservedCall {
  const { pathname } = new URL(url)
  const json = parsed(body)
  const error = isRecord(json) && isRecord(json['error']) ? json['error'] : {}
  const errorId = error['errorId']
  return {
    step,
    operation: findRoute(method, pathname).match?.operation.id ?? `${method} ${pathname}`,
    status,
    ...(typeof errorId === 'string' ? { errorId } : {}),
    shape: json === undefined ? { $: 'not JSON' } : shapeOf(json),
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function shapeOf(body: unknown): Shape {
  const shape = new Map<string, Set<string>>()
  const visit = (value: unknown, path: string): void => {
    const types = shape.get(path) ?? new Set()
    shape.set(path, types.add(typeOf(value)))
    if (Array.isArray(value)) for (const entry of value) visit(entry, `${path}[]`)
    else if (isRecord(value))
      for (const [name, inner] of Object.entries(value)) visit(inner, `${path}.${name}`)
  }
  visit(body, '$')
  return Object.fromEntries([...shape].map(([path, types]) => [path, [...types].toSorted().join(' or ')]))
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value

interface Difference {
  readonly step: string
  readonly operation: string
  readonly what: 'call' | 'status' | 'errorId' | 'shape'
  /** The path of the value in the body whose type differs. */
  readonly path?: string
  readonly account: string
  readonly sandbox: string
}

interface Comparison {
  readonly apiVersion: string
  /** How many calls were compared. */
  readonly calls: number
  readonly differences: readonly Difference[]
}

const comparisonView: View<Comparison> = {
  ids: () => [],
  itemsKey: 'differences',
  csvColumns: ['step', 'operation', 'what', 'path', 'account', 'sandbox'],
  render: ({ calls, differences }, options) => {
    const { paint } = options
    const count = differences.length
    if (count === 0) return paint(`No differences in ${calls} calls.`, 'good')
    const summary = `${pluralize(count, 'difference')} in ${calls} calls.`
    return `${renderTable(COLUMNS, differences, options)}\n\n${paint(summary, 'bad')}`
  },
}

const COLUMNS: readonly Column<Difference>[] = [
  { title: 'OPERATION', text: ({ operation }) => safeText(operation) },
  { title: 'WHAT', text: ({ what, path }) => safeText(path ?? what), tone: () => 'strong', shrink: true },
  { title: 'ACCOUNT', text: ({ account }) => safeText(account) },
  { title: 'SANDBOX', text: ({ sandbox }) => safeText(sandbox) },
  { title: 'STEP', text: ({ step }) => safeText(step), drop: 1, shrink: true },
]
