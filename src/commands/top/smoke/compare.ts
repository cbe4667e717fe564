import { refuseOtherContent, refuseOwnFolders } from '../../../rows/keep/output-files.ts'
import { selectAccount } from '../../../cli/account/account.ts'
import { switchFlag, textFlag } from '../../../cli/command/input.ts'
import { flagWords } from '../../../cli/command/flag-words.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { resultOf } from '../../../cli/command/result.ts'
import type { CommandSpec, Tree } from '../../../cli/command/spec.ts'
import { EXIT, PayError, UsageError } from '../../../errors.ts'
import { isRecord } from '../../../json/is-record.ts'
import { stringifyJson } from '../../../json/json.ts'
import { pluralize } from '../../../text/words.ts'
import { comparisonView } from '../../../views/top/comparison.ts'
import type { Comparison, Difference } from '../../../views/top/comparison.ts'
import { observe } from './observe.ts'
import type { ObservedCall } from './observe.ts'
import { PUBLISHED_TOKEN, STEP_FLAGS, refuseLive, tokenOf } from './run-step.ts'

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

/** Calls are the same if they belong to the same step and operation. */
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
      return [{ step, operation, what: 'call', account: sent(theirs), sandbox: sent(ours) }]
    }
    return answerDifferences(theirs, ours).map((difference) => ({ step, operation, ...difference }))
  })
}

const nameOf = ({ step, operation }: ObservedCall): string => `${step} ${operation}`
const sent = (call: ObservedCall | undefined): string => (call === undefined ? 'not called' : 'called')

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
