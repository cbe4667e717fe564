import { UsageError } from '../../errors.ts'
import type { ValidationProblem } from '../../errors.ts'
import { formatMoney } from '../../money/format.ts'
import type { Draft } from '../command/draft.ts'
import { parseFieldPath } from '../parse/field-path.ts'
import { textFlag } from '../command/input.ts'
import type { CommandRun } from '../command/spec.ts'
import type { ArgumentSpec, FlagSpec } from '../command/flags.ts'
import { lookUpArguments, refuseArgumentAndFlag } from './look-up-arguments.ts'
import { checkBody, invalidBody } from './validate.ts'
import type { BodyCheck } from './validate.ts'
import { fieldAt } from '../../json/fields.ts'

interface MissingFlag {
  readonly name: string
  readonly flag: FlagSpec
}

/**
 * Asks for required values that are missing, then checks the whole body.
 * @throws {UsageError} one error for all missing values if questions are not allowed, or for an invalid body
 */
export async function completeDraft(invocation: CommandRun, draft: Draft): Promise<Draft> {
  const { spec } = invocation
  const { apiVersion } = await invocation.account()
  refuseArgumentAndFlag(invocation)
  const checked = checkDraft(invocation, draft, apiVersion.value)
  const args = (spec.args ?? []).filter((argument) => isMissing(invocation, argument, draft))
  const flags = missingFlags(invocation, draft, checked)
  if (args.length + flags.length > 0 && !invocation.isInteractive)
    throw missingError(invocation, args, flags, checked)
  const asked = args.length + flags.length === 0 ? draft : await askForMissing(invocation, draft, args, flags)
  const complete = await askForOptional(invocation, asked)
  // Answers have changed the body, so check it again.
  await refuseInvalid(
    invocation,
    complete === draft ? checked : checkDraft(invocation, complete, apiVersion.value),
  )
  return lookUpArguments(invocation, complete)
}

/** Asks for values with a default, and for those that depend on another one, as a currency does on its amount. */
async function askForOptional(invocation: CommandRun, draft: Draft): Promise<Draft> {
  const { spec, isInteractive, settings } = invocation
  if (!isInteractive || settings.mode !== 'send' || settings.assumesYes) return draft
  const flags = Object.entries(spec.flags ?? {}).map(([name, flag]) => ({ name, flag }))
  const open = flags.filter(({ flag }) => flag.defaultsTo !== undefined && !isGiven(draft, flag.field))
  const complete = open.length === 0 ? draft : await askForMissing(invocation, draft, [], open)
  const dependent = flags.filter(
    ({ flag }) => isGiven(complete, flag.askedWith) && !isGiven(complete, flag.field),
  )
  return dependent.length === 0 ? complete : askForMissing(invocation, complete, [], dependent)
}

const isGiven = ({ body }: Draft, field: string | undefined): boolean =>
  field !== undefined && fieldAt(body, parseFieldPath(field, field)) !== undefined

async function askForMissing(
  invocation: CommandRun,
  draft: Draft,
  args: readonly ArgumentSpec[],
  flags: readonly MissingFlag[],
): Promise<Draft> {
  // Loaded only on a terminal.
  const { askArgument, askFlag } = await import('./ask-missing.ts')
  let complete = draft
  for (const argument of args) complete = await askArgument(invocation, complete, argument)
  for (const { name, flag } of flags) complete = await askFlag(invocation, complete, name, flag)
  return complete
}

const isMissing = ({ input }: CommandRun, argument: ArgumentSpec, draft: Draft): boolean =>
  argument.optional !== true &&
  argument.param !== undefined &&
  draft.params[argument.param] === undefined &&
  (argument.lookup === undefined || textFlag(input, argument.lookup.flag) === undefined)

function missingFlags(invocation: CommandRun, draft: Draft, { problems }: BodyCheck): readonly MissingFlag[] {
  const flags = Object.entries(invocation.spec.flags ?? {})
  const byQuery = flags.filter(
    ([, flag]) => flag.required === true && flag.query !== undefined && draft.query[flag.query] === undefined,
  )
  const required = problems.flatMap((problem) => (problem.isMissing === true ? [problem.path] : []))
  // If a whole required object is missing, ask for the flags of its fields.
  const isAsked = (field: string) => required.some((path) => path === field || field.startsWith(`${path}.`))
  const byField = flags.filter(
    ([, flag]) =>
      flag.field !== undefined &&
      isAsked(flag.field) &&
      (flag.required === true || required.includes(flag.field)),
  )
  return [...byQuery, ...byField].map(([name, flag]) => ({ name, flag }))
}

function checkDraft(invocation: CommandRun, draft: Draft, apiVersion: string): BodyCheck {
  const { spec } = invocation
  if (spec.operation === undefined || !isValidated(invocation)) return { problems: [], warnings: [] }
  const checked = checkBody(spec.operation, draft.body, apiVersion)
  const pending = pendingFields(invocation, draft)
  const problems = checked.problems.filter(
    (problem) => problem.isMissing !== true || !pending.includes(problem.path),
  )
  return { ...checked, problems }
}

/** Whether the body is checked. Commander stores --no-validate as `validate: false`. */
const isValidated = ({ input }: CommandRun): boolean => input.flags['validate'] !== false

async function refuseInvalid(invocation: CommandRun, checked: BodyCheck): Promise<void> {
  const { spec, warn } = invocation
  if (spec.operation !== undefined && checked.problems.length > 0)
    throw invalidBody(spec.operation.id, checked, hintForCurrency(invocation, checked.problems))
  for (const line of checked.warnings) await warn(`Warning: ${line}`)
}

function missingError(
  invocation: CommandRun,
  args: readonly ArgumentSpec[],
  flags: readonly MissingFlag[],
  { problems }: BodyCheck,
): UsageError {
  const { spec } = invocation
  const names = [
    ...args.map(({ name, lookup }) => (lookup === undefined ? name : `${name} (or --${lookup.flag})`)),
    ...flags.map(({ name }) => `--${name}`),
  ]
  return new UsageError(`Missing: ${names.join(', ')}`, {
    code: 'missing_input',
    operation: spec.operation?.id,
    validationErrors: problems,
    next: [`pay ${spec.path.join(' ')} --help`],
  })
}

/** Required fields that may still be missing: the amount of a capture, refund or adjustment is settled with the payment, or asked for. */
function pendingFields({ spec, settings, isInteractive }: CommandRun, { money }: Draft): readonly string[] {
  const isAsked = isInteractive && settings.mode === 'send' && spec.money?.asksAmount === 'always'
  return isAsked || money?.decimal !== undefined ? ['amount'] : []
}

/** How to give the currency that an integer of --amount lacks, if that is what is wrong with the request. */
function hintForCurrency(
  { input }: Pick<CommandRun, 'input'>,
  problems: readonly ValidationProblem[],
): string | undefined {
  const typed = textFlag(input, 'amount')
  if (typed === undefined || textFlag(input, 'currency') !== undefined) return undefined
  if (problems.length > 1 || problems[0]?.path !== 'currencyCode') return undefined
  const money = formatMoney(Number(typed), 'EUR')
  return `--amount ${typed} is in minor units and needs a currency: add --currency, such as EUR for ${money}, or write --amount '${money}'.`
}
