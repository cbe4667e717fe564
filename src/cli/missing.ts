import { PayError, UsageError } from '../errors.ts'
import type { ValidationProblem } from '../errors.ts'
import { checkBody } from './check-body.ts'
import { applyFlag } from './draft.ts'
import type { Draft } from './draft.ts'
import type { Invocation } from './invocation.ts'
import type { ArgumentSpec, FlagSpec } from './spec.ts'
import { invalidBody } from './validate.ts'

interface MissingFlag {
  readonly name: string
  readonly flag: FlagSpec
}

/** Asks for what is required and not given; without a person, one error names all of it. Then the body is checked whole. */
export async function completeDraft(invocation: Invocation, draft: Draft): Promise<Draft> {
  const { spec } = invocation
  const args = (spec.args ?? []).filter((argument) => isMissing(argument, draft))
  const flags = missingFlags(invocation, draft)
  if (args.length + flags.length > 0 && !invocation.isInteractive)
    throw missingError(invocation, args, flags, draft)
  let complete = draft
  for (const argument of args) complete = await askArgument(invocation, complete, argument)
  for (const { name, flag } of flags) complete = await askFlag(invocation, complete, name, flag)
  await refuseInvalid(invocation, complete)
  return complete
}

const isMissing = (argument: ArgumentSpec, draft: Draft): boolean =>
  argument.optional !== true && argument.param !== undefined && draft.params[argument.param] === undefined

function missingFlags(invocation: Invocation, draft: Draft): readonly MissingFlag[] {
  const flags = Object.entries(invocation.spec.flags ?? {})
  const byQuery = flags.filter(
    ([, flag]) => flag.required === true && flag.query !== undefined && draft.query[flag.query] === undefined,
  )
  const required = problemsOf(invocation, draft).flatMap((problem) =>
    problem.description === 'is required' ? [problem.path] : [],
  )
  // A required object that is absent as a whole is asked for by the flags of its fields.
  const isAsked = (field: string) => required.some((path) => path === field || field.startsWith(`${path}.`))
  const byField = flags.filter(
    ([, flag]) =>
      flag.field !== undefined &&
      isAsked(flag.field) &&
      (flag.required === true || required.includes(flag.field)),
  )
  return [...byQuery, ...byField].map(([name, flag]) => ({ name, flag }))
}

function problemsOf(invocation: Invocation, draft: Draft): readonly ValidationProblem[] {
  const { spec } = invocation
  if (spec.operation === undefined || !isValidated(invocation)) return []
  // The amount of a capture, refund or adjustment may still have to wait for the payment's currency.
  const { problems } = checkBody(spec.operation, draft.body)
  const awaitsAmount = draft.money?.text !== undefined
  return problems.filter(
    (problem) => !(awaitsAmount && problem.path === 'amount' && problem.description === 'is required'),
  )
}

/** Commander keeps --no-validate as validate: false. */
const isValidated = ({ input }: Invocation): boolean => input.flags['validate'] !== false

async function refuseInvalid(invocation: Invocation, draft: Draft): Promise<void> {
  const { operation } = invocation.spec
  if (operation === undefined || !isValidated(invocation)) return
  const problems = problemsOf(invocation, draft)
  if (problems.length > 0) throw invalidBody(operation.id, problems)
  for (const line of checkBody(operation, draft.body).warnings) await invocation.warn(`Warning: ${line}`)
}

function missingError(
  invocation: Invocation,
  args: readonly ArgumentSpec[],
  flags: readonly MissingFlag[],
  draft: Draft,
): UsageError {
  const { spec } = invocation
  const names = [...args.map((argument) => argument.name), ...flags.map(({ name }) => `--${name}`)]
  return new UsageError(`Missing: ${names.join(', ')}`, {
    code: 'missing_input',
    operation: spec.operation?.id,
    outcome: 'none',
    validationErrors: problemsOf(invocation, draft),
    next: [`pay ${spec.path.join(' ')} --help`],
  })
}

async function askArgument(invocation: Invocation, draft: Draft, argument: ArgumentSpec): Promise<Draft> {
  const question = {
    label: argument.ask ?? argument.name,
    hint: argument.help,
    check: (answer: string) => (answer.trim() === '' ? 'Nothing was typed' : undefined),
  }
  const prompts = await invocation.context.prompts()
  const answer =
    argument.secret === true ? await prompts.secret(question) : (await prompts.text(question)).trim()
  if (argument.secret === true) invocation.keepSecret(answer)
  return argument.param === undefined
    ? draft
    : { ...draft, params: { ...draft.params, [argument.param]: answer } }
}

async function askFlag(invocation: Invocation, draft: Draft, name: string, flag: FlagSpec): Promise<Draft> {
  const label = flag.ask ?? labelOf(name)
  const prompts = await invocation.context.prompts()
  for (;;) {
    const answer =
      flag.secret === true
        ? await prompts.secret({ label, hint: flag.help })
        : await prompts.text({ label, hint: flag.help })
    try {
      return await applyFlag(invocation, draft, name, flag, answer.trim())
    } catch (error) {
      if (!(error instanceof PayError)) throw error
      await invocation.warn(error.message)
    }
  }
}

/** `--order-id` is asked for as "Order id". */
export const labelOf = (name: string): string => {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
